//! The binary as a person or a script meets it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn turncoat(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    turncoat(arguments).stdin(Stdio::null()).output().unwrap()
}

/// What a successful command prints.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a misused command says.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child =
        turncoat(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that has seen enough may close its input before we are done.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn perft_counts_and_speaks_json() {
    assert_eq!(printed(&["perft", "6", "-q"]), "8200\n");
    assert_eq!(printed(&["perft", "6", "-q", "--backend", "portable"]), "8200\n");
    assert_eq!(printed(&["perft", "2", "-q", "--from", "d3"]), "14\n");
    let json: serde_json::Value = serde_json::from_str(&printed(&["perft", "5", "--json"])).unwrap();
    assert_eq!((json["depth"].as_u64(), json["leaves"].as_u64()), (Some(5), Some(1396)));
    assert!(json["seconds"].is_f64());
    assert!(refused(&["perft", "3", "--backend", "abacus"]).contains("no backend \"abacus\""));
}

#[test]
fn move_prints_the_move_alone() {
    let chosen = printed(&["move", "start", "--player", "random", "--seed", "3"]);
    assert!(["d3\n", "c4\n", "f5\n", "e6\n"].contains(&chosen.as_str()));
    assert_eq!(chosen, printed(&["move", START, "--player", "random", "--seed", "3"]));
    let json: serde_json::Value = serde_json::from_str(&printed(&["move", "start", "--json"])).unwrap();
    for key in ["move", "score", "depth", "exact", "nodes", "seconds", "line"] {
        assert!(json.get(key).is_some(), "{key}");
    }
    let output = with_input(&["move", "-", "--player", "greedy"], START.as_bytes());
    assert_eq!(output.stdout, b"d3\n");
    // Black cannot move here, White can.
    let pass = format!("{}OX{} X", "-".repeat(8), "-".repeat(54));
    assert_eq!(printed(&["move", &pass]), "pass\n");
}

#[test]
fn convert_goes_both_ways() {
    assert_eq!(printed(&["convert", "f5 D6", "--to", "transcript"]), "f5d6\n");
    assert_eq!(printed(&["convert", "start", "--to", "text"]), format!("{START}\n"));
    let obf = format!("{START}; D3:+2; F5:+0;");
    assert_eq!(printed(&["convert", &obf, "--to", "obf"]), format!("{obf}\n"));
    assert_eq!(printed(&["convert", &obf, "--to", "text"]), format!("{START}\n"));
    assert!(printed(&["convert", "f5d6c3", "--to", "svg", "--legal"]).starts_with("<svg "));
    assert!(refused(&["convert", START, "--to", "transcript"]).contains("the moves that led to it are unknown"));
    let many = with_input(&["convert", "-", "--to", "text"], b"start\nf5\n\nf5d6\n");
    assert_eq!(String::from_utf8(many.stdout).unwrap().lines().count(), 3);
    let bad = with_input(&["convert", "-", "--to", "text"], b"start\nf5f5\n");
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&bad.stderr).contains("standard input, line 2: not a transcript: character 3, move 2")
    );
}

#[test]
fn boards_in_lines_are_written_and_read() {
    let board = printed(&["convert", "f5", "--to", "board"]);
    assert_eq!(board.lines().nth(5).unwrap(), " 5  ·  ·  ·  X  X [X] ·  ·  5");
    assert!(board.ends_with("X black 4   O white 1\n   White to move\n"), "{board}");
    let marked = printed(&["convert", "f5", "--to", "board", "--legal"]);
    assert_eq!(marked.matches('+').count(), 3);
    let text = printed(&["convert", "f5", "--to", "text"]);
    for drawn in [&board, &marked, &board.replace('·', ".")] {
        assert_eq!(printed(&["convert", drawn, "--to", "text"]), text);
    }
    // Whole files of them, and other forms between.
    let mixed = format!("f5\n{marked}\n{text}\n{board}");
    let read = with_input(&["convert", "-", "--to", "text"], mixed.as_bytes());
    assert_eq!(String::from_utf8(read.stdout).unwrap(), text.repeat(4));
    let moved = with_input(&["move", "-", "--player", "greedy"], board.as_bytes());
    assert_eq!(moved.stdout, run(&["move", "f5", "--player", "greedy"]).stdout);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.txt");
    std::fs::write(&path, &board).unwrap();
    let path = path.to_str().unwrap();
    let analyzed = printed(&["analyze", "--file", path, "--depth", "1"]);
    assert_eq!(analyzed, printed(&["analyze", "f5", "--depth", "1"]));
}

