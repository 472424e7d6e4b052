//! The JSON of the API, pinned: names and values stay as they are, wherever the code behind them moves.
//!
//! `answers.json` holds requests with their answers; `TURNCOAT_RECORD=1` writes it anew.

#[path = "../client/mod.rs"]
mod client;

use std::path::Path;
use std::{env, fs};

use client::Server;
use serde_json::{Value, json};

/// Every address, and a request for each fault of a game's text.
fn requests() -> Vec<(&'static str, &'static str, Value)> {
    let game = |body: Value| ("POST", "/api/game", body);
    let kept = |moves: &str| json!({"game": {"moves": moves}, "black": "human", "white": "turncoat:level=3"});
    let changed = json!({"game": {"moves": "f5"}, "black": "a", "white": "b", "seen": {"moves": "d3"}});
    let small = |start: &str| game(json!({"start": start, "size": 4}));
    let mut all = vec![
        ("GET", "/api/about", Value::Null),
        ("GET", "/api/players", Value::Null),
        ("GET", "/api/knowledge/reversi", Value::Null),
        ("GET", "/api/knowledge/chess", Value::Null),
        ("POST", "/api/book", json!({"game": {"size": 4}})),
        ("POST", "/api/book", json!({"game": {"moves": "f5f5"}})),
        ("GET", "/api/book/reversed/4/start", Value::Null),
        ("GET", "/api/book/reversi/8/f5f5", Value::Null),
        ("GET", "/api/book/reversi/many/f5", Value::Null),
        ("GET", "/api/runs", Value::Null),
        ("GET", "/api/contest", Value::Null),
        ("GET", "/api/nothing", Value::Null),
        ("GET", "/api/move", Value::Null),
        ("GET", "/api/analyze", Value::Null),
        ("POST", "/api/games", kept("f5d6c3")),
        ("POST", "/api/games", kept("e6f4e3f6g5d6e7f5c5")),
        ("PUT", "/api/games/1", json!({"game": {"moves": "f5"}, "black": "a", "white": "b", "loser": "white"})),
        ("PUT", "/api/games/1", changed),
        ("GET", "/api/games", Value::Null),
        ("GET", "/api/games/1", Value::Null),
        ("GET", "/api/games/9", Value::Null),
        ("GET", "/api/games/x", Value::Null),
        ("DELETE", "/api/games/1", Value::Null),
        ("POST", "/api/games", json!({"game": {}, "black": "x".repeat(201), "white": "b"})),
        game(json!({"variant": "reversi", "size": 6, "moves": "d2"})),
        game(json!({"moves": "f5 d6"})),
        ("POST", "/api/count", json!({"size": 8, "games": "f5 d6\nf5f5"})),
        ("POST", "/api/count", json!({"size": 7, "games": ""})),
        small("XXXX------------ O"),
        small("XXXXXXXXXXXXXXO- O"),
        game(json!({"variant": "chess"})),
        game(json!({"size": 5})),
        game(json!({"colour": 1})),
        game(json!([])),
        game(json!({"start": ""})),
        game(json!({"start": "what is this"})),
        small("XO X"),
        small("XO?------------- X"),
        small("XO-------------- "),
        small("XO-------------- ?"),
        small("XO-------------- X etc"),
        small("---------------- X"),
        game(json!({"start": "(;GM[Othello]PC[x]TY[8]BO[8 x *]B[f5];)"})),
        game(json!({"start": "(;GM[Chess];)"})),
        game(json!({"moves": "f5zz"})),
        game(json!({"moves": "f5f5"})),
        game(json!({"moves": "a1"})),
        game(json!({"moves": "pass"})),
    ];
    for to in ["text", "transcript", "ggf", "svg", "bmp"] {
        all.push(("POST", "/api/export", json!({"game": {"moves": "f5"}, "to": to, "black": "a", "white": "b"})));
    }
    for player in ["greedy", "random", "turncoat:depth=2", "nobody", "turncoat:hash=1", "turncoat:level=99", ":"] {
        all.push(("POST", "/api/move", json!({"game": {"moves": "f5"}, "player": player, "seed": 1})));
    }
    let reversi = json!({"game": {"variant": "reversi"}, "player": "gene45"});
    let over = json!({"game": {"start": "XXXX------------ O", "size": 4}, "player": "greedy"});
    all.extend([("POST", "/api/move", reversi), ("POST", "/api/move", over)]);
    all
}

