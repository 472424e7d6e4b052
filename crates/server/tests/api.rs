//! The API over real connections.

mod client;

use std::sync::Arc;

use client::contests::{FakeContests, FakeMatches, TOKEN};
use client::runs::FakeRuns;
use client::{Server, post};
use serde_json::{Value, json};

#[test]
fn a_game_is_read_and_told_in_full() {
    let server = Server::start();
    let told = server.ask("POST", "/api/game", &json!({"moves": "f5d6c3"}));
    assert_eq!(told.status, 200);
    let game = told.json();
    assert_eq!(game["variant"], "reversed");
    assert_eq!(game["moves"], json!(["f5", "d6", "c3"]));
    assert_eq!(game["positions"][0]["legal"][2], json!({"move": "f5", "flips": ["e5"]}));
    assert_eq!(game["outcome"], Value::Null);
    // The wiped-out side has won the reversed game.
    let over = json!({"start": "XXXX------------ O", "size": 4});
    let game = server.ask("POST", "/api/game", &over).json();
    assert_eq!(game["outcome"], json!({"winner": "white", "margin": 16}));
    // One that must pass is told so.
    let pass = json!({"start": "XXXXXXXXXXXXXXO- O", "size": 4});
    let game = server.ask("POST", "/api/game", &pass).json();
    assert_eq!(game["positions"][0]["pass"], true);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let server = Server::start();
    for (body, fault) in [
        (json!({"moves": "f5a1"}), "move 2"),
        (json!({"start": "XO X"}), "2 of its 64 cells"),
        (json!({"variant": "chess"}), "no variant is called"),
        (json!({"size": 5}), "sizes are 8, 6 and 4"),
        (json!({"colour": "black"}), "unknown field `colour`"),
        (json!([1, 2]), "an object is wanted"),
        (json!([]), "an object is wanted"),
    ] {
        let answer = server.ask("POST", "/api/game", &body);
        assert_eq!(answer.status, 400, "{body}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(fault), "{error}");
        assert!(!error.contains("deserialize"), "{error}");
    }
    let nested = json!({"game": [], "player": "greedy"});
    assert_eq!(server.ask("POST", "/api/move", &nested).status, 400);
    let body = json!({"moves": "f5".repeat(100_000)});
    assert_eq!(server.ask("POST", "/api/game", &body).status, 413);
    for (method, path, status) in [
        ("GET", "/api/nothing", 404),
        ("POST", "/api/nothing", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/games/abc", 400),
        ("GET", "/api/games/7", 404),
        ("GET", "/api/move", 405),
        ("PUT", "/api/games", 405),
    ] {
        let answer = server.ask(method, path, &Value::Null);
        assert_eq!(answer.status, status, "{method} {path}");
        assert!(answer.json()["error"].is_string(), "{method} {path}");
    }
    // Who sends too much is told so, however large the rest is.
    for megabytes in [1, 8] {
        let body = json!({"moves": "f5".repeat(megabytes << 19)}).to_string();
        let told = server.send(post("/api/game", "Host: localhost\r\n", &body).as_bytes());
        if megabytes == 1 {
            assert_eq!(told.unwrap().status, 413);
        }
    }
}

#[test]
fn faults_have_a_code_and_their_values() {
    let server = Server::start();
    let fault = server.ask("POST", "/api/game", &json!({"moves": "f5f5"}));
    let fault = fault.json();
    assert_eq!(fault["code"], "occupied");
    let values = json!({"played": "f5", "color": "black", "format": "transcript", "character": 3, "move": 2});
    assert_eq!(fault["params"], values);
    let mut socket = server.socket();
    socket.send(&json!({"id": 4, "game": {"size": 5}}));
    let refused = socket.receive();
    assert_eq!((&refused["code"], &refused["params"]), (&json!("unknown-size"), &json!({"squares": 5})));
    let about = server.ask("GET", "/api/about", &Value::Null).json();
    assert_eq!(about["public"], Value::Null);
    assert!(about["threads"].as_u64() >= Some(1));
}

#[test]
fn players_are_listed_and_choose_legal_moves() {
    let server = Server::start();
    let players = server.ask("GET", "/api/players", &Value::Null).json();
    let flagship = players.as_array().unwrap().iter().find(|p| p["name"] == "turncoat").unwrap();
    let options = flagship["options"].as_array().unwrap();
    assert!(options.iter().all(|o| o["key"] != "eval" && o["key"] != "threads"));
    let first = &flagship["ratings"][0];
    assert_eq!((&first["variant"], &first["level"]), (&json!("reversed"), &json!(1)));
    assert!(first["elo"].as_i64() > Some(0) && first["error"].as_i64() > Some(0), "{first}");
    for player in ["random", "greedy", "gene45:depth=2", "turncoat:level=5"] {
        let question = json!({"game": {"moves": "f5"}, "player": player});
        let answer = server.ask("POST", "/api/move", &question).json();
        let label = answer["move"].as_str().unwrap();
        assert!(["d6", "f6", "f4"].contains(&label), "{player}: {answer}");
    }
    for player in ["turncoat:eval=/etc/passwd", "nobody", "turncoat:hash=9999999"] {
        let question = json!({"game": {}, "player": player});
        assert_eq!(server.ask("POST", "/api/move", &question).status, 400);
    }
}

#[test]
fn games_are_kept_over_a_restart() {
    let mut server = Server::start();
    let game = json!({"game": {"moves": "f5"}, "black": "human", "white": "turncoat:level=3"});
    let added = server.ask("POST", "/api/games", &game);
    assert_eq!(added.status, 201);
    let at = format!("/api/games/{}", added.json()["id"]);
    let more = json!({"game": {"moves": "f5d6"}, "black": "human", "white": "greedy", "loser": "black"});
    assert_eq!(server.ask("PUT", &at, &more).status, 204);
    // What somebody else has changed is not written over.
    let mut stale = game.clone();
    stale["seen"] = json!({"moves": "f5", "loser": null});
    assert_eq!(server.ask("PUT", &at, &stale).status, 409);
    stale["seen"] = json!({"moves": "f5d6", "loser": "black"});
    assert_eq!(server.ask("PUT", &at, &stale).status, 204);
    assert_eq!(server.ask("PUT", &at, &more).status, 204);
    let wrong = json!({"game": {"moves": "a1"}, "black": "human", "white": "greedy"});
    assert_eq!(server.ask("PUT", &at, &wrong).status, 400);
    server.restart();
    let kept = server.ask("GET", &at, &Value::Null).json();
    assert_eq!((&kept["moves"], &kept["loser"]), (&json!("f5d6"), &json!("black")));
    let list = server.ask("GET", "/api/games", &Value::Null).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["outcome"], Value::Null);
    let over = json!({"game": {"moves": "e6f4e3f6g5d6e7f5c5"}, "black": "human", "white": "human"});
    assert_eq!(server.ask("POST", "/api/games", &over).status, 201);
    let list = server.ask("GET", "/api/games", &Value::Null).json();
    let games = list.as_array().unwrap();
    let ended = games.iter().find(|game| game["white"] == "human").unwrap();
    assert_eq!(ended["outcome"], json!({"winner": "white", "margin": 64}));
    assert_eq!(server.ask("DELETE", &at, &Value::Null).status, 204);
    assert_eq!(server.ask("GET", &at, &Value::Null).status, 404);
}

#[test]
fn games_leave_in_other_formats() {
    let server = Server::start();
    for (to, begin) in [("svg", "<svg "), ("ggf", "(;"), ("transcript", "f5"), ("text", "----")] {
        let question = json!({"game": {"moves": "f5"}, "to": to});
        let answer = server.ask("POST", "/api/export", &question);
        assert!(answer.body.starts_with(begin), "{}", answer.body);
        if to != "svg" {
            // What we write, we read.
            let read = server.ask("POST", "/api/game", &json!({"start": answer.body}));
            assert_eq!(read.status, 200, "{}", read.body);
        }
    }
}

#[test]
fn the_page_is_served_with_headers_that_keep_others_out() {
    let server = Server::start();
    let page = server.ask("GET", "/", &Value::Null);
    assert_eq!(page.status, 200);
    let head = page.head.to_lowercase();
    for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "text/html"] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("access-control-allow-origin"));
    // A browser that has a file is told that it still holds, or gets the new one.
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    for (known, status) in [(tag, 304), ("\"other\"", 200)] {
        let request =
            format!("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: {known}\r\n\r\n");
        assert_eq!(server.send(request.as_bytes()).unwrap().status, status);
    }
    for headers in ["Host: evil.test\r\n", "Host: localhost\r\nOrigin: https://evil.test\r\n"] {
        let request = post("/api/game", headers, "{}");
        assert_eq!(server.send(request.as_bytes()).unwrap().status, 403);
    }
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/nothing.js"] {
        assert_eq!(server.ask("GET", path, &Value::Null).status, 404, "{path}");
    }
}