#[test]
fn options_may_be_joined_to_their_values() {
    assert_eq!(printed(&["perft", "3", "-q", "--variant=reversed"]), "56\n");
    assert_eq!(printed(&["perft", "3", "-q", "--backend=portable"]), "56\n");
    assert!(refused(&["perft", "3", "--variation=reversed"]).contains("--variation"));
}

#[test]
fn a_hint_is_a_legal_move() {
    let typed = with_input(&["play", "--size", "4"], b"hint\nb1\nhint\nquit\n");
    let text = String::from_utf8(typed.stdout).unwrap();
    let hints: Vec<&str> = text.split("Hint: ").skip(1).map(|hint| &hint[..hint.find('.').unwrap()]).collect();
    assert_eq!(hints.len(), 2, "{text}");
    assert!(["b1", "a2", "d3", "c4"].contains(&&hints[0][..2]), "{text}");
    assert!(text.contains("discs for black."), "{text}");
}

#[test]
fn analyze_says_which_game_and_which_side() {
    let text = printed(&["analyze", "f5", "--depth", "1", "--variant", "reversi"]);
    let first = "Reversi on 8x8 (the most discs win), white to move: scores in discs for white";
    assert_eq!(text.lines().next().unwrap(), first);
    let text = printed(&["analyze", "f5", "--depth", "1", "--game"]);
    assert!(text.starts_with("Reversed Reversi on 8x8 (the fewest discs win): "));
    let quiet = printed(&["analyze", "f5", "--depth", "1", "-q"]);
    assert_eq!(quiet.lines().count(), 3);
}

#[test]
fn passes_have_no_numbers() {
    // Black passes after the eighth move.
    let game = ["c4d4b1a3b4a4d3a2c1d1d2", "--size", "4"];
    let replayed = printed(&[&["play", "--replay"], &game[..]].concat());
    let passed = "Black has no legal move and passes.";
    let place = replayed.find(passed).unwrap();
    assert!(replayed[..place].contains("8. White plays a2."));
    assert!(replayed[place..].contains("9. White plays c1."));
    let analyze = ["analyze", "--game", "--depth", "1"];
    let analyzed = printed(&[&analyze, &game[..]].concat());
    assert!(analyzed.contains("\n  9 white c1 "), "{analyzed}");
    let json = printed(&[&analyze, &["--json"][..], &game].concat());
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&last["ply"], &last["number"]), (&12.into(), &11.into()));
    assert!(refused(&["move", "c4d4b1a3b4a4d3a2c1d1c1", "--size", "4"]).contains("character 21, move 11: c1"));
}

#[test]
fn convert_keeps_files_that_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.svg");
    let path = path.to_str().unwrap();
    printed(&["convert", "start", "--to", "svg", "--out", path]);
    let before = std::fs::read(path).unwrap();
    assert!(refused(&["convert", "f5", "--to", "svg", "--out", path]).contains("--force overwrites it"));
    assert_eq!(std::fs::read(path).unwrap(), before);
    printed(&["convert", "f5", "--to", "svg", "--out", path, "--force"]);
    assert_ne!(std::fs::read(path).unwrap(), before);
    // A bad input leaves the file alone even then.
    refused(&["convert", "f5f5", "--to", "svg", "--out", path, "--force"]);
    assert!(!std::fs::read(path).unwrap().is_empty());
}

