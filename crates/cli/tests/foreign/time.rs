//! Nobody gets more time than the referee's clock gives, and the last choice that was made in time counts.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Folder, python, trust};

/// Plays a program of the collection against `greedy`, as its header says; its games.
fn attack(folder: &Folder, name: &str) -> Vec<Value> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../attack/programs").join(name);
    let text = fs::read_to_string(&source).unwrap();
    let header = |key: &str| {
        let start = format!("# {key}: ");
        text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default().trim().to_owned()
    };
    fs::copy(&source, folder.path(name)).unwrap();
    let bot = match header("kind").as_str() {
        "py" => format!("py:{name}"),
        kind => format!("{kind}:{} {name}", python().display()),
    };
    let options = header("options");
    let mut words = vec!["match", &bot, "greedy", "--games", "2", "--json", "-q", "--logs", "logs"];
    words.extend(["--games-csv", "games.csv", "--force"]);
    words.extend(options.split_whitespace());
    words.extend(trust());
    let expects = |reason: &str| header("expect").split([' ', ',']).any(|expected| expected == reason);
    let games = if expects("timeout") {
        let mut games = folder.objects(&words);
        games.pop();
        games
    } else {
        folder.games_in_time(&words)
    };
    for game in &games {
        let reason = match game["reason"].as_str().unwrap() {
            "finished" => "plays",
            "protocol-error" => "protocol",
            "illegal-move" => "illegal",
            other => other,
        };
        assert!(expects(reason), "{name}: {game}");
    }
    for log in fs::read_dir(folder.path("logs")).unwrap().flatten() {
        let said = fs::read_to_string(log.path()).unwrap();
        assert!(!said.contains("BREACH"), "{name}: {said}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new(), "{name}");
    games
}

#[test]
fn nothing_in_the_program_is_believed_about_time() {
    let folder = Folder::new();
    for thief in ["clock_stopped", "desk", "signals", "threads", "forged"] {
        attack(&folder, &format!("course_{thief}.py"));
        let table = fs::read_to_string(folder.path("games.csv")).unwrap();
        for game in table.lines().skip(1) {
            let cells: Vec<&str> = game.split(',').collect();
            let seconds = |cell: &str| cell.parse::<f64>().unwrap();
            let (used, moves) = (seconds(cells[7]).max(seconds(cells[8])), cells[10].len() / 2 - 44);
            // Whoever thinks up to the limit is charged the limit; the rest is what a busy machine adds.
            assert!((0.3..=moves as f64).contains(&used), "{thief}: {game}");
        }
    }
}

#[test]
fn what_is_thought_before_the_question_is_part_of_the_time() {
    let folder = Folder::new();
    for thief in ["gtp_thinks_before.py", "nboard_thinks_before.py"] {
        attack(&folder, thief);
    }
}

#[test]
fn of_a_long_list_the_last_element_counts() {
    let folder = Folder::new();
    attack(&folder, "course_flood.py");
    attack(&folder, "course_endless.py");
}

#[test]
fn answers_have_an_end() {
    let folder = Folder::new();
    for (name, detail) in [
        ("gtp_endless.py", "an answer of more than 4 MiB"),
        ("gtp_blank.py", "an answer of more than 50000 lines"),
        ("nboard_endless.py", "an answer of more than 4 MiB"),
        ("botzone_endless.py", "an answer of more than 4 MiB"),
    ] {
        for game in attack(&folder, name) {
            let said = game["detail"].as_str().unwrap();
            // Where the arena reads slower than the program writes, what waits is too much first.
            assert!(said == detail || said.contains("unsolicited lines"), "{name}: {game}");
        }
    }
    attack(&folder, "line_long.py");
}

/// Every way to change a list, before thinking for ever in native code that lets nothing else run. The last move is
/// the choice; the first would be played without it.
const WAYS: [&str; 13] = [
    "self.candidate_list.extend(moves)",
    "self.candidate_list += moves",
    "self.candidate_list[:] = moves",
    "self.candidate_list = moves",
    "self.candidate_list = moves[:1]; self.candidate_list.append(moves[-1])",
    "self.candidate_list = moves[::-1]; self.candidate_list.reverse()",
    "self.candidate_list = moves + [(0, 9)]; self.candidate_list.pop()",
    "self.candidate_list = moves[::-1]; self.candidate_list.sort()",
    "self.candidate_list = moves[:]; self.candidate_list[-1] = moves[-1]",
    "mine = self.candidate_list = []; self.candidate_list.extend(moves[:1]); mine.extend(moves); self.candidate_list += []",
    "mine = self.candidate_list; [mine.append(move) for move in moves]",
    "setattr(self, 'candidate_list', moves)",
    "self.candidate_list = [(0, 9)] * 3000; self.candidate_list.insert(3000, moves[-1])",
];

#[test]
fn every_change_of_the_list_is_reported_at_once() {
    let folder = Folder::new();
    for (number, way) in WAYS.iter().enumerate() {
        let slots = if number % 2 == 0 { "__slots__ = ('color', 'candidate_list', 'last')" } else { "last = None" };
        let text = format!(
            "import sys\nsys.path.insert(0, __file__.rsplit('/', 1)[0])\nfrom reversi import legal\n\n\n\
             class AI(object):\n    {slots}\n\n    def __init__(self, chessboard_size, color, time_out):\n        \
             self.color, self.last, self.candidate_list = color, None, []\n\n    def go(self, chessboard):\n        \
             moves = sorted(legal(chessboard, self.color))\n        self.candidate_list.clear()\n        {way}\n        \
             sum(range(10**15))\n"
        );
        fs::write(folder.path("way.py"), text).unwrap();
        let mut words = vec!["move", "f5d6", "--player", "py:way.py", "--time", "1s"];
        words.extend(trust());
        let mut output = folder.run(&words);
        for _ in 0..8 {
            // The machine may be too busy for it to reach its choice at all.
            if !output.status.success() {
                output = folder.run(&words);
            }
        }
        assert_eq!(String::from_utf8_lossy(&output.stdout), "c7\n", "{way}: {}", super::said(&output));
    }
}
