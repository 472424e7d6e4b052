//! Books in use: by the player, by `solve` and `analyze`, and as openings of matches.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::{Folder, said};

impl Folder {
    /// Runs any command; this folder is that of the books.
    fn turncoat(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
        command.args(line.split_whitespace()).current_dir(self.path("")).stdin(Stdio::null());
        command.env("TURNCOAT_BOOKS", self.path("")).output().unwrap()
    }

    fn printed(&self, line: &str) -> String {
        let output = self.turncoat(line);
        assert!(output.status.success(), "{line}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The first object that a command prints.
    fn object(&self, line: &str) -> Value {
        serde_json::from_str(self.printed(&format!("{line} --json")).lines().next().unwrap()).unwrap()
    }
}

/// A folder with an exact book of 4x4.
fn exact() -> Folder {
    let folder = Folder::new();
    folder.book("solve reversed-4x4.book --size 4 --plies 4 --hash 1 -q");
    folder
}

#[test]
fn what_a_book_has_proven_is_not_proven_again() {
    let folder = exact();
    let text = folder.printed("solve --size 4");
    assert!(text.starts_with("score  +4 for black, to move\nbest   "), "{text}");
    assert!(text.contains("--no-book proves it again"), "{text}");
    assert!(folder.printed("solve --size 4 --no-book").contains("\nnodes  "));
    assert_eq!(folder.printed("solve --size 4 --wld -q"), "win\n");
    let solved = folder.object("solve --size 4 --all-moves");
    assert_eq!((solved["score"].as_i64(), solved["nodes"].as_u64()), (Some(4), Some(0)));
    assert_eq!(solved["moves"].as_array().unwrap().len(), 4);
    // Beyond the book it is solved as ever, and the other game has none.
    assert_ne!(folder.object("solve b1a1a2c1d4 --size 4")["nodes"], 0);
    assert_ne!(folder.object("solve --size 4 --variant reversi")["nodes"], 0);
    let best = folder.object("analyze start --size 4");
    assert_eq!(
        (best["exact"].as_bool(), best["nodes"].as_u64(), best["depth"].as_u64()),
        (Some(true), Some(0), Some(12))
    );
}

#[test]
fn where_the_book_ends_a_solve_still_names_the_move() {
    let folder = exact();
    let last = folder.printed("book line --size 4");
    let last = last.trim();
    let solved = folder.object(&format!("solve {last} --size 4"));
    assert_ne!(solved["best"], Value::Null, "{last}: {solved}");
    assert_ne!(solved["line"], "", "{last}: {solved}");
}

#[test]
fn a_damaged_book_of_the_program_is_named_without_its_folder() {
    let folder = exact();
    let mut file = folder.read("reversed-4x4.book");
    *file.last_mut().unwrap() ^= 1;
    fs::write(folder.path("reversed-4x4.book"), file).unwrap();
    let refused = folder.turncoat("move start --size 4 --player turncoat:depth=3");
    let text = said(&refused);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("the program's reversed-4x4.book: the book is damaged"), "{text}");
    assert!(text.contains("book=off plays without it") && !text.contains(folder.path("").to_str().unwrap()), "{text}");
    folder.printed("move start --size 4 --player turncoat:depth=3,book=off");
}

#[test]
fn moves_of_a_book_are_drawn_within_the_variety() {
    let folder = Folder::new();
    folder.book("grow a.book --plies 3 --line-plies 3 --depth 4 --threads 1 -q");
    // After the first move three are possible, and one of them is best.
    let drawn = |variety: &str| {
        let chosen = |seed| {
            folder.object(&format!("move f5 --player turncoat:book=a.book,{variety} --seed {seed}"))["move"].to_string()
        };
        (0..12).map(chosen).collect::<BTreeSet<_>>().len()
    };
    assert_eq!((drawn("variety=0"), drawn("variety=64")), (1, 3));
    let refused = folder.turncoat("move start --player turncoat:variety=-0.5");
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("variety is 0 to 64 discs"), "{}", said(&refused));
}

#[test]
fn players_that_people_meet_use_a_book_and_others_only_when_asked() {
    let folder = exact();
    let nodes = |player: &str| {
        folder.object(&format!("move start --size 4 --player turncoat{player}"))["nodes"].as_u64().unwrap()
    };
    for with in ["", ":level=15", ":level=20", ":level=12,book=on", ":depth=2,book=exact", ":book=reversed-4x4.book"] {
        assert_eq!(nodes(with), 0, "{with}");
    }
    for without in [":level=14", ":level=15,book=off", ":book=off", ":level=3,book=on"] {
        assert!(nodes(without) > 0, "{without}");
    }
    // Of the four first moves, which are equal, the seed draws one.
    let line = "move start --size 4 --player turncoat:level=15 --seed";
    let chosen = |seed: u32| folder.object(&format!("{line} {seed}"))["move"].clone();
    assert_eq!(chosen(1), chosen(1));
    assert!((2..12).any(|seed| chosen(seed) != chosen(1)));
    for (player, expected) in [
        ("book=none.book", "book: none.book: "),
        ("book=reversed-4x4.book", "reversed-4x4.book: the book is for reversed on 4x4, not for reversed on 8x8"),
    ] {
        let output = folder.turncoat(&format!("move start --player turncoat:{player}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(expected), "{}", said(&output));
    }
    fs::write(folder.path("reversed.book"), "nothing").unwrap();
    // A game that is over after one more move.
    fs::write(folder.path("e6f4e3f6g5d6e7f5.txt"), "e6f4e3f6g5d6e7f5\n").unwrap();
    let output = folder.turncoat("move start --player turncoat:level=15");
    assert!(said(&output).contains("reversed.book: this is not a book"), "{}", said(&output));
    // Matches do not even look for one.
    folder.printed("match turncoat:level=15 random --games 2 --size 8 --openings e6f4e3f6g5d6e7f5.txt");
}

#[test]
fn openings_are_drawn_from_a_book_within_a_scale() {
    let folder = Folder::new();
    folder.book("grow reversed.book --plies 3 --line-plies 3 --depth 2 -q");
    let first = folder.object("match greedy random --openings balanced:64 --games 4");
    assert!(first["moves"].as_str().unwrap().len() > 6, "{first}");
    for (openings, status, expected) in [
        ("balanced:0 --size 6", 2, "no opening book of the 6x6 board was found"),
        ("balanced:0.001", 2, "the book has no opening within 0 discs"),
        ("balanced:x", 2, "balanced:x: the scale is 0 to 64 discs"),
    ] {
        let output = folder.turncoat(&format!("match greedy random --games 2 --openings {openings}"));
        assert_eq!(output.status.code(), Some(status), "{openings}: {}", said(&output));
        assert!(said(&output).contains(expected), "{}", said(&output));
    }
}
