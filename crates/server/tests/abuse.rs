//! Bad requests of every kind leave the server serving.

mod client;

use std::io::{Read, Write};
use std::net::TcpStream;

use client::{Server, post};
use serde_json::{Value, json};

/// How many bad requests are made.
const REQUESTS: u64 = 10_000;
/// Every so many of them keep their connection open and say no more.
const HALF_OPEN: u64 = 40;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// A good body, for each address that takes one.
fn bodies() -> [(&'static str, Value); 5] {
    let game = json!({"variant": "reversed", "size": 8, "start": "start", "moves": "f5d6c3"});
    [
        ("/api/game", game.clone()),
        ("/api/move", json!({"game": game, "player": "turncoat:level=1", "seed": 1})),
        ("/api/export", json!({"game": game, "to": "svg"})),
        ("/api/games", json!({"game": game, "black": "human", "white": "greedy"})),
        ("/api/games/1", json!({"game": game, "black": "human", "white": "greedy"})),
    ]
}

/// A request with a few bytes of its body or of all of it changed.
fn spoilt(dice: &mut Dice, host: &str) -> Vec<u8> {
    let (path, body) = &bodies()[dice.below(5)];
    let mut body = body.to_string().into_bytes();
    for _ in 0..=dice.below(4) {
        let at = dice.below(body.len());
        match dice.below(3) {
            0 => body[at] = dice.below(128) as u8,
            1 => body.truncate(at.max(1)),
            _ => body.insert(at, b"[{\"0-,"[dice.below(6)]),
        }
    }
    let mut request = post(path, host, &String::from_utf8_lossy(&body)).into_bytes();
    if dice.below(4) == 0 {
        let at = dice.below(60);
        request[at] = dice.below(256) as u8;
    }
    request
}

#[test]
fn ten_thousand_bad_requests_leave_it_serving() {
    let server = Server::start();
    let host = format!("Host: {}\r\n", server.address());
    let mut dice = Dice(7);
    let mut half_open = Vec::new();
    for number in 0..REQUESTS {
        let request = spoilt(&mut dice, &host);
        if number % HALF_OPEN == 0 {
            let mut stream = TcpStream::connect(server.address()).unwrap();
            stream.write_all(&request[..request.len() / 2]).unwrap();
            half_open.push(stream);
            continue;
        }
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(&request).unwrap();
        // Most do not stay to hear the answer; who does hears one, or that the connection is closed.
        if number % 10 == 1 {
            stream.set_read_timeout(Some(client::HANG)).unwrap();
            let heard = stream.read(&mut [0; 12]);
            assert!(heard.is_ok(), "{}", String::from_utf8_lossy(&request));
        }
    }
    let answer = server.ask("POST", "/api/game", &json!({"moves": "f5"}));
    assert_eq!(answer.status, 200);
    let question = json!({"game": {}, "player": "turncoat:level=5"});
    while server.ask("POST", "/api/move", &question).status != 200 {}
    let mut socket = server.socket();
    socket.ask_until_answered(&json!({"game": {}}));
}
