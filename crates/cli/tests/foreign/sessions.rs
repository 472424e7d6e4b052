//! What front ends hear, to the byte. The player is a simple one, whose moves do not change as the engine learns.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use super::Folder;

/// The engine, to be spoken to.
fn begun(folder: &Folder, words: &[&str]) -> Child {
    folder.command(&[&["engine"], words].concat()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// What the engine answers to all of this.
fn answers(words: &[&str], input: &str) -> String {
    let folder = Folder::new();
    let mut engine = begun(&folder, words);
    let mut to = engine.stdin.take().unwrap();
    to.write_all(input.as_bytes()).unwrap();
    drop(to);
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_session_of_gtp() {
    let input = "protocol_version\n1 name\nlist_games\nset_game Reversed Othello\nclear_board\nplay b f5\n\
                 play WHITE d6\ngenmove b\nshowboard\nplay w a1\nnonsense\n7 undo\n# a comment\n\
                 time_settings 60 0 0\nboardsize 7\nset_game Go\nfinal_score\nquit\n";
    let board = "  A B C D E F G H\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - X - - - - -\n4 - - - X X - - -\n\
                 5 - - - O X X - -\n6 - - - O - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nwhite to move";
    let expected = format!(
        "= 2\n\n=1 Turncoat\n\n= Othello\nReversed Othello\n\n=\n\n=\n\n=\n\n=\n\n= C3\n\n= {board}\n\n\
         ? illegal move\n\n? unknown command\n\n=7\n\n=\n\n? unacceptable size\n\n? unsupported game\n\n\
         ? the game is not over\n\n=\n\n"
    );
    assert_eq!(answers(&["gtp", "--player", "greedy"], input), expected);
}

#[test]
fn a_session_of_botzone_kept_running_and_started_anew() {
    let keep = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
    let input = "{\"requests\":[{\"x\":-1,\"y\":-1}],\"responses\":[]}\n{\"x\":2,\"y\":2}\nbroken\n";
    let expected = format!(
        "{{\"debug\":\"depth 1, -3.00 discs\",\"response\":{{\"x\":3,\"y\":2}}}}\n{keep}\n\
         {{\"debug\":\"depth 1, -3.00 discs\",\"response\":{{\"x\":1,\"y\":2}}}}\n{keep}\n\
         {{\"debug\":\"error: not a JSON object: expected value at line 1 column 1\",\
         \"response\":{{\"x\":-1,\"y\":-1}}}}\n{keep}\n"
    );
    assert_eq!(answers(&["botzone", "--player", "greedy"], input), expected);
    let input = "{\"requests\":[{\"x\":5,\"y\":4}],\"responses\":[]}\n";
    let words = ["botzone", "--once", "--player", "greedy", "--variant", "reversi"];
    assert_eq!(answers(&words, input), "{\"debug\":\"depth 1, +0.00 discs\",\"response\":{\"x\":5,\"y\":3}}\n");
}

#[test]
fn a_whole_game_of_gtp_with_clocks_and_its_end() {
    let input = "boardsize 4\nclear_board\nkomi 0\ntime_settings 60 0 0\ntime_left b 30 0\nknown_command stop\n\
                 known_command loadsgf\nreg_genmove b\n3 genmove black\nundo\nundo\nposition\nplay b pass\n\
                 play b z9\nplay red a1\ngenmove\nlevel 99\nset_game Othello\nposition\nstop\nquit\n";
    let expected = "=\n\n=\n\n=\n\n=\n\n=\n\n= true\n\n= false\n\n= B1\n\n=3 B1\n\n=\n\n? cannot undo\n\n\
                    = -----OX--XO----- X\n\n? illegal move\n\n? invalid color or coordinate\n\n? syntax error\n\n\
                    ? syntax error\n\n? levels are 1 to 20\n\n=\n\n= -----OX--XO----- X\n\n=\n\n=\n\n";
    assert_eq!(answers(&["gtp", "--player", "greedy"], input), expected);
}

#[test]
fn a_session_of_lines() {
    let input = "garbage\n---------------------------OX------XO--------------------------- X\n\n\
                 --XXXXXOXOOOOOOOXOOOOOXOXOXOOOOOXOOXOOOOXOXOXOOOXOOOOOOOXOOOOOOO X\n\
                 XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X\nstop\n";
    assert_eq!(
        answers(&["line", "--player", "greedy"], input),
        "error: character 1: 'g' on a1 is not a cell: X is black, O is white, - is empty\nd3\npass\n\
         error: the game is over\n"
    );
}

#[test]
fn a_search_without_an_end_is_stopped() {
    let position = "---------------------------OX------XO--------------------------- X";
    // Nothing but the word ends these within the patience of a test.
    let words = ["--player", "turncoat", "--time", "3000s"];
    let answer = answers(&[&["line"], &words[..]].concat(), &format!("{position}\nstop\n{position}\nstop\n"));
    let moves: Vec<&str> = answer.lines().collect();
    assert_eq!(moves.len(), 2);
    assert!(moves.iter().all(|played| ["d3", "c4", "f5", "e6"].contains(played)));
    let answer = answers(&[&["gtp"], &words[..]].concat(), "1 genmove b\n2 stop\n3 name\n");
    let lines: Vec<&str> = answer.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[1..], ["=2", "=3 Turncoat"]);
    assert!(["=1 D3", "=1 C4", "=1 F5", "=1 E6"].contains(&lines[0]), "{answer}");
}

/// What the front end says and what it waits for, as in the protocol's own description.
const NBOARD: [(&str, &str); 8] = [
    ("nboard 2\n", "set myname Turncoat"),
    (
        "set depth 2\nset contempt 0\nset game (;GM[Othello]PC[NBoard]DT[2026-11-15 10:00:00 GMT]PB[a]PW[b]RE[?]TI[5:00]\
         TY[8a]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6];)\nping 1\n",
        "pong 1",
    ),
    ("go\n", "status"),
    ("move C3/0.10/0.1\nping 2\n", "pong 2"),
    ("hint 2\n", "status"),
    ("move D3\nmove A1\nunheard of\nset depth deep\nlearn\nping 3\n", "pong 3"),
    ("analyze\n", "status"),
    ("set game (;GM[Othello]TY[8]BO[8 nonsense\nmove\nping 4\n", "pong 4"),
];

/// What it hears, with # for what a clock or the search's own counts say.
const HEARD: &str = "\
set myname Turncoat
pong 1
status thinking
nodestats # #
=== C7/-0.41/#
status
pong 2
status thinking
search D3 1.22 0 1
search F3 -0.59 0 1
nodestats # #
search F3E3 -1.69 0 2
search F4E6 -3.70 0 2
nodestats # #
status
status error: a1: black would flip no discs there
status error: set depth: \"deep\" is not a number
learned
pong 3
status thinking
analysis 4 2.33
analysis 3 -1.69
analysis 2 -0.41
analysis 1 -4.78
analysis 0 -1.16
status
status error: set game: character 22: the value has no closing bracket
status error: \"\" is not a move
pong 4
";

#[test]
fn a_whole_session_of_nboard() {
    let folder = Folder::new();
    // A hand-made evaluation, which does not change as the trained one does.
    let mut engine = begun(&folder, &["nboard", "--player", "turncoat:eval=hand"]);
    let mut to = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    let mut heard = String::new();
    for (say, last) in NBOARD {
        to.write_all(say.as_bytes()).unwrap();
        loop {
            let line = lines.next().unwrap().unwrap();
            let shown = match line.rsplit_once('/') {
                Some((rest, _)) if line.starts_with("===") => format!("{rest}/#"),
                _ if line.starts_with("nodestats ") => "nodestats # #".to_owned(),
                _ => line.clone(),
            };
            heard += &format!("{shown}\n");
            if line == last {
                break;
            }
        }
    }
    to.write_all(b"quit\n").unwrap();
    assert!(engine.wait().unwrap().success());
    assert!(lines.next().is_none());
    assert_eq!(heard, HEARD);
}

#[test]
fn the_end_of_the_input_is_no_word() {
    assert_eq!(answers(&["gtp"], "name\n"), "= Turncoat\n\n");
    assert_eq!(answers(&["nboard"], "ping 1\n"), "pong 1\n");
    // Nor is the word an end where the protocol has none.
    let start = "---------------------------OX------XO--------------------------- X";
    let said = answers(&["line", "--player", "greedy"], &format!("quit\n{start}\n"));
    let said: Vec<&str> = said.lines().collect();
    assert!(said[0].starts_with("error: ") && said[1..] == ["d3"], "{said:?}");
    let said = answers(&["botzone", "--player", "greedy"], "quit\n");
    assert!(said.contains("KEEP_RUNNING"), "{said}");
}

#[test]
fn nboard_hears_of_what_is_wrong_and_goes_on() {
    let folder = Folder::new();
    let mut engine = begun(&folder, &["nboard", "--player", "greedy"]);
    let mut to = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    // A front end waits for the move before it says more; any order ends the thinking.
    let mut heard_until = |say: &str, last: &str| {
        to.write_all(say.as_bytes()).unwrap();
        let mut heard = Vec::new();
        loop {
            let line = lines.next().unwrap().unwrap();
            // How long it took is different every time.
            let timed = line.starts_with("nodestats");
            heard.push(if timed { "nodestats".to_owned() } else { line });
            if heard.last().unwrap().starts_with(last) {
                return heard;
            }
        }
    };
    let ggf = "(;GM[Othello]PC[NBoard]DT[2026]PB[a]PW[b]TI[5:00]TY[8a]RE[?]\
               BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
    let begin = format!("nboard 2\nset depth 4\nset game {ggf}\nmove D6/0.00/1.2\nunheard of\nping 3\n");
    assert_eq!(heard_until(&begin, "pong"), ["set myname Turncoat", "pong 3"]);
    let heard = heard_until("go\n", "===");
    assert_eq!(heard[0], "status thinking");
    assert!(heard.last().unwrap().starts_with("=== C3/"), "{heard:?}");
    let heard = heard_until("move PA\nset game nonsense\nping 5\n", "pong 5");
    let faults: Vec<&String> = heard.iter().filter(|line| line.contains("error")).collect();
    assert_eq!(
        faults,
        [
            "status error: pass: black has a legal move and may not pass",
            "status error: set game: character 1: no game here: one begins with (;"
        ]
    );
    heard_until("set depth 60\nhint 1\nping 6\n", "pong 6");
    to.write_all(b"quit\n").unwrap();
    assert!(engine.wait().unwrap().success());
}
