//! Real engines behind protocols: `GRhino` over GTP, and our own over every protocol, in both of Botzone's modes.

use super::{Folder, trust};

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
    let folder = Folder::new();
    let words = [
        "match",
        "gtp:gtp-rhino",
        "greedy",
        "--variant",
        "reversi",
        "--games",
        "10",
        "--time",
        "10s",
    ];
    let games = whole_games(&folder, &words);
    assert_eq!(games.len(), 10);
    for color in ["black", "white"] {
        assert_eq!(
            games
                .iter()
                .filter(|game| game[color] == "gtp:gtp-rhino")
                .count(),
            5
        );
    }
    // It knows no reversed game, and says so.
    let mut words = vec![
        "match",
        "gtp:gtp-rhino",
        "greedy",
        "--games",
        "2",
        "--json",
        "-q",
    ];
    words.extend(trust());
    let objects = folder.objects(&words);
    assert_eq!(objects[0]["reason"], "protocol-error");
    assert!(
        objects[0]["detail"]
            .as_str()
            .unwrap()
            .starts_with("set_game Reversed Othello")
    );
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
    let plain = whole_games(
        &folder,
        &["match", "turncoat:depth=2", "greedy", "--games", "6"],
    );
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
    whole_games(
        &folder,
        &[
            "match",
            &gtp,
            "greedy",
            "--games",
            "2",
            "--variant",
            "reversi",
        ],
    );
    let nboard = format!("nboard:{us} engine nboard --depth 2");
    whole_games(
        &folder,
        &["match", &nboard, "greedy", "--games", "2", "--size", "6"],
    );
    whole_games(
        &folder,
        &[
            "match",
            "py:course_good.py",
            &gtp,
            "--games",
            "2",
            "--size",
            "6",
        ],
    );
}

#[test]
fn play_and_move_take_foreign_programs() {
    let folder = Folder::new();
    let mut words = vec!["move", "f5d6", "--player", "py:course_good.py"];
    words.extend(trust());
    let output = folder.run(&words);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "c3\n");
    let bot = Folder::line("good_line");
    let mut words = vec![
        "play",
        "--black",
        &bot,
        "--white",
        "py:course_good.py",
        "--json",
    ];
    words.extend(trust());
    let objects = folder.objects(&words);
    assert!(objects[0]["winner"].is_string());
}