#[test]
fn bad_input_is_named_with_its_place() {
    for (arguments, expected) in [
        (vec!["move", "XO"], "not a position: character 3: the board has 2 of its 64 cells"),
        (vec!["move", &START.replace('O', "Q")], "character 28: 'Q' on d4 is not a cell"),
        (vec!["move", &format!("-{START}")], "character 65: the board has more than its 64 cells"),
        (vec!["move", &format!("{} X", "-".repeat(64))], "the board has no discs"),
        (vec!["move", &START.replace(" X", " Q")], "character 66: 'Q' is not a side to move"),
        (vec!["move", "f5f5"], "character 3, move 2: f5 is already occupied by black"),
        (vec!["move", "f5pass"], "character 3, move 2: pass: white has a legal move and may not pass"),
        (vec!["move", ""], "there is no position"),
        (vec!["move", "hello"], "\"hello\" is not a position; one is written as a transcript (f5d6c3), a position"),
        (vec!["move", "....\n.OX.\n.XQ.\n...."], "not a board: line 3: 'Q' is not a cell"),
        (vec!["move", "start", "--player", "nobody"], "no player is called \"nobody\""),
        (vec!["move", "start", "--size", "5"], "no board has 5 squares a side"),
        (vec!["move", "start", "--variant", "chess"], "no variant is called \"chess\""),
        (vec!["move", "start", "--time", "5"], "a unit is missing"),
        (vec!["move", "--playr=random"], "unexpected argument '--playr'"),
        (vec!["perft", "many"], "invalid value 'many'"),
        (vec!["play", "--black", "human:x=1"], "\"human\" has no options"),
        (vec!["move", "start", "--player", ""], "'--player <PLAYER>': the name of the player is missing"),
        (vec!["play", "--white", ":x=1"], "'--white <PLAYER>': the name of the player is missing"),
        (vec!["match", " ", "random"], "the name of the player is missing"),
        (vec!["move", "start", "--player", "Cargo.toml"], "is written with its protocol, as in line:Cargo.toml"),
        (vec!["analyze", "f5", "--game", "--player", "gene45"], "this player cannot analyse; turncoat can"),
    ] {
        let said = refused(&arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_flood_of_garbage_is_refused_early() {
    let flood = vec![b'x'; 8 << 20];
    for arguments in [&["move", "-"][..], &["convert", "-", "--to", "text"], &["play"]] {
        let output = with_input(arguments, &flood);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("longer than 65536 bytes"), "{arguments:?}");
    }
}

#[test]
fn two_programs_play_a_game() {
    for variant in ["reversed", "reversi"] {
        for size in ["8", "6", "4"] {
            let json = printed(&[
                "play",
                "--black",
                "random",
                "--white",
                "greedy",
                "--json",
                "--variant",
                variant,
                "--size",
                size,
            ]);
            let game: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert!(game["margin"].is_i64(), "{json}");
            let moves = game["moves"].as_str().unwrap();
            let again = printed(&["convert", moves, "--to", "transcript", "--size", size]);
            assert_eq!(again.trim(), moves);
        }
    }
}

#[test]
fn a_person_plays_undoes_and_leaves() {
    let typed = b"a1\nzz\nundo\nmoves\nd3\nundo\nredo\nhelp\nquit\n";
    let output = with_input(&["play", "--white", "greedy"], typed);
    assert!(output.status.success());
    let seen = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "Reversed Reversi on 8x8: the fewest discs win.",
        "a1: black would flip no discs there.",
        "\"zz\" is neither a square of the 8x8 board nor a command",
        "There is no move of yours to take back.",
        "d3 c4 f5 e6",
        "White plays c3.",
        "The game is not over.",
        "Moves: d3c3",
    ] {
        assert!(seen.contains(expected), "{expected}: {seen}");
    }
}

#[test]
fn a_game_ends_with_the_input() {
    let output = with_input(&["play"], b"d3\n");
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("Moves: d3c3"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = turncoat(&["play", "--black", "random", "--white", "random"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

#[test]
fn files_are_replaced_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let (games, path) = ("f5d6c3\n".repeat(3000), path.to_str().unwrap());
    std::fs::write(path, &games).unwrap();
    // The file that is read can be the one that is written.
    printed(&["convert", "--file", path, "--to", "text", "--out", path, "--force"]);
    let texts = std::fs::read_to_string(path).unwrap();
    assert_eq!(texts.lines().count(), 3000);
    // A fault late in the input leaves everything as it was.
    std::fs::write(path, games + "f5f5\n").unwrap();
    let before = std::fs::read(path).unwrap();
    let said = refused(&["convert", "--file", path, "--to", "text", "--out", path, "--force"]);
    assert!(said.contains("line 3001"), "{said}");
    assert_eq!(std::fs::read(path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    // The path is named when it cannot be written.
    let output = run(&["convert", "start", "--to", "text", "--out", "/nowhere/x"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: /nowhere/x: No such file or directory (os error 2)\n");
    let output = run(&["convert", "start", "--to", "text", "--out", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/full"));
}

#[test]
fn eval_explains_itself() {
    let weights = concat!("turncoat:eval=", env!("CARGO_MANIFEST_DIR"), "/../../weights/patterns-reversed.weights");
    let classics = ["gene45", "nine-weights", "top-six", "shifting-weights", "linear"];
    for player in classics.into_iter().chain(["turncoat", "turncoat:eval=hand", weights]) {
        let json = printed(&["eval", "f5d6c3d3c4", "--player", player, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let products = json["features"].as_array().unwrap().iter().map(|f| f["product"].as_f64().unwrap());
        assert!((products.sum::<f64>() - json["value"].as_f64().unwrap()).abs() < 1e-6, "{player}");
    }
    let table = printed(&["eval", "start", "--player", "six-stage", "--variant", "reversi"]);
    assert!(table.contains("stability") && table.contains("for black, to move"));
    let own = printed(&["eval", "f5d6c3d3c4"]);
    let count = own.lines().filter(|line| !line.starts_with(' ')).count();
    assert_eq!(count, 1 + 14 + 5 + 1, "a heading, the shapes, the counts, the total:\n{own}");
    assert!(own.contains("h1-a8") && own.lines().last().unwrap().starts_with("total"), "{own}");
    assert_eq!(own, printed(&["eval", "f5d6c3d3c4", "--player", weights]));
    assert!(printed(&["eval", "start", "--size", "6"]).contains("own moves"));
    assert!(refused(&["eval", "start", "--player", "random"]).contains("no static evaluation"));
}

#[test]
fn levels_are_listed_with_their_ratings() {
    let text = printed(&["players", "turncoat"]);
    for variant in ["reversed", "reversi"] {
        let start = format!("    Elo of the levels above random, {variant}: ");
        let elo = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap();
        let elo: Vec<i32> = elo.split(' ').map(|word| word.parse().unwrap()).collect();
        assert!(elo.len() >= 10 && elo.is_sorted(), "{elo:?}");
    }
    assert!(!printed(&["players", "gene45"]).contains("Elo"));
}

#[test]
fn parameters_are_exported_edited_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = printed(&["players", "gene45", "--export"]);
    std::fs::write(&path, text.replace("stable = 202", "stable = 0")).unwrap();
    let player = format!("gene45:weights={}", path.display());
    assert!(printed(&["eval", "start", "--player", &player]).contains("stable"));
    assert_eq!(printed(&["move", "start", "--player", &player, "--depth", "2"]).trim().len(), 2);
    std::fs::write(&path, text.replace("reversed", "reversi")).unwrap();
    assert!(refused(&["move", "start", "--player", &player]).contains("these are parameters for"));
    assert!(printed(&["players", "gene45", "--tables"]).starts_with("<svg "));
    for (player, expected) in [
        ("gene45:depth=abc", "depth=abc"),
        ("gene45:foo=1", "no option is called \"foo\""),
        ("random", "random has no parameters"),
        ("top-six:set=static,weights=x.toml", "set and weights exclude each other"),
    ] {
        assert!(refused(&["players", player, "--export"]).contains(expected), "{player}");
    }
}

#[test]
fn candidates_are_all_moves_and_then_choices() {
    let list = printed(&["move", "start", "--player", "gene45:depth=3", "--candidates"]);
    assert!(list.starts_with("d3 c4 f5 e6 "), "{list}");
    let json = printed(&["move", "start", "--player", "top-six", "--candidates", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["candidates"].as_array().unwrap().len() > 4);
}

#[test]
fn a_game_from_a_position_can_be_told_again() {
    let begun = printed(&["convert", "f5d6c3", "--to", "text"]);
    let begun = begun.trim();
    let json = printed(&["play", begun, "--black", "random", "--white", "random", "--json"]);
    let game: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(game["start"], begun);
    let told = printed(&["play", begun, "--black", "random", "--white", "random", "-q"]);
    assert!(told.contains(&format!("Start: {begun}")));
    // Without a talk, faults of the input are told on standard error.
    let output = with_input(&["play", "--json"], b"a1\nzz\n");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a1: black would flip") && said.contains("zz"), "{said}");
}

#[test]
fn numbers_out_of_range_are_named() {
    assert!(refused(&["move", "start", "--depth", "-1"]).contains("-1"));
    assert!(refused(&["move", "start", "--depth", "0"]).contains("1..=60"));
    assert!(refused(&["move", "start", "--time", "-1s"]).contains("a time must be positive"));
    assert!(refused(&["move", "start", "--seed", "-1"]).contains("invalid"));
    assert!(refused(&["check", "random", "--random", "1000000000000"]).contains("100000"));
    printed(&["move", "start", "--player", "gene45:depth=2", "--time", "10000000000000s"]);
}

#[test]
fn help_shows_an_example_of_every_command() {
    let help = printed(&["help"]);
    for command in ["play", "move", "eval", "perft", "players", "convert"] {
        assert!(help.contains(command));
        assert!(printed(&["help", command]).contains("Example"), "{command}");
        assert_eq!(printed(&["help", command, "--help"]), printed(&["help", command]));
    }
    assert_eq!(printed(&["help", "--help"]), help);
}

#[test]
fn the_version_tells_commit_and_instruction_set() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed(&["-V"]), format!("turncoat {version}\n"));
    let long = printed(&["--version"]);
    let lines: Vec<&str> = long.lines().collect();
    let [first, commit, set] = lines[..] else { panic!("{long}") };
    assert_eq!(first, format!("turncoat {version}"));
    assert!(commit.starts_with("commit           ") && set.starts_with("instruction set  "), "{long}");
}

/// A change of the search or of the weights changes the signature: `SIGNATURE` in `src/commands/self_check.rs`.
#[test]
fn the_program_checks_itself() {
    let said = run(&["self-check", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(report["signature"]["nodes"], report["signature"]["expected"], "SIGNATURE is another now: {report}");
    assert!(said.status.success(), "{report}");
    let digests = report["weights"].as_array().unwrap();
    assert_eq!(digests.len(), 4);
    assert!(digests.iter().all(|file| file["sha256"].as_str().is_some_and(|text| text.len() == 64)));
    assert_eq!(report["sandbox"]["available"].as_bool(), Some(report["sandbox"]["why_not"].is_null()));
}

#[test]
fn shells_complete_every_command_and_each_has_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("self-check") && script.contains("moves-to-go"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man1");
    let write = ["man", "--out", out.to_str().unwrap()];
    printed(&write);
    let page = std::fs::read_to_string(out.join("turncoat-train-genetic.1")).unwrap();
    assert!(page.contains(".TH"), "{page}");
    assert!(out.join("turncoat.1").is_file() && out.join("turncoat-self-check.1").is_file());
    assert!(!std::fs::read_dir(&out).unwrap().any(|page| page.unwrap().file_name().to_string_lossy().contains("help")));
    assert!(refused(&write).contains("turncoat"), "what is there is not overwritten");
    assert!(run(&["man", "--out", out.to_str().unwrap(), "--force"]).status.success());
}
