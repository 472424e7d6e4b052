//! Players that are files of a folder: asked by their names, and by nothing else.

mod client;

use std::fs;
use std::path::{Path, PathBuf};

use client::Server;
use serde_json::{Value, json};
use tempfile::TempDir;
use turncoat_api::{ExplanationView, GameText, opponents};
use turncoat_players::{PlayerFolder, Roster, Setting};

fn weights(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights").join(name)
}

/// A folder with players and other files, and its server.
fn start() -> (TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["linear-reversed.toml", "gene45-smooth-reversed.toml", "patterns-reversi.weights"] {
        fs::copy(weights(name), folder.path().join(name)).unwrap();
    }
    fs::copy(weights("probcut-patterns-reversi.toml"), folder.path().join("model.toml")).unwrap();
    fs::copy(weights("linear-reversed.toml"), folder.path().join("a b.toml")).unwrap();
    fs::write(folder.path().join("broken.toml"), "player = \"gene45\"").unwrap();
    fs::write(folder.path().join("broken.weights"), "TCW").unwrap();
    let found = PlayerFolder::open(folder.path()).unwrap();
    let server = Server::with(|config| config.players = opponents().with_folder(found));
    (folder, server)
}

fn explain(server: &Server, player: &str) -> Value {
    server.ask("POST", "/api/explain", &json!({"game": {"moves": "f5d6c3"}, "player": player})).json()
}

#[test]
fn files_play_and_are_explained_by_their_names() {
    let (folder, server) = start();
    let players = server.ask("GET", "/api/players", &Value::Null).json();
    let all = players.as_array().unwrap();
    let files: Vec<&Value> = all.iter().filter(|player| player["name"].as_str().unwrap().contains('.')).collect();
    let of = |key: &str| files.iter().map(|file| file[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("name"), ["gene45-smooth-reversed.toml", "linear-reversed.toml", "patterns-reversi.weights"]);
    assert_eq!(of("variants"), [json!(["reversed"]), json!(["reversed"]), json!(["reversi"])]);
    assert_eq!(of("analyses"), [false, false, true]);
    assert!(files.iter().all(|file| file["explains"] == true));

    let game = json!({"variant": "reversi", "moves": "f5"});
    for (player, game) in [("linear-reversed.toml:depth=2", json!({})), ("patterns-reversi.weights:level=3", game)] {
        let chosen = server.ask("POST", "/api/move", &json!({"game": game, "player": player}));
        assert_eq!(chosen.status, 200, "{chosen:?}");
    }
    // What a file sees is what its path sees on the command line.
    let path = folder.path().join("linear-reversed.toml");
    let spec = Roster::default().parse(&format!("linear:weights={}", path.display())).unwrap();
    let game = serde_json::from_value::<GameText>(json!({"moves": "f5d6c3"})).unwrap().parse().unwrap();
    let player = spec.build(Setting::from_game(&game, 1)).unwrap();
    let expected = ExplanationView::from(player.explain(game.position()).unwrap());
    let explained = explain(&server, "linear-reversed.toml");
    assert_eq!(explained, serde_json::to_value(expected).unwrap());
    // A file that changes is another player.
    fs::copy(weights("gene45-smooth-reversed.toml"), &path).unwrap();
    assert_ne!(explain(&server, "linear-reversed.toml"), explained);
}

#[test]
fn a_file_analyses_on_the_socket() {
    let (_folder, server) = start();
    let mut socket = server.socket();
    socket.send(&json!({"id": 1, "game": {"variant": "reversi"}, "player": "patterns-reversi.weights"}));
    while socket.receive()["depth"].as_u64().unwrap() < 3 {}
}

#[test]
fn nothing_but_a_listed_name_leads_to_a_file() {
    let (folder, server) = start();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.toml");
    fs::copy(weights("linear-reversed.toml"), &secret).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, folder.path().join("link.toml")).unwrap();
    let own = folder.path().join("linear-reversed.toml");
    let (secret, own) = (secret.display().to_string(), own.display().to_string());
    let climb = format!("../{}/secret.toml", outside.path().file_name().unwrap().display());
    for (player, code) in [
        ("link.toml", "unknown-player"),
        (&climb, "unknown-player"),
        (&secret, "unknown-player"),
        (&own, "unknown-player"),
        ("./linear-reversed.toml", "unknown-player"),
        ("a b.toml", "unknown-player"),
        ("broken.toml", "unknown-player"),
        ("broken.weights", "unknown-player"),
        ("model.toml", "unknown-player"),
        (&format!("linear-reversed.toml:weights={secret}"), "player-option"),
        (&format!("patterns-reversi.weights:eval={secret}"), "player-option"),
        ("linear-reversed.toml:hash=9999", "player-option"),
        ("linear-reversed.toml:features=moves", "player-option"),
        ("random", "cannot-explain"),
    ] {
        assert_eq!(explain(&server, player)["code"], code, "{player}");
    }
    let other = json!({"game": {"variant": "reversi"}, "player": "gene45-smooth-reversed.toml"});
    assert_eq!(server.ask("POST", "/api/explain", &other).json()["code"], "player-variant");
}
