//! Real engines behind protocols: `GRhino` over GTP, and our own over every protocol, in both of Botzone's modes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Folder, said, trust};

fn whole_games(folder: &Folder, words: &[&str]) -> Vec<serde_json::Value> {
    let mut all = words.to_vec();
    all.extend(["--json", "-q"]);
    all.extend(trust());
    let mut objects = folder.objects(&all);
    let summary = objects.pop().unwrap();
    assert_eq!(summary["complete"], true);
    for game in &objects {
        assert_eq!(game["reason"], "finished", "{game}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new());
    objects
}

#[test]
fn grhino_plays_whole_games_of_reversi_in_both_colours() {
    if super::is_left_out("grhino") {
        return;
    }
    let installed = ["/usr/games/gtp-rhino", "/usr/bin/gtp-rhino"];
    assert!(
        installed.iter().any(|path| Path::new(path).exists()),
        "no GRhino: `cargo xtask setup` installs it, TURNCOAT_SKIP=grhino leaves this test out"
    );
    let folder = Folder::new();
    let words = ["match", "gtp:gtp-rhino", "greedy", "--variant", "reversi", "--games", "10", "--time", "10s"];
    let games = whole_games(&folder, &words);
    assert_eq!(games.len(), 10);
    for color in ["black", "white"] {
        assert_eq!(games.iter().filter(|game| game[color] == "gtp:gtp-rhino").count(), 5);
    }
    // It knows no reversed game, and says so.
    let mut words = vec!["match", "gtp:gtp-rhino", "greedy", "--games", "2", "--json", "-q"];
    words.extend(trust());
    let objects = folder.objects(&words);
    assert_eq!(objects[0]["reason"], "protocol-error");
    assert!(objects[0]["detail"].as_str().unwrap().starts_with("set_game Reversed Othello"));
}

#[test]
fn our_engine_plays_itself_over_every_protocol() {
    let folder = Folder::new();
    let us = env!("CARGO_BIN_EXE_turncoat");
    let protocols = [
        format!("line:{us} engine line --depth 2"),
        format!("gtp:{us} engine gtp --depth 2"),
        format!("nboard:{us} engine nboard --depth 2"),
        format!("botzone:{us} engine botzone --depth 2"),
        format!("botzone:{us} engine botzone --depth 2 --once"),
    ];
    let plain = whole_games(&folder, &["match", "turncoat:depth=2", "greedy", "--games", "6"]);
    for protocol in &protocols {
        let games = whole_games(&folder, &["match", protocol, "greedy", "--games", "6"]);
        for (foreign, own) in games.iter().zip(&plain) {
            assert_eq!(foreign["moves"], own["moves"], "{protocol}");
        }
    }
}

#[test]
fn engines_play_reversi_and_small_boards_too() {
    let folder = Folder::new();
    let us = env!("CARGO_BIN_EXE_turncoat");
    let gtp = format!("gtp:{us} engine gtp --depth 2");
    whole_games(&folder, &["match", &gtp, "greedy", "--games", "2", "--variant", "reversi"]);
    let nboard = format!("nboard:{us} engine nboard --depth 2");
    whole_games(&folder, &["match", &nboard, "greedy", "--games", "2", "--size", "6"]);
    whole_games(&folder, &["match", "py:course_good.py", &gtp, "--games", "2", "--size", "6"]);
}

#[test]
fn play_and_move_take_foreign_programs() {
    let folder = Folder::new();
    let mut words = vec!["move", "f5d6", "--player", "py:course_good.py"];
    words.extend(trust());
    let output = folder.run(&words);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "c3\n");
    let bot = Folder::line("good_line");
    let mut words = vec!["play", "--black", &bot, "--white", "py:course_good.py", "--json"];
    words.extend(trust());
    let objects = folder.objects(&words);
    assert!(objects[0]["winner"].is_string());
}

#[test]
fn faults_in_play_are_told_with_their_player_and_what_only_moves_is_not_analysed_with() {
    let folder = Folder::new();
    let mut words = vec!["play", "--black", "greedy", "--white", "line:/bin/false"];
    words.extend(["--json"]);
    words.extend(trust());
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(1));
    let text = said(&output);
    assert!(text.contains("white, line:/bin/false: the program crashed"), "{text}");
    for command in ["analyze", "eval"] {
        let output = folder.run(&[command, "f5d6", "--player", "py:course_good.py"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("cannot use foreign programs"), "{}", said(&output));
    }
}

#[test]
fn a_python_that_a_script_chooses_is_found_in_the_sandbox() {
    let folder = Folder::new();
    // As pyenv does it: what is on the path looks for the real one elsewhere.
    let (shims, hidden) = (folder.path("shims"), folder.path("hidden/bin"));
    for made in [&shims, &hidden] {
        fs::create_dir_all(made).unwrap();
    }
    let runs = |file: &Path, what: &Path| {
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", what.display());
        fs::write(file, script).unwrap();
        fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
    };
    runs(&hidden.join("chooser"), &super::python());
    runs(&shims.join("python3"), &hidden.join("chooser"));
    runs(&shims.join("lost"), &folder.path("nowhere"));
    let path = format!("{}:/usr/bin:/bin", shims.display());
    let run = |bot: &str| {
        let mut words = vec!["match", bot, "greedy", "--games", "2", "--json", "-q"];
        words.extend(trust());
        let mut command = folder.command(&words);
        command.env("PATH", &path).env_remove("TURNCOAT_PYTHON");
        super::objects(&command.output().unwrap())
    };
    for game in &run("line:python3 good_line.py")[..2] {
        assert_eq!(game["reason"], "finished", "{game}");
    }
    if super::has_sandbox() {
        let detail = run("line:lost")[0]["detail"].to_string();
        assert!(detail.contains("the sandbox does not show"), "{detail}");
    }
}

/// An engine of NBoard and of GTP in a folder of its own, from which it reads its depth table; started elsewhere.
const ENGINE: &str = r#"
import sys
print("loading the tables", file=sys.stderr, flush=True)
best = open("table.txt").read().split()
depth = None
for line in sys.stdin:
    words = line.split()
    if words[:2] in (["set", "depth"], ["level", "7"]):
        depth = words[-1]
        print("depth", depth, file=sys.stderr, flush=True)
    if words[0] == "ping":
        print("pong", words[1], flush=True)
    elif words[0] == "go":
        print("status searching" if depth is None else "=== " + best[0], flush=True)
    elif words[0] in ("list_commands", "set_game", "boardsize", "clear_board", "level", "play", "genmove"):
        print({"list_commands": "= set_game\nlevel", "genmove": "= " + best[0]}.get(words[0], "="), "\n", flush=True)
"#;

/// The log of the engine's only move, and the end of its game.
fn engine_says(folder: &Folder, bot: &str, more: &[&str]) -> (String, String) {
    let mut words = vec!["match", bot, "random", "--games", "2", "--json", "--logs", "logs", "--time", "2s"];
    words.extend(more);
    words.extend(trust());
    let output = folder.run(&words);
    let game = super::objects(&output).swap_remove(0);
    let logs = fs::read_dir(folder.path("logs")).unwrap().flatten().map(|log| fs::read_to_string(log.path()).unwrap());
    let log: Vec<String> = logs.collect();
    fs::remove_dir_all(folder.path("logs")).unwrap();
    (log.concat() + &said(&output), game["detail"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn an_engine_runs_in_its_own_folder_with_its_own_depth_and_its_last_words_are_told() {
    let folder = Folder::new();
    fs::create_dir(folder.path("engine")).unwrap();
    fs::write(folder.path("engine/engine.py"), ENGINE).unwrap();
    let python = super::python();
    let bot = |protocol: &str, options: &str| {
        format!("{protocol}:{} engine/engine.py,folder=engine{options}", python.display())
    };
    let (_, detail) = engine_says(&folder, &bot("nboard", ""), &[]);
    assert!(detail.contains("No such file or directory: 'table.txt'"), "{detail}");
    fs::write(folder.path("engine/table.txt"), "a1\n").unwrap();
    // Without a depth it never answers.
    let (said, detail) = engine_says(&folder, &bot("nboard", ""), &[]);
    // What it prints and what it says on standard error come by two pipes, in any order.
    let (_, last) = detail.split_once("its last lines: ").expect(&detail);
    let mut last: Vec<&str> = last.split(" | ").collect();
    last.sort_unstable();
    assert_eq!(last, ["loading the tables", "status searching"]);
    assert!(said.contains("note: nboard has no word for the variant: "), "{said}");
    let (said, detail) = engine_says(&folder, &bot("nboard", ",depth=17"), &["--depth", "3"]);
    assert!(said.contains("depth 17\n") && detail == "a1", "{said}: {detail}");
    let (said, detail) = engine_says(&folder, &bot("gtp", ",level=7"), &["--variant", "reversi"]);
    assert!(said.contains("depth 7\n") && detail == "a1", "{said}: {detail}");
    assert!(!said.contains("no word for the variant"), "{said}");
}
