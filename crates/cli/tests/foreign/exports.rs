//! Our player as a Python file: it passes the usability test, judges as the player that its weights are from, and
//! keeps the limits.

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

    let mut words = vec![
        "check", "ai.py", "--random", "4", "--time", "500ms", "--json",
    ];
    words.extend(trust());
    let checked = folder.objects(&words);
    let summary = checked.last().unwrap();
    assert_eq!(summary["ok"], true, "{summary}");
    assert!(summary["memory_megabytes"].as_f64().unwrap() < 100.0);

    let mut words = vec!["tournament", "--gauntlet", "py:ai.py", "greedy", "random"];
    words.extend(["--profile", "course", "--time", "300ms", "--json", "-q"]);
    words.extend(trust());
    let mut games = folder.objects(&words);
    let summary = games.pop().unwrap();
    assert_eq!(summary["complete"], true);
    for game in &games {
        assert_eq!(game["reason"], "finished", "{game}");
        let own = if game["black"] == "py:ai.py" {
            "black"
        } else {
            "white"
        };
        assert_eq!(game["winner"], own, "{game}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

#[test]
fn the_file_judges_as_the_player_whose_weights_it_has() {
    let folder = Folder::new();
    exported(&folder, &["course", "--out", "ai.py"]);
    let games = [
        "f5d6c3",
        "e6f4g3d6e3f6c7d7g7",
        // With corners, whose discs are stable.
        "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1c3d1f7b2b3a2g5c2a3b5d6d2c1b1a4d7f2h6h8f8a1h1d8",
        "d3e3f2e2f1e1f6c3c4b4c5g3f3f4h4h3g2g7e6f7e7f5b5d6f8g5d7c7a3d2c2h1h6b2d1a6b6a4c1a5g1b3b8e8h2",
    ];
    for game in games {
        let value = &folder.objects(&["eval", game, "--player", "gene45", "--json"])[0]["value"];
        let position = folder.run(&["convert", game, "--to", "text"]).stdout;
        let position = String::from_utf8(position).unwrap();
        let (cells, side) = position.trim().split_once(' ').unwrap();
        let script = format!(
            "import ai\ncells, side = {cells:?}, {side:?}\n\
             own = sum(1 << i for i, c in enumerate(cells) if c == side)\n\
             other = sum(1 << i for i, c in enumerate(cells) if c not in (side, '-'))\n\
             print(float(ai.estimate(own, other, ai.legal(own, other))))"
        );
        let output = Command::new(python())
            .args(["-c", &script])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            text.trim().parse().ok(),
            value.as_f64(),
            "{game}: {}",
            said(&output)
        );
    }
}

#[test]
fn the_files_for_botzone_play_whole_games_of_both_kinds() {
    let folder = Folder::new();
    for variant in ["reversed", "reversi"] {
        exported(
            &folder,
            &[
                "botzone",
                "--variant",
                variant,
                "--out",
                "bot.py",
                "--force",
            ],
        );
        let bot = format!("botzone:{} bot.py", python().display());
        let mut words = vec![
            "match",
            &bot,
            "random",
            "--games",
            "2",
            "--openings",
            "random:40",
        ];
        words.extend(["--variant", variant, "--profile", "botzone", "--json", "-q"]);
        words.extend(["--time", "3s"]);
        words.extend(trust());
        let mut games = folder.objects(&words);
        games.pop();
        for game in &games {
            assert_eq!(game["reason"], "finished", "{game}");
        }
    }
}
