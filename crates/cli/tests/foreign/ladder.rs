//! A folder of programs as a ladder: tested, ranked, continued after a kill.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use super::{Folder, bots, trust};

/// A class of three programs, two of which cannot play.
fn class(folder: &Folder) -> PathBuf {
    let class = folder.path("class");
    let put = |name: &str, bot: &str| {
        fs::create_dir_all(class.join(name)).unwrap();
        for file in [bot, "reversi.py"] {
            let place = if file == bot { "ai.py" } else { file };
            fs::copy(bots().join(file), class.join(name).join(place)).unwrap();
        }
    };
    put("li 李 'a', \"b\"", "course_good.py");
    put("wrong", "course_wrong.py");
    put("empty", "course_empty.py");
    class
}

fn words(extra: &[&'static str]) -> Vec<&'static str> {
    let mut words = vec!["ladder", "class", "--yardstick", "random", "--time", "2s", "--concurrency", "2", "--no-page"];
    words.extend(extra);
    words.extend(trust());
    words
}

#[test]
fn programs_are_tested_and_those_that_pass_play() {
    let folder = Folder::new();
    let class = class(&folder);
    fs::write(class.join("notes.txt"), "").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", class.join("passwd.py")).unwrap();
    let events = folder.objects(&words(&["--games", "2", "--json"]));
    let told = |event: &str| events.iter().filter(|object| object["event"] == event).collect::<Vec<_>>();
    let passed: Vec<bool> = told("tested").iter().map(|tested| tested["passed"].as_bool().unwrap()).collect();
    assert_eq!((passed.len(), passed.iter().filter(|&&passed| passed).count()), (3, 1));
    assert_eq!(told("refused").len(), 2);
    assert_eq!(told("game").len(), 2);
    let table = events.last().unwrap()["table"].as_array().unwrap();
    let row = |title: &str| table.iter().find(|row| row["title"] == title).unwrap();
    let li = row("li 李 'a', \"b\"");
    assert_eq!(json!([li["state"], li["games"], li["version"]]), json!(["playing", 2, 1]));
    assert!(row("wrong")["words"].as_str().unwrap().starts_with("version 1 fails the test"));
    assert_eq!(row("passwd")["state"], "refused");

    // The second time nothing is tested or played again.
    let events = folder.objects(&words(&["--games", "2", "--json"]));
    assert_eq!(events.iter().filter(|object| object["event"] == "tested" || object["event"] == "game").count(), 0);

    // A changed program is a new version with a history.
    let program = class.join("wrong/ai.py");
    fs::copy(bots().join("course_good.py"), &program).unwrap();
    let events = folder.objects(&words(&["--games", "2", "--json"]));
    let tested: Vec<&Value> = events.iter().filter(|object| object["event"] == "tested").collect();
    assert_eq!(json!([tested.len(), tested[0]["version"], tested[0]["passed"]]), json!([1, 2, true]));
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

/// Waits until the store has so many games.
fn wait_for_games(child: &mut Child, store: &Path, games: i64) {
    loop {
        assert!(child.try_wait().unwrap().is_none(), "the ladder has ended");
        let open = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let count = open
            .and_then(|connection| connection.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0)));
        if count.is_ok_and(|count| count >= games) {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_kill_loses_and_doubles_nothing() {
    let folder = Folder::new();
    class(&folder);
    let store = folder.path("class/.turncoat/ladder.db");
    for kill in 1..=3 {
        let mut command = folder.command(&words(&["-q"]));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for_games(&mut child, &store, 2 * kill - 1);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let events = folder.objects(&words(&["--games", "8", "--json"]));
    let connection = Connection::open(&store).unwrap();
    let number = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
    let games = number("SELECT count(*) FROM games");
    assert_eq!(games, 2 * number("SELECT count(*) FROM pairs"), "every pair is whole");
    assert_eq!(games, number("SELECT max(number) + 1 FROM games"));
    let swapped = "SELECT count(*) FROM games a JOIN games b ON a.number % 2 = 0 AND b.number = a.number + 1
                   AND a.black = b.white AND a.white = b.black";
    assert_eq!(2 * number(swapped), games);
    assert_eq!(events.last().unwrap()["games"], games);
}

#[test]
fn a_store_that_cannot_be_written_now_ends_no_ladder() {
    let folder = Folder::new();
    let class = folder.path("class");
    fs::create_dir(&class).unwrap();
    let mut child = folder.command(&words(&["--json"])).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // It is at work when it shows that nothing is going on.
    while !class.join(".turncoat/ladder.db-live").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the ladder has ended");
        thread::sleep(Duration::from_millis(20));
    }
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |event: &str| {
        let is_it = |line: &String| serde_json::from_str::<Value>(line).unwrap()["event"] == event;
        lines.find(|line| line.as_ref().is_ok_and(is_it)).expect("the ladder has ended").unwrap()
    };
    let other = Connection::open(class.join(".turncoat/ladder.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    fs::write(class.join("notes.txt"), "").unwrap();
    assert!(until("trouble").contains("ladder.db"));
    other.execute_batch("ROLLBACK").unwrap();
    assert!(until("refused").contains("notes.txt"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_cannot_be_a_ladder_is_named() {
    let folder = Folder::new();
    let fault = |words: &[&str]| {
        let output = folder.run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(fault(&["ladder", "nowhere"]).contains("nowhere"));
    assert!(fault(&["ladder", "course_good.py"]).contains("course_good.py"));
    fs::create_dir(folder.path("class")).unwrap();
    assert!(fault(&["ladder", "class", "--watch"]).contains("--watch has no meaning"));
    assert!(
        fault(&["ladder", "class", "--yardstick", "nobody", "--trust", "--no-page"]).contains("no player is called")
    );
    assert!(fault(&["ladder", "class", "--store", "class", "--trust", "--no-page"]).contains("this is a folder"));
    assert!(fault(&["ladder", "class", "--store", "a,b.db", "--trust", "--no-page"]).contains("commas and quotes"));
}
