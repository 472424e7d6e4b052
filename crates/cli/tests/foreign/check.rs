//! `check` tells the verdict first, shows one fault, and stops where the rest is pointless.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Folder, objects, trust};

/// A class whose `go` does this.
fn class(folder: &Folder, go: &str) {
    let text = format!(
        "class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
         self.candidate_list = []\n\n    def go(self, chessboard):\n        {go}\n"
    );
    fs::write(folder.path("mine.py"), text).unwrap();
}

/// What `check` prints about it.
fn checked(folder: &Folder, more: &[&str]) -> String {
    let output = folder.run(&[&["check", "mine.py"], more, trust()].concat());
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

/// The last case and the summary.
fn told(folder: &Folder, more: &[&str]) -> (Value, Value) {
    let output = folder.run(&[&["check", "mine.py", "--json"], more, trust()].concat());
    let mut told = objects(&output);
    let summary = told.pop().unwrap();
    (told.pop().unwrap(), summary)
}

#[test]
fn the_verdict_comes_first_and_one_fault_with_its_board() {
    let folder = Folder::new();
    class(&folder, "self.candidate_list.clear()");
    let text = checked(&folder, &[]);
    assert!(
        text.starts_with("py:mine.py fails the test: 7 of 30 answers are right\n\nCase 1, black to move: "),
        "{text}"
    );
    assert!(text.contains(" 4  ·  ·  +  O  X  ·  ·  ·  4\n"), "{text}");
    assert!(text.contains("22 more cases are wrong; --all shows them."));
    assert!(text.lines().count() <= 20, "{text}");
    let all = checked(&folder, &["--all"]);
    assert_eq!(all.matches("WRONG").count(), 23);
    assert_eq!(checked(&folder, &["-q"]).lines().count(), 1);
}

#[test]
fn out_of_time_and_broken_are_different_and_both_end_the_test() {
    let folder = Folder::new();
    class(&folder, "while True: pass");
    let time = ["--time", "300ms"];
    let (case, summary) = told(&folder, &time);
    assert_eq!((&case["fault"], &case["interrupted"]), (&"timeout".into(), &true.into()));
    assert_eq!((&summary["end"], &summary["cases"]), (&"hopeless".into(), &1.into()));
    assert!(checked(&folder, &time).contains("it ran out of time in case 1"));
    let (_, summary) = told(&folder, &["--time", "100ms", "--all", "--random", "0"]);
    assert_eq!((&summary["end"], &summary["cases"]), (&"complete".into(), &10.into()));

    class(&folder, "1 / 0");
    let (case, summary) = told(&folder, &[]);
    assert_eq!((&case["fault"], &case["interrupted"]), (&"crash".into(), &false.into()));
    assert_eq!((&summary["end"], &summary["cases"]), (&"hopeless".into(), &3.into()));
    let text = checked(&folder, &[]);
    assert!(text.contains("it crashed 3 times in a row (cases 1–3)"), "{text}");
    assert!(text.contains("ZeroDivisionError: division by zero (line 6)"), "{text}");
}

#[test]
fn a_start_is_announced_and_its_interruption_is_no_verdict() {
    let folder = Folder::new();
    let text = "class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
                while True: pass\n";
    fs::write(folder.path("mine.py"), text).unwrap();
    let mut command = folder.command(&[&["check", "mine.py"], trust()].concat());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let mut said = BufReader::new(running.stderr.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "starting py:mine.py, at most 120 s ...");
    let sent = Command::new("kill").arg(running.id().to_string()).status();
    assert!(sent.unwrap().success());
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("py:mine.py: interrupted before there was a verdict, after 0 of at most 30 positions\n"),
        "{text}"
    );
}

#[test]
fn what_a_program_says_cannot_command_the_terminal() {
    let folder = Folder::new();
    class(&folder, r#"raise ValueError("a\x1b]0;title\x07b\u009b2Jc\u202ed\rpasses")"#);
    for words in [
        &["check", "mine.py"][..],
        &["check", "mine.py", "--all"],
        &["check", "mine.py", "--json"],
        &["move", "start", "--player", "py:mine.py"],
        &["play", "--black", "py:mine.py", "--white", "random"],
        &["match", "py:mine.py", "random", "--games", "2"],
        &["match", "py:mine.py", "random", "--games", "2", "--json"],
        &["match", "py:mine.py", "random", "--games", "2", "--verbose"],
    ] {
        let output = folder.run(&[words, trust()].concat());
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(text.contains("title"), "{words:?}: {text}");
        let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(bad), "{words:?}: {text:?}");
    }
}