/// An answer without what differs from run to run, and without wording.
fn stable(value: Value, key: &str) -> Value {
    match (key, value) {
        ("seconds" | "changed" | "nodes" | "threads", Value::Number(_)) => json!(0),
        ("error" | "about" | "version", Value::String(_)) => json!(""),
        // Of a list of like things, the first tells what they are made of.
        ("options" | "ratings" | "stages" | "squares" | "mobility", Value::Array(all)) => {
            Value::Array(all.into_iter().take(1).map(shape).collect())
        }
        (_, Value::Array(all)) => all.into_iter().map(|one| stable(one, "")).collect(),
        (_, Value::Object(fields)) => fields.into_iter().map(|(key, one)| (key.clone(), stable(one, &key))).collect(),
        (_, other) => other,
    }
}

/// The names and kinds of values in an answer.
fn shape(value: Value) -> Value {
    match value {
        Value::Number(_) => json!(0),
        Value::String(_) => json!(""),
        Value::Bool(_) => json!(false),
        Value::Array(all) => all.into_iter().take(1).map(shape).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, one)| (key, shape(one))).collect(),
        Value::Null => Value::Null,
    }
}

fn answers(server: &Server) -> Value {
    let answer = |(method, path, body): (&str, &str, Value)| {
        let answer = server.ask(method, path, &body);
        let is_json = answer.head.to_lowercase().contains("application/json");
        let told = if is_json { stable(answer.json(), "") } else { json!(answer.body) };
        json!({"request": format!("{method} {path}"), "body": body, "status": answer.status, "answer": told})
    };
    requests().into_iter().map(answer).collect()
}

/// What comes over a socket, in names and kinds of values: the first and the last answer to each question.
fn analyses(server: &Server) -> Value {
    let mut socket = server.socket();
    let mut answers = Vec::new();
    for question in [
        json!({"id": 1, "game": {"size": 4}}),
        json!({"id": 2, "whole": true, "game": {"size": 4, "moves": "a2a1"}}),
        json!({"id": 3, "game": {"size": 5}}),
        json!({"id": 4, "game": {}, "player": "random"}),
        json!({"id": 5, "game": {"start": "XXXX------------ O", "size": 4}}),
    ] {
        socket.send(&question);
        let first = socket.receive();
        let mut last = first.clone();
        while last["done"] != true && last["error"].is_null() {
            last = socket.receive();
        }
        answers.push(json!({"question": question, "first": shape(first), "last": stable(last, "")}));
    }
    answers.into()
}

#[test]
fn the_json_of_the_api_stays() {
    let server = Server::start();
    let found = json!({"answers": answers(&server), "analyses": analyses(&server)});
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/json/answers.json");
    if env::var_os("TURNCOAT_RECORD").is_some() {
        let lines =
            |part: &str| -> Vec<String> { found[part].as_array().unwrap().iter().map(Value::to_string).collect() };
        let parts = ["answers", "analyses"].map(|part| format!("{part:?}: [\n{}\n]", lines(part).join(",\n")));
        fs::write(&path, format!("{{{}}}\n", parts.join(",\n"))).unwrap();
    }
    let pinned: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for part in ["answers", "analyses"] {
        for (found, pinned) in found[part].as_array().unwrap().iter().zip(pinned[part].as_array().unwrap()) {
            assert_eq!(found, pinned);
        }
        assert_eq!(found[part].as_array().unwrap().len(), pinned[part].as_array().unwrap().len());
    }
}