#[test]
fn analysis_deepens_until_it_is_proven() {
    let server = Server::start();
    let mut socket = server.socket();
    socket.send(&json!({"id": 3, "game": {"size": 4}}));
    let mut depth = 0;
    loop {
        let step = socket.receive();
        assert_eq!(step["id"], 3);
        if step["done"] == true {
            break;
        }
        assert!(step["depth"].as_u64().unwrap() > depth);
        depth = step["depth"].as_u64().unwrap();
        let moves = step["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 4);
        if moves.iter().all(|m| m["exact"] == true) {
            assert!(moves.iter().all(|m| m["score"] == 4.0), "{step}");
        }
    }
    assert!(depth >= 1);
    // The same socket serves the next question, also after a bad one, and another one in the midst of it.
    socket.send(&json!({"id": 4, "game": {"moves": "a1"}}));
    assert!(socket.receive()["error"].as_str().unwrap().contains("a1"));
    socket.send(&json!({"id": 7}));
    let refused = socket.receive();
    assert_eq!(refused["id"], 7);
    assert!(refused["error"].as_str().unwrap().contains("game"));
    socket.send(&json!({"id": 5, "game": {}}));
    assert_eq!(socket.receive()["id"], 5);
    socket.send(&json!({"id": 6, "game": {"moves": "f5"}}));
    while socket.receive()["id"] != 6 {}
}

#[test]
fn a_short_game_on_a_large_board_is_proven() {
    let server = Server::start();
    let mut socket = server.socket();
    let start = format!("XO{}O--------X X", "-".repeat(52));
    socket.send(&json!({"id": 1, "game": {"start": start}}));
    let mut last = Value::Null;
    loop {
        let step = socket.receive();
        if step["done"] == true {
            break;
        }
        last = step;
    }
    let moves = last["moves"].as_array().unwrap();
    assert!(moves.iter().all(|chosen| chosen["exact"] == true), "{last}");
    assert_eq!(moves[0]["score"], -64.0);
}

#[test]
fn fifty_sockets_share_the_machine() {
    let server = Server::start();
    let mut sockets: Vec<_> = (0..50).map(|_| server.socket()).collect();
    for socket in &mut sockets {
        socket.send(&json!({"game": {}}));
    }
    for socket in &mut sockets {
        while socket.receive()["depth"].as_u64().unwrap() < 4 {}
    }
    // Their searches end with them: afterwards there is room for as many again.
    drop(sockets);
    let mut sockets: Vec<_> = (0..50).map(|_| server.socket()).collect();
    for socket in &mut sockets {
        socket.ask_until_answered(&json!({"game": {}}));
    }
}

#[test]
fn every_move_of_a_game_is_judged_ever_deeper() {
    let server = Server::start();
    let mut socket = server.socket();
    let moves = "f5d6c3d3c4f4f6f3e6e7";
    socket.send(&json!({"id": 1, "whole": true, "game": {"moves": moves}}));
    let mut depths = [0; 10];
    while depths.iter().any(|&depth| depth < 6) {
        let judged = &socket.receive()["judged"];
        let ply = judged["ply"].as_u64().unwrap() as usize;
        assert_eq!(judged["move"], moves[2 * ply - 2..2 * ply]);
        assert!(judged["lost"].as_f64().unwrap() >= 0.0);
        assert!(judged["better"]["flips"].as_u64().unwrap() > 0, "{judged}");
        let depth = judged["depth"].as_u64().unwrap();
        assert!(depth > depths[ply - 1]);
        depths[ply - 1] = depth;
    }
    socket.send(&json!({"id": 2, "game": {}, "player": "random"}));
    let answer = loop {
        let answer = socket.receive();
        if answer["id"] == 2 {
            break answer;
        }
    };
    assert!(answer["error"].as_str().unwrap().contains("cannot analyse"));
    // A small game is proven to the end.
    socket.send(&json!({"id": 3, "whole": true, "game": {"size": 4, "moves": "a2a1"}}));
    while socket.receive()["done"] != true {}
}

#[test]
fn the_api_describes_itself_and_what_the_evaluation_knows() {
    let server = Server::start();
    let api = server.ask("GET", "/api/openapi.json", &Value::Null).json();
    assert!(api["paths"]["/api/games/{id}"]["put"].is_object());
    assert!(api["components"]["schemas"]["ReviewedMove"].is_object());
    let known = server.ask("GET", "/api/knowledge/reversed", &Value::Null);
    let stages = known.json()["stages"].clone();
    assert!(stages.as_array().unwrap().len() > 8);
    assert_eq!(stages[8]["mobility"].as_array().unwrap().len(), 16);
    let unknown = server.ask("GET", "/api/knowledge/chess", &Value::Null);
    assert_eq!(unknown.status, 400);
}

#[test]
fn who_asks_too_often_is_refused_for_a_while() {
    let server = Server::with_rate(Some(1));
    let status = || server.ask("GET", "/api/players", &Value::Null).status;
    while status() != 429 {}
    // The page itself has no part in it.
    assert_eq!(server.ask("GET", "/", &Value::Null).status, 200);
    while status() != 200 {}
}

#[test]
fn runs_are_listed_and_found_by_name_where_there_are_any() {
    let none = Server::start();
    for path in ["/api/runs", "/api/runs/first"] {
        let refused = none.ask("GET", path, &Value::Null);
        assert_eq!((refused.status, &refused.json()["code"]), (404, &json!("no-lab")));
    }
    let runs = FakeRuns::default();
    runs.reach(5);
    let server = Server::with(|config| config.runs = Some(Arc::new(runs)));
    assert_eq!(server.ask("GET", "/api/about", &Value::Null).json()["runs"], true);
    let list = server.ask("GET", "/api/runs", &Value::Null).json();
    let states: Vec<&Value> = list.as_array().unwrap().iter().map(|run| &run["state"]).collect();
    assert_eq!(states, ["running", "finished", "damaged"]);
    let run = server.ask("GET", "/api/runs/sweep%2Fseed%201", &Value::Null).json();
    assert_eq!((&run["name"], &run["generation"]), (&json!("sweep/seed 1"), &json!(5)));
    assert_eq!(run["genes"][11]["points"][4]["generation"], 5);
    let report = server.ask("GET", "/api/runs/first/report", &Value::Null);
    assert_eq!((report.status, report.body.as_str()), (200, "<!doctype html><title>first</title>"));
    // It comes from a file: whatever is in it does nothing.
    assert!(report.head.contains("sandbox") && report.head.contains("text/html"), "{}", report.head);
    assert_eq!(server.ask("GET", "/api/runs/old/report", &Value::Null).status, 404);
    for bad in ["..", "%2E%2E", "..%2F..%2Fetc", "first%2F", "%00", "%FF", "x", "a/b"] {
        let refused = server.ask("GET", &format!("/api/runs/{bad}"), &Value::Null);
        assert_eq!(refused.status, 404, "{bad}");
    }
    assert_eq!(server.ask("POST", "/api/runs", &json!({})).status, 405);
}

#[test]
fn who_watches_is_sent_what_changes() {
    let contests = Arc::new(FakeContests::default());
    let mut server = Server::with(|config| config.contests = Some(contests.clone()));
    assert_eq!(server.ask("GET", "/api/contest/watch", &Value::Null).json()["code"], "no-upgrade");
    let mut sockets: Vec<_> = (0..50).map(|_| server.socket_at("contest/watch")).collect();
    for socket in &mut sockets {
        let first = socket.receive();
        assert_eq!(json!([first["boards"][0]["moves"], first["testing"]]), json!(["", ["wang"]]));
    }
    contests.reach("f5d6");
    for socket in &mut sockets {
        let change = socket.receive();
        assert_eq!(json!([change["boards"][0]["moves"], change["ended"], change["queue"]]), json!(["f5d6", [], null]));
    }
    sockets[0].send(&json!("hello"));
    assert_eq!(sockets[0].closed(), Some(1008));
    // When the server ends, it says so.
    server.end();
    assert_eq!(sockets[1].closed(), Some(1001));
    assert_eq!(Server::start().ask("GET", "/api/contest/watch", &Value::Null).json()["code"], "no-arena");
}

#[test]
fn matches_are_started_on_ones_own_machine_alone() {
    let server = Server::with(|config| config.matches = Some(Arc::new(FakeMatches::default())));
    let about = server.ask("GET", "/api/about", &Value::Null).json();
    assert_eq!(json!([about["contest"], about["matches"]]), json!([true, true]));
    let wanted = |games: u64| json!({"first": "greedy", "second": "random", "games": games, "seconds": 1, "variant": "reversed", "size": 8});
    assert_eq!(server.ask("POST", "/api/match", &wanted(3)).json()["code"], "bad-match");
    let begun = server.ask("POST", "/api/match", &wanted(10)).json();
    assert_eq!(json!([begun["running"], begun["total"]]), json!([true, 10]));
    let again = server.ask("POST", "/api/match", &wanted(10));
    assert_eq!((again.status, &again.json()["code"]), (409, &json!("match-running")));
    assert_eq!(server.ask("DELETE", "/api/match", &Value::Null).json()["running"], false);
    assert_eq!(server.ask("GET", "/api/match", &Value::Null).json()["games"], 3);
    // Where a token is asked for, others may come; where a store is shown, it stays.
    let shown = Server::with(|config| {
        config.matches = Some(Arc::new(FakeMatches::default()));
        config.contests = Some(Arc::new(FakeContests::default()));
    });
    let others = Server::with(|config| {
        config.matches = Some(Arc::new(FakeMatches::default()));
        config.public = Some("https://example.org".parse().unwrap());
        config.access = turncoat_server::Access::Open;
    });
    for server in [shown, others] {
        let refused = server.ask("POST", "/api/match", &wanted(10));
        assert_eq!((refused.status, &refused.json()["code"]), (404, &json!("no-matches")));
        assert_eq!(server.ask("GET", "/api/about", &Value::Null).json()["matches"], false);
    }
}

#[test]
fn a_contest_is_shown_and_what_was_printed_to_its_bearer_alone() {
    let none = Server::start();
    let addresses = ["", "/live", "/before/0", "/games/1", "/players/greedy", "/players/greedy/before/0"];
    for path in addresses {
        let refused = none.ask("GET", &format!("/api/contest{path}"), &Value::Null);
        assert_eq!((refused.status, &refused.json()["code"]), (404, &json!("no-arena")), "{path}");
    }
    let contests = Arc::new(FakeContests::default());
    let server = Server::with(|config| config.contests = Some(contests.clone()));
    assert_eq!(server.ask("GET", "/api/about", &Value::Null).json()["contest"], true);
    for path in addresses {
        assert_eq!(server.ask("GET", &format!("/api/contest{path}"), &Value::Null).status, 200, "{path}");
    }
    let games = server.ask("GET", "/api/contest/players/li%20%E6%9D%8E%2Fa%26b/before/2", &Value::Null).json();
    assert_eq!((games.as_array().unwrap().len(), &games[0]["margin"]), (1, &json!(64)));
    for bad in ["/games/0", "/games/x", "/games/-1", "/before/x", "/players/..", "/players/x", "/x"] {
        assert_eq!(server.ask("GET", &format!("/api/contest{bad}"), &Value::Null).status, 404, "{bad}");
    }
    // On an address of this machine alone its owner looks.
    assert_eq!(server.ask("GET", "/api/contest/games/1", &Value::Null).json()["black_output"], "my moves: <b>");
    for (token, hidden) in [(TOKEN, false), ("another", true)] {
        let game = server.ask("POST", "/api/contest/games/1", &json!({ "token": token })).json();
        assert_eq!((game["black_output"].is_null(), &game["hidden"]), (hidden, &json!(hidden)), "{token}");
    }
    assert_eq!(server.ask("POST", "/api/contest/games/1", &json!({ "tokn": "x" })).status, 400);
}
