//! Runs that are killed, stopped, resumed and prolonged.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Folder, said, wait_for};

/// Moments that differ from run to run.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Self(now.as_nanos() as u64 | 1)
    }

    fn next(&mut self, below: u64) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Duration::from_micros((self.0 >> 33) % (below * 1000))
    }
}

/// Kills a run again and again; returns what the last, undisturbed part of it prints.
fn killed_and_resumed(folder: &Folder, run: &str, kills: u32) -> String {
    let mut moments = Moments::new();
    let store = folder.path("games.db");
    let with_store = || {
        let resume = if store.exists() { "--resume" } else { "" };
        format!("{run} --store games.db {resume}")
    };
    for _ in 0..kills {
        let mut child = folder.spawn(&with_store());
        sleep(moments.next(120));
        child.kill().unwrap();
        child.wait_with_output().unwrap();
    }
    let printed = folder.printed(&with_store());
    assert_eq!(folder.files(), ["games.db"]);
    printed
}

#[test]
fn a_killed_run_ends_like_one_that_was_not() {
    for run in [
        "match greedy random --games 20000 --json --seed 9",
        "match greedy random --games 20000 --json --seed 9 --sprt elo0=0,elo1=1",
        "tournament greedy random random --games 6000 --json --seed 9",
        "tournament gene45 top-six:depth=3 greedy --games 40 --depth 2 --json --seed 9",
    ] {
        let folder = Folder::new();
        let whole = folder.printed(&format!("{run} --concurrency 1"));
        // The test is decided in the middle of the run.
        assert_eq!(run.contains("--sprt"), whole.contains("\"decision\":\"H1\""));
        for concurrency in [1, 2] {
            let folder = Folder::new();
            let run = format!("{run} --concurrency {concurrency}");
            let resumed = killed_and_resumed(&folder, &run, 8);
            assert!(resumed == whole, "{run}: another result");
            // The store holds exactly these games.
            let shown = folder.printed("tournament --show --store games.db --json");
            assert!(shown == whole, "{run}: another store");
        }
    }
}

/// Sends a signal, perhaps twice.
fn send(signal: &str, process: u32) {
    let id = process.to_string();
    let name = signal.split(' ').next().unwrap();
    let mut kill = Command::new("kill");
    kill.args(["-s", name, &id]);
    if signal.ends_with("twice") {
        kill.arg(&id);
    }
    assert!(kill.status().unwrap().success());
}

#[test]
fn a_run_that_is_stopped_when_its_reader_is_gone_keeps_its_games() {
    let run = "match greedy random --games 20000 --seed 4 --json";
    let whole = Folder::new().printed(run);
    for store in ["--store games.db", ""] {
        let folder = Folder::new();
        let mut child = folder.spawn(&format!("{run} {store}"));
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        printed.read_line(&mut String::new()).unwrap();
        // As Ctrl-C does in a pipeline.
        send("INT", child.id());
        drop(printed);
        let output = child.wait_with_output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let resume = said.lines().last().unwrap();
        assert!(resume.ends_with("--resume"), "{said}");
        let resumed = folder.shell(resume);
        assert!(String::from_utf8(resumed.stdout).unwrap() == whole);
    }
}

#[test]
fn a_reader_that_does_not_read_holds_up_neither_games_nor_storing() {
    let folder = Folder::new();
    let mut child = folder.spawn("match greedy random --games 2000 --json --store games.db");
    // More than a pipe holds, and nobody reads it.
    wait_for(&folder.path("games.db-wal"));
    let stored = || {
        let connection = rusqlite::Connection::open(folder.path("games.db")).ok()?;
        let count = "SELECT count(*) FROM games";
        connection.query_row(count, [], |row| row.get(0)).ok()
    };
    for _ in 0..2000 {
        if stored() == Some(2000) {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    assert_eq!(stored(), Some(2000));
    assert!(child.try_wait().unwrap().is_none(), "it still wants to print");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 2001);
}

#[test]
fn a_pause_between_moves_ends_with_the_run() {
    let folder = Folder::new();
    let mut child = folder.spawn("match greedy random --games 20000 --watch --pace 10m");
    let mut seen = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(" to move") {
        line.clear();
        assert_ne!(seen.read_line(&mut line).unwrap(), 0);
    }
    send("INT", child.id());
    // This would take an hour. What it still says is read before its end is awaited: nobody else would.
    let mut said = String::new();
    seen.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(said.contains("interrupted "), "{said}");
    // The game goes on to its end, unseen.
    assert!(!said.contains("Game 1") && !said.contains(" to move"), "{said}");
}

#[test]
fn what_was_finished_beyond_a_decision_is_not_shown() {
    let folder = Folder::new();
    let run = "match greedy random --games 2000 --json --seed 9";
    folder.printed(&format!("{run} --store games.db"));
    // A test over all these games is decided before their end; a killed run leaves such a store.
    rusqlite::Connection::open(folder.path("games.db"))
        .unwrap()
        .execute_batch(
            r#"UPDATE plan SET value = '{"elo0":0.0,"elo1":20.0,"alpha":0.05,"beta":0.05}' WHERE name = 'sprt'"#,
        )
        .unwrap();
    let test = folder.printed(&format!("{run} --sprt elo0=0,elo1=20"));
    assert!(test.lines().count() < 2001);
    let shown = folder.printed("match --show --store games.db --json");
    assert!(shown == test, "{shown}");
}

#[test]
fn a_stopped_run_prints_the_command_that_resumes_it() {
    let run = "match greedy random --games 10000 --seed 4 --json";
    let whole = Folder::new().printed(run);
    for (signal, store) in [
        ("TERM", "--store games.db"),
        ("INT", "--store games.db"),
        ("INT", ""),
        ("HUP", ""),
        // `timeout` sends it twice.
        ("TERM twice", ""),
    ] {
        let folder = Folder::new();
        let mut child = folder.spawn(&format!("{run} {store}"));
        // Once a game is printed the run is under way, and it cannot end before somebody reads the rest.
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        printed.read_line(&mut text).unwrap();
        send(signal, child.id());
        printed.read_to_string(&mut text).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("interrupted after"), "{said}");
        assert!(text.ends_with("\"complete\":false}\n"));
        let resume = said.lines().last().unwrap().trim();
        assert!(resume.ends_with("--resume"), "{resume}");
        let resumed = folder.shell(resume);
        assert!(resumed.status.success(), "{resumed:?}");
        assert!(String::from_utf8(resumed.stdout).unwrap() == whole);
        let kept = if store.is_empty() { "turncoat-1.db" } else { "games.db" };
        assert_eq!(folder.files(), [kept]);
    }
}

#[test]
fn a_finished_run_can_be_shown_resumed_and_prolonged() {
    let folder = Folder::new();
    let run = |games| format!("match greedy random --games {games} --json");
    let whole = folder.printed(&format!("{} --store games.db", run(20)));
    assert_eq!(folder.printed(&format!("{} --store games.db --resume", run(20))), whole);
    assert_eq!(folder.printed("match --show --store games.db --json"), whole);
    let text = folder.printed("tournament --show --store games.db --html t.html");
    assert!(text.starts_with("greedy – random"), "{text}");
    assert!(folder.path("t.html").exists());
    // Without a number there are as many as before, more or fewer than usual.
    let again = "match greedy random --json --store games.db --resume";
    assert_eq!(folder.printed(again), whole);
    let longer = folder.printed(&format!("{} --store games.db --resume", run(50)));
    assert_eq!(longer, folder.printed(&run(50)));
    assert_eq!(folder.printed(again), longer);
}
