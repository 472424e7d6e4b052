//! `move` and `analyze` of the player `turncoat`, as a person or a script meets them.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turncoat")).args(arguments).output().unwrap()
}

/// The objects that a successful command prints.
fn objects(arguments: &[&str]) -> Vec<Value> {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_move_is_made_on_the_clock_of_a_game() {
    // Black has one move, so the clock is not wasted on it.
    let forced = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- X";
    for clock in [&["--clock", "10m"][..], &["--clock", "10m", "--increment", "10s", "--moves-to-go", "1"]] {
        let arguments = [&["move", forced, "--json"], clock].concat();
        let found = objects(&arguments);
        assert_eq!(found[0]["move"], "g8");
        assert_eq!(found[0]["depth"], 1);
    }
    // A clock that has nearly run down still gives a move.
    let late = objects(&["move", "f5d6c3", "--clock", "1ms", "--json"]);
    assert!(late[0]["move"].is_string());
    assert!(refusal(&["move", "f5", "--increment", "1s"]).contains("--clock"));
    refusal(&["move", "f5", "--clock", "0s"]);
    refusal(&["move", "f5", "--clock", "1s", "--moves-to-go", "0"]);
    let match_refusal = refusal(&["match", "greedy", "random", "--increment", "1s"]);
    assert!(match_refusal.contains("an increment is added to the clock of a game"));
}

#[test]
fn memory_and_threads_reach_the_player() {
    let error = refusal(&["move", "start", "--hash", "100000000"]);
    assert!(error.contains("there is no memory"), "{error}");
    // A player that has no use for them does without, and its own option wins.
    objects(&["move", "start", "--hash", "8", "--player", "greedy", "--json"]);
    let own = ["move", "start", "--hash", "100000000", "--json", "--player", "turncoat:hash=1"];
    objects(&own);
}

#[test]
fn every_move_is_analysed_best_first() {
    let moves = objects(&["analyze", "start", "--size", "4", "--json"]);
    assert_eq!(moves.len(), 4);
    for found in &moves {
        assert_eq!((&found["score"], &found["exact"]), (&4.0.into(), &true.into()));
    }
    let moves = objects(&["analyze", "f5d6c3", "--depth", "4", "--json"]);
    let scores: Vec<f64> = moves.iter().map(|found| found["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b));
    assert!(moves.iter().all(|found| found["depth"] == 4));
    assert!(refusal(&["analyze", "start", "--player", "greedy"]).contains("cannot analyse"));
    assert!(refusal(&["analyze", "--game", "start"]).contains("give a transcript"));
}

#[test]
fn mistakes_of_a_game_are_marked_with_what_they_lose() {
    // Perfect play on 4x4 gives Black 4; the second move throws discs away.
    let game = "b1a1a2c1d1b4a4d2c4a3d3";
    let judged = objects(&["analyze", "--game", game, "--size", "4", "--json"]);
    assert_eq!(judged.len(), game.len() / 2);
    assert!(judged.iter().all(|found| found["lost"] == 0.0 && found["mark"] == ""));
    let judged = objects(&["analyze", "--game", "b1c1", "--size", "4", "--json"]);
    let lost = judged[1]["lost"].as_f64().unwrap();
    let [score, best] = ["score", "best_score"].map(|name| judged[1][name].as_f64().unwrap());
    assert!(lost > 0.0 && (best - score - lost).abs() < 1e-9);
    assert_eq!(judged[1]["side"], "white");
    assert_eq!(judged[1]["exact"], true);
    assert!(judged[1]["refutation"].as_str().unwrap().starts_with("c1"));
    let better = judged[1]["best"].as_str().unwrap();
    assert!(judged[1]["line"].as_str().unwrap().starts_with(better));
    assert_ne!(better, "c1");
    // For people: the better line, what follows the move, and the sum.
    let text = String::from_utf8(run(&["analyze", "--game", "b1c1", "--size", "4"]).stdout).unwrap();
    assert!(text.contains(" rather than c1"), "{text}");
    assert!(text.contains("Discs lost: black 0.0, white"), "{text}");
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_an_analysis_deepening_and_a_pipe_its_end() {
    let arguments = ["analyze", "f5d6c3", "--depth", "8"];
    let piped = String::from_utf8(run(&arguments).stdout).unwrap();
    assert_eq!(piped.matches("white to move").count(), 1);
    let command = format!("{} {}", env!("CARGO_BIN_EXE_turncoat"), arguments.join(" "));
    let terminal = Command::new("script").args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").output().unwrap();
    let shown = String::from_utf8(terminal.stdout).unwrap().replace('\r', "");
    assert!(shown.ends_with(&piped), "{shown}");
    assert!(shown.matches("white to move").count() > 1, "{shown}");
}
