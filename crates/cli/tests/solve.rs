//! `solve` as a person or a script meets it.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Far too many empties to be solved here, in a form that OBF takes.
const HARD: &str = "---------------------------OX------XO--------------------------- X";
/// The start of 4x4: +4 for every move.
const FOUR: &str = "-----OX--XO----- X";
/// F7 is +10, F8 +6, H6 +4.
const THREE_MOVES: &str = "XXXXXOOOXXOOOOOOXOXOXXOOXXXXOOOOXXOXOOOOXXXOOXO-XOOXO--OOOOOO--- X";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
    command.arg("solve").args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let object = |line| serde_json::from_str(line).unwrap();
    text.lines().map(object).collect()
}

/// A file of its own for each test.
struct File(TempDir);

impl File {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("positions.obf"), text).unwrap();
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("positions.obf")
    }

    fn solve(&self, more: &[&str]) -> Output {
        let path = self.path();
        run(&[&["--file", path.to_str().unwrap()], more].concat())
    }

    /// What a run prints that ends with this status.
    fn printed(&self, more: &[&str], status: i32) -> String {
        let output = self.solve(more);
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn scores_lines_and_results() {
    assert_eq!(printed(&["--size", "4", "-q"]), "+4\n");
    let reversi = ["--size", "4", "--variant", "reversi"];
    let text = printed(&reversi);
    assert!(text.starts_with("score  -10 for black, to move\nbest   "), "{text}");
    assert!(text.contains("\nnodes  "), "{text}");
    let json = |more: &[&str]| -> Value {
        serde_json::from_str(&printed(&[&reversi[..], more, &["--json"]].concat())).unwrap()
    };
    let solved = json(&["start"]);
    for key in ["position", "score", "best", "line", "nodes", "seconds"] {
        assert!(solved.get(key).is_some(), "{key}");
    }
    assert_eq!((&solved["score"], &solved["solved"]), (&(-10).into(), &true.into()));
    let result = json(&["--wld"]);
    assert_eq!(result["result"], "loss");
    assert!(result["score"].is_null());
    let moves = json(&["--all-moves", "--threads", "2", "--hash", "1"]);
    assert_eq!(moves["moves"].as_array().unwrap().len(), 4);
    assert_eq!(moves["moves"][3]["score"], -10);
    // A finished game has a score and no move.
    for more in ["-q", "--all-moves"] {
        let over = printed(&["e6f4e3f6g5d6e7f5c5", more]);
        assert!(over.contains("+64"), "{over}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, expected) in [
        (&[][..], "a position is needed"),
        (&["start", "--hash", "0"], "0 is not in"),
        (&["--size", "4", "--depth", "3"], "--depth has no meaning here"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said(&output).contains(expected), "{}", said(&output));
        assert!(output.stdout.is_empty());
    }
    for text in ["", "% a comment\n\n", "\u{feff}"] {
        let file = File::new(text);
        let output = file.solve(&[]);
        assert_eq!(output.status.code(), Some(1));
        let expected = format!("no positions in {}", file.path().display());
        assert!(said(&output).contains(&expected), "{}", said(&output));
    }
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["--file", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("is a directory"), "{}", said(&output));
    assert_eq!(run(&["--file", "none.obf"]).status.code(), Some(1));
    let output = File::new(&format!("{FOUR}; B1:+99;")).solve(&["--size", "4"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_file_is_checked() {
    let file = File::new(&format!("\u{feff}{FOUR}; B1:+4; A2:+4;\n{FOUR};\n"));
    let right = file.solve(&["--size", "4", "--all-moves", "--json"]);
    assert_eq!(right.status.code(), Some(0), "{}", said(&right));
    let lines = objects(&right);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["expected"], &lines[0]["ok"]), (&4.into(), &true.into()));
    assert!(lines[1].get("ok").is_none());
    assert_eq!(lines[2]["summary"], true);
    for (key, value) in [("positions", 2), ("checked", 1), ("wrong", 0), ("unsolved", 0)] {
        assert_eq!(lines[2][key], value, "{key}");
    }
    assert_eq!(lines[2]["complete"], true);
    // Every move's score is printed for people too.
    let text = file.printed(&["--size", "4", "--all-moves"], 0);
    assert_eq!(text.matches("a2 +4").count(), 2, "{text}");
    let wrong = File::new(&format!("{FOUR}; B1:+2;\n"));
    wrong.printed(&["--size", "4", "--wld"], 0);
    let output = wrong.solve(&["--size", "4"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("1 of 1 positions differ"), "{}", said(&output));
}

#[test]
fn scores_of_some_moves_are_scores_of_these_moves() {
    // The best move need not be among them.
    for (scores, right) in [
        ("F7:+10; F8:+6; H6:+4;", true),
        ("F8:+6; H6:+4;", true),
        ("H6:+4;", true),
        ("F8:+4;", false),
        ("F7:+8;", false),
        ("F8:+12;", false),
        ("F7:+6; F8:+4; H6:+2;", false),
    ] {
        let file = File::new(&format!("{THREE_MOVES}; {scores}\n"));
        for more in [&[][..], &["--all-moves"]] {
            let text = file.printed(more, i32::from(!right));
            assert_eq!(text.contains(": ok\n"), right, "{scores} {more:?}: {text}");
        }
    }
    // The result of a move that is not the best one: all of these win.
    File::new(&format!("{THREE_MOVES}; H6:+2;\n")).printed(&["--wld"], 0);
    File::new(&format!("{THREE_MOVES}; H6:-2;\n")).printed(&["--wld"], 1);
}

#[test]
fn a_difference_names_its_move() {
    let wrong = |scores: &str, more: &[&str]| {
        let file = File::new(&format!("{THREE_MOVES}; {scores}\n"));
        file.printed(more, 1)
    };
    let text = wrong("F7:+10; F8:+8; H6:+4;", &["--all-moves"]);
    assert!(text.contains("WRONG: f8 is +6, +8 expected\n"), "{text}");
    let text = wrong("F7:+8; F8:+8; H6:+4;", &["--all-moves"]);
    assert!(text.contains("WRONG: f7 is +10, +8 expected; f8 is +6, +8 expected\n"), "{text}");
    let text = wrong("F7:+8; F8:+6; H6:+4;", &[]);
    assert!(text.contains("WRONG: f7 is +10, +8 expected\n"), "{text}");
    let text = wrong("F7:+12; F8:+6; H6:+4;", &[]);
    assert!(text.contains("WRONG: the score is +10, +12 expected\n"), "{text}");
    let text = wrong("F8:+8;", &["--json"]);
    let object: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(object["ok"], false);
    assert_eq!(object["differences"], serde_json::json!([{"move": "f8", "score": 6, "expected": 8}]));
}

#[test]
fn a_finished_game_and_a_pass_have_their_scores_checked() {
    let over = "XXXXXXXXXXXXOOOO X";
    // White cannot move, black can.
    let pass = "-OXXXXXXXXXXXXXX O";
    for (variant, score) in [("reversed", -8), ("reversi", 8)] {
        let more = |all: &'static [&str]| [&["--size", "4", "--variant", variant][..], all].concat();
        for all in [&[][..], &["--all-moves"]] {
            let right = File::new(&format!("{over}; PA:{score:+};\n"));
            assert!(right.printed(&more(all), 0).contains(": ok\n"));
            let wrong = File::new(&format!("{over}; PA:{:+};\n", score + 2));
            let text = wrong.printed(&more(all), 1);
            let expected = format!("the score is {score:+}, {:+} expected", score + 2);
            assert!(text.contains(&expected), "{text}");
        }
    }
    let found = printed(&[pass, "--size", "4", "-q"]);
    let line = format!("{pass}; PA:{}", found.trim());
    for all in [&["--size", "4"][..], &["--size", "4", "--all-moves"]] {
        assert!(File::new(&line).printed(all, 0).contains(": ok\n"));
    }
}

#[test]
fn what_is_not_solved_is_not_wrong() {
    let stopped = ["start", "--time", "20ms", "--hash", "1"];
    let output = run(&[&stopped[..], &["-q"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-64 to +64\n");
    let why = "out of time: not solved, -64 to +64 is proven";
    assert!(said(&output).contains(why), "{}", said(&output));
    let output = run(&stopped);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let score = "score  not solved, -64 to +64 is proven for black, to move\nbest   ";
    assert!(text.starts_with(score), "{text}");

    let file = File::new(&format!("{HARD}; F5:+0;\n{HARD};\n{THREE_MOVES}; F7:+10;\n"));
    let quick = ["--time", "20ms", "--hash", "1"];
    for more in [&[][..], &["--wld"], &["--all-moves"]] {
        let arguments = [&quick[..], more].concat();
        let output = file.solve(&arguments);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let unsolved = text.matches(": not solved, -64 to +64 is proven\n").count();
        assert_eq!(unsolved, 2, "{text}");
        assert!(!text.contains("WRONG"), "{text}");
        assert!(text.contains("3 positions, 1 checked, 0 wrong, 2 not solved; "), "{text}");
        let fault = "error: 2 of 3 positions not solved\n";
        assert!(said(&output).ends_with(fault), "{}", said(&output));
        let lines = objects(&file.solve(&[&arguments[..], &["--json"]].concat()));
        assert_eq!(lines[0]["solved"], false);
        assert!(lines[0].get("ok").is_none() && lines[0]["expected"] == 0);
        assert_eq!(lines[2]["ok"], true);
        let totals = ["checked", "wrong", "unsolved"].map(|key| lines[3][key].as_u64());
        assert_eq!(totals, [Some(1), Some(0), Some(2)]);
    }
}

#[test]
fn every_move_of_a_stopped_solve_has_bounds() {
    let output = run(&["start", "--all-moves", "--time", "20ms", "--hash", "1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let object = &objects(&output)[0];
    let moves = object["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for one in moves {
        assert_eq!((&one["lower"], &one["upper"]), (&(-64).into(), &64.into()));
        assert_eq!(one["solved"], false);
    }
    assert_eq!(moves[0]["move"], object["best"]);
    let output = run(&["start", "--all-moves", "--time", "20ms", "--hash", "1"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.matches("-64 to +64  ").count(), 4, "{text}");
}

/// Sends what Ctrl-C sends once the solve says that it is under way; returns its output.
fn interrupted(arguments: &[&str]) -> Output {
    let mut child = command(arguments).arg("-v").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("likely") {
        line.clear();
        assert_ne!(errors.read_line(&mut line).unwrap(), 0);
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(sent.unwrap().success());
    let mut rest = Vec::new();
    errors.read_to_end(&mut rest).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stderr = rest;
    output
}

#[test]
fn an_interrupted_solve_tells_what_is_proven() {
    let output = interrupted(&["start", "--hash", "16"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("score  not solved, -64 to +64 is proven"), "{text}");
    assert!(said(&output).contains("error: interrupted: not solved"), "{}", said(&output));

    let file = File::new(&format!("{THREE_MOVES}; F7:+10;\n{HARD};\n{HARD};\n"));
    let path = file.path();
    let output = interrupted(&["--file", path.to_str().unwrap(), "--hash", "16"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\n2 positions, 1 checked, 0 wrong, 1 not solved; "), "{text}");
    assert!(said(&output).contains("1 of 2 positions not solved; interrupted at position 2 of 3"), "{}", said(&output));
}
