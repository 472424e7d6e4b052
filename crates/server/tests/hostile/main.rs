//! Bad requests of every kind leave the server serving.
//!
//! `TURNCOAT_ATTACK_REQUESTS` and `TURNCOAT_ATTACK_SEED` set how many are made and from which seed.

#[path = "../client/mod.rs"]
mod client;
mod requests;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use client::Server;
use requests::{Dice, check, request, setting};
use serde_json::json;
use tungstenite::Message;

/// How many bad requests are made, unless told otherwise.
const REQUESTS: u64 = 500;
/// Clients that make them at the same time.
const CLIENTS: u64 = 8;
/// Every so many of them keep their connection open and say no more.
const HALF_OPEN: u64 = 40;
/// How long a client may take in the test of bad requests: most of them are not complete.
const SHORT: Duration = Duration::from_millis(300);

/// Sends a request and checks what comes back until the server closes the connection.
fn attack(server: &Server, request: &[u8]) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(client::HANG)).unwrap();
    // A server that refuses a request may close before it has all of it, which may also cost the answer.
    let mut is_cut = stream.write_all(request).is_err();
    let mut back = Vec::new();
    if let Err(error) = stream.read_to_end(&mut back) {
        assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "no end: {}", String::from_utf8_lossy(request));
        is_cut = true;
    }
    let checked = check(request, &back);
    assert!(is_cut || checked.is_ok(), "{checked:?}\n{}\n\n{}", shown(request), shown(&back));
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().take(2000).map(|&byte| byte.escape_ascii().to_string()).collect()
}

#[test]
fn bad_requests_leave_it_serving() {
    let count = setting("TURNCOAT_ATTACK_REQUESTS", REQUESTS);
    let seed = setting("TURNCOAT_ATTACK_SEED", 1);
    let server = Server::with(|config| {
        config.deadlines.head = SHORT;
        config.deadlines.body = SHORT;
        config.deadlines.silence = 4 * SHORT;
    });
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let server = &server;
            scope.spawn(move || {
                let mut half_open = Vec::new();
                for number in (client..count).step_by(CLIENTS as usize) {
                    let mut dice = Dice::new(seed.wrapping_mul(1 << 32).wrapping_add(number));
                    let request = request(&mut dice, number / CLIENTS);
                    if number % HALF_OPEN == 0 {
                        let mut stream = TcpStream::connect(server.address()).unwrap();
                        let _ = stream.write_all(&request[..request.len() / 2]);
                        half_open.push(stream);
                    }
                    attack(server, &request);
                }
            });
        }
    });
    let answer = server.ask("POST", "/api/game", &json!({"moves": "f5"}));
    assert_eq!(answer.status, 200);
    let question = json!({"game": {}, "player": "turncoat:level=5"});
    while server.ask("POST", "/api/move", &question).status != 200 {}
    while !is_analysed(&server) {}
}

/// Whether a new socket gets an answer: on a busy machine, the short deadlines may come in between.
fn is_analysed(server: &Server) -> bool {
    let stream = TcpStream::connect(server.address()).unwrap();
    let address = format!("ws://{}/api/analyze", server.address());
    let Ok((mut socket, _)) = tungstenite::client(address, stream) else {
        return false;
    };
    let is_asked = socket.send(Message::text(r#"{"game": {"size": 4}}"#)).is_ok();
    is_asked && std::iter::from_fn(|| socket.read().ok()).any(|answer| answer.is_text())
}
