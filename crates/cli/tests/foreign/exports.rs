//! Our player as a Python file: it passes the usability test, judges as the player that its weights are from, and
//! keeps the limits.

use std::collections::BTreeMap;
use std::process::Command;

use super::{Folder, python, said, trust};

fn exported(folder: &Folder, words: &[&str]) {
    let output = folder.run(&[&["export"], words].concat());
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn the_course_file_passes_its_check_and_beats_the_simple_ones() {
    let folder = Folder::new();
    exported(&folder, &["course", "--out", "ai.py"]);
    let output = folder.run(&["export", "course", "--out", "ai.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("--force overwrites it"));

    let mut words = vec!["check", "ai.py", "--random", "4", "--time", "500ms", "--json"];
    words.extend(trust());
    let checked = folder.objects(&words);
    let summary = checked.last().unwrap();
    assert_eq!(summary["ok"], true, "{summary}");
    assert!(summary["memory_megabytes"].as_f64().unwrap() < 100.0);

    let mut words = vec!["tournament", "--gauntlet", "py:ai.py", "greedy", "random"];
    words.extend(["--profile", "course", "--time", "300ms", "--json", "-q"]);
    words.extend(trust());
    for game in &folder.games_in_time(&words) {
        assert_eq!(game["reason"], "finished", "{game}");
        let own = if game["black"] == "py:ai.py" { "black" } else { "white" };
        assert_eq!(game["winner"], own, "{game}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

#[test]
fn the_file_judges_as_the_player_whose_weights_it_has() {
    let folder = Folder::new();
    for variant in ["reversed", "reversi"] {
        exported(&folder, &["course", "--variant", variant, "--out", "ai.py", "--force"]);
        let games = [
            "f5d6c3",
            "e6f4g3d6e3f6c7d7g7",
            "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1c3d1f7b2b3a2g5c2a3b5d6d2c1b1a4d7f2h6",
            "d3e3f2e2f1e1f6c3c4b4c5g3f3f4h4h3g2g7e6f7e7f5b5d6f8g5d7c7a3d2c2h1h6b2d1a6b6",
        ];
        for game in games {
            let judged = judged_by_the_file(&folder, game);
            let words = ["analyze", game, "--variant", variant];
            let moves = folder.objects(&[&words[..], &["--depth", "1", "--json"]].concat());
            assert_eq!(moves.len(), judged.len(), "{game}");
            let differences: Vec<f64> = moves
                .iter()
                .map(|one| one["score"].as_f64().unwrap() - judged[one["move"].as_str().unwrap()])
                .collect();
            // Its weights are rounded; what all moves have in common changes no choice.
            let common = differences.iter().sum::<f64>() / differences.len() as f64;
            assert!(common.abs() < 2.0, "{game}: {differences:?}");
            for difference in &differences {
                assert!((difference - common).abs() < 1.5, "{game}: {differences:?}");
            }
        }
    }
}

/// What the exported file thinks of every move, a ply ahead.
fn judged_by_the_file(folder: &Folder, game: &str) -> BTreeMap<String, f64> {
    let position = folder.run(&["convert", game, "--to", "text"]).stdout;
    let position = String::from_utf8(position).unwrap();
    let (cells, side) = position.trim().split_once(' ').unwrap();
    let script = format!(
        "import ai\ncells, side = {cells:?}, {side:?}\n\
         own = sum(1 << i for i, c in enumerate(cells) if c == side)\n\
         other = sum(1 << i for i, c in enumerate(cells) if c not in (side, '-'))\n\
         for square in ai.squares_of(ai.legal(own, other)):\n\
         \x20   after = ai.after_move(own, other, square)\n\
         \x20   row, column = ai.place(square)\n\
         \x20   value = ai.leaves(*map(ai.numbers64, ([after[0]], [after[1]])), 64 - ai.count(after[0] | after[1]))\n\
         \x20   print('abcdefgh'[column] + str(row + 1), -int(value[0]) / ai.UNITS)"
    );
    let output = Command::new(python()).args(["-B", "-c", &script]).current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
}

#[test]
fn the_file_plays_the_end_perfectly() {
    let folder = Folder::new();
    exported(&folder, &["course", "--out", "ai.py"]);
    let game = "d3e3f2e2f1e1f6c3c4b4c5g3f3f4h4h3g2g7e6f7e7f5b5d6f8g5d7c7a3d2c2h1h6b2d1a6b6a4c1a5g1b3b8e8h2";
    let best = folder.objects(&["solve", game, "--json"]);
    let position = folder.run(&["convert", game, "--to", "text"]).stdout;
    let position = String::from_utf8(position).unwrap();
    let (cells, side) = position.trim().split_once(' ').unwrap();
    let script = format!(
        "import time, ai\ncells, side = {cells:?}, {side:?}\n\
         own = sum(1 << i for i, c in enumerate(cells) if c == side)\n\
         other = sum(1 << i for i, c in enumerate(cells) if c not in (side, '-'))\n\
         print(ai.Endgame(time.time() + 300).score(own, other, -65, 65))"
    );
    let output = Command::new(python()).args(["-B", "-c", &script]).current_dir(folder.path("")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.trim().parse().ok(), best[0]["score"].as_i64(), "{}", said(&output));
}

#[test]
fn the_file_is_as_small_as_it_is_told_or_refused() {
    let folder = Folder::new();
    exported(&folder, &["botzone", "--kilobytes", "200", "--out", "bot.py"]);
    let size = std::fs::metadata(folder.path("bot.py")).unwrap().len();
    assert!((100_000..=200_000).contains(&size), "{size}");
    let output = folder.run(&["export", "botzone", "--kilobytes", "20", "--out", "no.py"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("does not fit 20000 bytes"));
    assert!(!folder.path("no.py").exists());
    let output = folder.run(&["export", "course", "--time", "1s", "--out", "no.py"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn the_files_for_botzone_play_whole_games_of_both_kinds() {
    let folder = Folder::new();
    for variant in ["reversed", "reversi"] {
        exported(&folder, &["botzone", "--variant", variant, "--out", "bot.py", "--force"]);
        let bot = format!("botzone:{} bot.py", python().display());
        let mut words = vec!["match", &bot, "random", "--games", "2", "--openings", "random:40"];
        words.extend(["--variant", variant, "--profile", "botzone", "--json", "-q"]);
        // The file keeps to a second by itself; how busy the machine is must not decide a test.
        words.extend(["--time", "3s"]);
        words.extend(trust());
        let mut games = folder.objects(&words);
        games.pop();
        for game in &games {
            assert_eq!(game["reason"], "finished", "{game}");
        }
    }
}
