//! `book` as a person or a script meets it.

mod growing;
mod using;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, in which commands run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
        command.arg("book").args(line.split_whitespace()).current_dir(self.0.path()).stdin(Stdio::null());
        // None of those that come with the program.
        command.env("TURNCOAT_BOOKS", "");
        command
    }

    /// Runs a command that succeeds; returns what it prints.
    fn book(&self, line: &str) -> String {
        let output = self.command(line).output().unwrap();
        assert!(output.status.success(), "{line}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that fails with this status; returns what it says.
    fn fails(&self, line: &str, status: i32) -> String {
        let output = self.command(line).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{line}: {}", said(&output));
        said(&output)
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.book(&format!("{line} --json"))).unwrap()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A small book of 4x4.
const SMALL: &str = "grow a.book --size 4 --plies 2 --line-plies 4 --depth 3 -q";

#[test]
fn a_book_is_shown_in_every_orientation() {
    let folder = Folder::new();
    folder.book(SMALL);
    let text = folder.book("show --book a.book");
    assert!(text.starts_with("Reversed Reversi on 4x4: "), "{text}");
    // All four first moves are one by symmetry.
    assert_eq!(text.lines().count(), 6, "{text}");
    let moves = folder.json("show --book a.book");
    let scores: Vec<&Value> = moves["moves"].as_array().unwrap().iter().map(|known| &known["score"]).collect();
    assert!(scores.iter().all(|score| *score == scores[0] && score.is_number()), "{scores:?}");
    let worth = |line: &str| folder.json(&format!("show {line} --book a.book"))["score"].as_f64();
    assert_eq!(worth("b1"), worth("d3"));
    assert_eq!(worth("b1"), scores[0].as_f64().map(|score| -score));
    let line = folder.book("line --book a.book");
    assert!(line.trim().len() >= 6, "{line}");
    assert!(folder.book("show b1a1a2c1d4a3 --book a.book").contains("out of book"));
    assert_eq!(folder.book("line b1a1a2c1d4a3 --book a.book"), "out of book\n");
    let stats = folder.json("stats a.book");
    assert_eq!((&stats["size"], &stats["evaluation"], &stats["stale"]), (&4.into(), &"hand".into(), &0.into()));
    assert_eq!(stats["plies"][0]["complete"], 1);
    assert!(folder.book("stats a.book").contains("plies positions  complete   exact  depth"));
}

#[test]
fn books_are_checked_exported_and_merged() {
    let folder = Folder::new();
    folder.book(SMALL);
    assert!(folder.book("check a.book").ends_with(" 0 that no line leads to: sound\n"));
    let positions = folder.json("check a.book")["positions"].as_u64().unwrap();
    let obf = folder.book("export a.book --to obf");
    assert_eq!(obf.lines().count() as u64, positions);
    assert!(obf.starts_with("-----OX--XO----- X; "), "{obf}");
    let objects = folder.book("export a.book --to json");
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((objects[0]["line"].as_str(), objects[0]["depth"].as_u64()), (Some(""), Some(3)));
    let lines = folder.book("export a.book --to transcript");
    assert!(lines.lines().all(|line| line.len() >= 4 && line.len() <= 10), "{lines}");
    let tree = folder.book("tree --book a.book --plies 2 --margin 64");
    assert!(tree.starts_with("<svg ") && tree.ends_with("</svg>\n") && tree.matches("<circle").count() >= 4, "{tree}");
    assert!(folder.fails("tree b1a1a2c1d4a3 --book a.book", 2).contains("the book has no moves here"));
    let games = folder.book("export a.book --to ggf --plies 2");
    assert!(games.starts_with("(;GM[Othello]"), "{games}");
    folder.book("grow b.book --size 4 --plies 5 --line-plies 5 --depth 2 -q");
    folder.book("merge a.book b.book --out c.book");
    assert!(folder.book("check c.book").contains("sound"));
    assert!(folder.json("check c.book")["positions"].as_u64().unwrap() > positions);
    assert!(folder.fails("merge a.book b.book --out c.book", 2).contains("c.book exists already: --force"));
    folder.book("merge a.book b.book --out c.book --force");
}

#[test]
fn an_empty_book_has_no_lines_and_a_link_must_lead_somewhere() {
    let folder = Folder::new();
    fs::write(folder.path("none.txt"), "").unwrap();
    folder.book("import a.book none.txt");
    assert_eq!(folder.book("export a.book --to json"), "");
    // Whoever grows the file that it leads to later would not see this one's lock.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("later.book", folder.path("link.book")).unwrap();
        assert!(folder.fails("grow link.book --size 4", 1).contains("link.book: is a link that leads nowhere"));
    }
}

#[test]
fn games_are_counted_by_move() {
    let folder = Folder::new();
    // Three games that Black wins in Reversi, one of them turned; a line that is no finished game.
    let wipe_out = "e6f4e3f6g5d6e7f5c5";
    let turned = "f5d6c5f6e7f4g5e6e3";
    fs::write(folder.path("games.txt"), format!("{wipe_out}\n{wipe_out} % again\n{turned}\n\nf5d6\n")).unwrap();
    let said = folder.book("import a.book games.txt --variant reversi --plies 5");
    assert_eq!(
        said,
        "3 games counted, 3 in all; 1 left out, which are not finished or of another game, size or start\n"
    );
    let view = folder.json("show --book a.book");
    assert_eq!((&view["known"], &view["score"]), (&false.into(), &Value::Null));
    let first = &view["moves"][0];
    for (key, count) in [("games", 3), ("wins", 3), ("draws", 0), ("losses", 0)] {
        assert_eq!(first[key], count, "{key}");
    }
    let reply = &folder.json("show e6 --book a.book")["moves"][0];
    assert_eq!((&reply["games"], &reply["losses"]), (&3.into(), &3.into()));
    assert!(folder.book("show e6 --book a.book").contains("0.0%"));
    // Five plies were counted, then 24.
    let after_five = || folder.json("show e6f4e3f6g5 --book a.book")["moves"].as_array().unwrap().len();
    assert_eq!(after_five(), 0);
    folder.book("import a.book games.txt");
    assert_eq!((folder.json("stats a.book")["games"].as_u64(), after_five()), (Some(6), 1));
    fs::write(folder.path("bad.txt"), "f5d6\nf5f5\n").unwrap();
    let fault = folder.fails("import a.book bad.txt", 2);
    assert!(fault.contains("bad.txt, line 2: not a transcript: character 3, move 2"), "{fault}");
}

#[test]
fn what_is_no_book_is_refused_with_its_place() {
    let folder = Folder::new();
    folder.book(SMALL);
    fs::write(folder.path("text.book"), "f5d6").unwrap();
    assert!(folder.fails("show --book text.book", 2).contains("text.book: this is not a book"));
    let mut bytes = folder.read("a.book");
    let last = bytes.len() - 3;
    bytes[last] ^= 4;
    fs::write(folder.path("damaged.book"), &bytes).unwrap();
    for command in ["check damaged.book", "stats damaged.book", "grow damaged.book --size 4"] {
        let fault = folder.fails(command, 2);
        assert!(fault.contains("damaged.book: the book is damaged: its checksum is "), "{fault}");
    }
    bytes.truncate(last);
    fs::write(folder.path("cut.book"), &bytes).unwrap();
    assert!(folder.fails("check cut.book", 2).contains("the book should have "));
    assert!(folder.fails("check none.book", 1).contains("none.book"));
    for (command, expected) in [
        ("show", "no book for reversed on 8x8 comes with this program: name the file of one"),
        ("show --book a.book --size 6", "a.book: the book is for reversed on 4x4, not for reversed on 6x6"),
        ("grow a.book --variant reversi", "a.book: the book is for reversed on 4x4"),
        ("show f5d6 --book a.book", "not a transcript"),
        ("grow a.book --eval gene45", "another evaluation (hand): --rescore searches them again"),
        ("grow a.book --margin -1", "--margin"),
        ("grow a.book --choices 65", "--choices is 0 to 64 discs"),
        ("grow a.book --choices 1 --rival 8", "cannot be used with"),
        ("grow a.book --depth 8 --rival 8", "whose searches are 8 plies deep: not 8"),
        ("grow a.book --time 1s", "--time has no meaning here"),
        ("grow . --size 4", ". is a folder"),
        ("solve a.book --depth 3", "--depth has no meaning here"),
        ("solve b.book", "nobody can solve the first plies of 8x8"),
        ("merge a.book --out c.book", "2 values required"),
    ] {
        let fault = folder.fails(command, 2);
        assert!(fault.contains(expected), "{command}: {fault}");
    }
    assert!(!folder.path("b.book").exists() && !folder.path("c.book").exists());
}
