//! The token of a server that others can reach: asked for everything but the door.

mod client;

use client::{Answer, Server, post};
use serde_json::json;
use turncoat_server::{Access, Token};

const TOKEN: &str = "a-token-of-the-tests";

fn server() -> Server {
    Server::with(|config| config.access = Access::Token(TOKEN.parse::<Token>().unwrap()))
}

/// The answer to a request for a path with these further headers.
fn get(server: &Server, path: &str, headers: &str) -> Answer {
    let host = server.address();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
    server.send(request.as_bytes()).unwrap()
}

fn open(server: &Server, token: &str) -> Answer {
    server.ask("POST", "/api/session", &json!({"token": token}))
}

const UPGRADE: &str = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn without_the_token_there_is_only_the_door() {
    let server = server();
    for headers in ["", "Authorization: Bearer a-token-of-the-testX\r\n", "Cookie: turncoat-1=a-token-of-the-tests\r\n"]
    {
        let page = get(&server, "/", headers);
        assert_eq!(page.status, 303);
        assert!(page.head.to_lowercase().contains("location: /door"), "{}", page.head);
        for path in ["/api/about", "/api/games", "/api/nothing", "/api/analyze", "/app.js", "/index.html", "/nothing"] {
            let refused = get(&server, path, headers);
            assert_eq!(refused.status, 401, "{path}");
            let code = if headers.starts_with('A') { "wrong-token" } else { "no-token" };
            assert_eq!(refused.json()["code"], code, "{path}");
        }
        assert_eq!(get(&server, "/api/analyze", &format!("{headers}{UPGRADE}")).status, 401);
        for path in ["/door", "/door.js", "/base/words.js", "/css/base.css"] {
            assert_eq!(get(&server, path, headers).status, 200, "{path}");
        }
    }
    let game = server.ask("POST", "/api/game", &json!({"moves": "f5"}));
    assert_eq!((game.status, &game.json()["code"]), (401, &json!("no-token")));
}

#[test]
fn the_token_opens_everything_as_a_header_or_as_a_cookie() {
    let server = server();
    let refused = open(&server, "a-token-of-the-testX");
    assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("wrong-token")));
    let opened = open(&server, TOKEN);
    assert_eq!(opened.status, 204);
    let cookie = opened.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    for headers in [cookie, format!("Authorization: Bearer {TOKEN}\r\n")] {
        for path in ["/", "/app.js", "/api/about", "/api/games"] {
            assert_eq!(get(&server, path, &headers).status, 200, "{path}");
        }
        // The other checks are as strict as ever.
        let evil = post("/api/game", &format!("Host: evil.test\r\n{headers}"), "{}");
        assert_eq!(server.send(evil.as_bytes()).unwrap().status, 403);
        let evil = post("/api/game", &format!("Host: localhost\r\nOrigin: https://evil.test\r\n{headers}"), "{}");
        assert_eq!(server.send(evil.as_bytes()).unwrap().status, 403);
        let address = format!("ws://{}/api/analyze", server.address());
        let (name, value) = headers.trim_end().split_once(": ").unwrap();
        let request = tungstenite::ClientRequestBuilder::new(address.parse().unwrap()).with_header(name, value);
        let stream = std::net::TcpStream::connect(server.address()).unwrap();
        assert!(tungstenite::client(request, stream).is_ok());
    }
}

#[test]
fn the_machines_own_address_asks_for_nothing() {
    let server = Server::start();
    assert_eq!(get(&server, "/", "").status, 200);
    assert_eq!(get(&server, "/api/about", "").status, 200);
    let opened = open(&server, "anything");
    assert_eq!(opened.status, 204);
    assert!(!opened.head.contains("set-cookie"));
}
