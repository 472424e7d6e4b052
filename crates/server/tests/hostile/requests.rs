//! Bad requests, made from a seed, and what every answer to one must be.

use std::env;

use serde_json::{Value, json};

/// Numbers that look random and are the same for every seed (`SplitMix64`).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 1) as usize % bound
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..=self.below(most)).map(|_| self.below(256) as u8).collect()
    }
}

/// The number in a variable, or its default.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

const METHODS: [&str; 12] =
    ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "G\0T", "LONGMETHOD"];
const PATHS: [&str; 28] = [
    "/",
    "/api",
    "/api/",
    "/api/about",
    "/api/players",
    "/api/game",
    "/api/move",
    "/api/export",
    "/api/games",
    "/api/games/1",
    "/api/games/-1",
    "/api/games/99999999999999999999",
    "/api/games/%00",
    "/api/knowledge/chess",
    "/api/knowledge/%ff",
    "/api/openapi.json",
    "/api/analyze",
    "/api/session",
    "/door",
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//evil.test/",
    "/app.js?a=b",
    "*",
    "http://evil.test/api/about",
    "/a b",
    "",
    "/é",
];
const HEADERS: [&str; 27] = [
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 5, 6",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: gzip",
    "Expect: 100-continue",
    "Host: evil.test",
    "Host: ",
    "Host: localhost",
    "Origin: https://evil.test",
    "Origin: null",
    "Origin: http://localhost",
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13",
    "Upgrade: h2c",
    "Cookie: turncoat-8064=x; ; =; a",
    "Authorization: Bearer x",
    "Content-Type: text/plain",
    "Range: bytes=0-1,5-",
    "If-None-Match: *",
    "Accept-Encoding: \x01",
    " folded: header",
    "No colon",
    "X: \r\n y",
    "Content-Type: application/json",
];

/// A good body, for each address that takes one.
fn bodies() -> [(&'static str, Value); 6] {
    let game = json!({"variant": "reversed", "size": 8, "start": "start", "moves": "f5d6c3"});
    [
        ("/api/game", game.clone()),
        ("/api/move", json!({"game": game, "player": "turncoat:level=1", "seed": 1})),
        ("/api/export", json!({"game": game, "to": "svg"})),
        ("/api/games", json!({"game": game, "black": "human", "white": "greedy"})),
        ("/api/games/1", json!({"game": game, "black": "human", "white": "greedy"})),
        ("/api/session", json!({"token": "0123456789abcdef"})),
    ]
}

/// Values that a field should not have.
fn odd_value(dice: &mut Dice) -> Value {
    match dice.below(9) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(1e300),
        3 => json!(u64::MAX),
        4 => json!("\0\u{1b}[2J\u{202e}"),
        5 => json!("f5".repeat(dice.below(20_000))),
        6 => (0..dice.below(200)).fold(json!([]), |inner, _| json!([inner])),
        7 => json!({"start": "(;GM[Othello]PC[".repeat(dice.below(500))}),
        _ => json!("--------".repeat(dice.below(9))),
    }
}

/// A body with a field that is odd, or with a few of its bytes changed.
fn spoilt_body(dice: &mut Dice, body: &Value) -> Vec<u8> {
    let mut body = body.clone();
    if dice.below(2) == 0
        && let Some(fields) = body.as_object_mut()
    {
        let names: Vec<String> = fields.keys().cloned().collect();
        let name = names[dice.below(names.len())].clone();
        fields.insert(name, odd_value(dice));
    }
    let mut bytes = body.to_string().into_bytes();
    for _ in 0..dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(3) {
            0 => bytes[at] = dice.below(256) as u8,
            1 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, b"[{\"0-,"[dice.below(6)]),
        }
    }
    bytes
}

/// A request with a body and these further headers.
fn with_body(path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// A body in chunks, some of which are not.
fn chunked(dice: &mut Dice, path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    );
    let size = dice.one(&["0", "1", "ffffffffffffffff", "-1", "x", "5;a=b", ""]);
    let size = if dice.below(2) == 0 { format!("{:x}", body.len()) } else { size.to_owned() };
    [head.as_bytes(), size.as_bytes(), b"\r\n", body, b"\r\n0\r\n\r\n"].concat()
}

/// A WebSocket whose frames are whatever comes.
fn bad_socket(dice: &mut Dice) -> Vec<u8> {
    let head = b"GET /api/analyze HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    [head.as_slice(), &dice.bytes(200), &[0x88, 0x80, 0, 0, 0, 0]].concat()
}

/// The head of a request of parts that do not belong together.
fn odd_head(dice: &mut Dice) -> Vec<u8> {
    let (method, path) = (dice.one(&METHODS), dice.one(&PATHS));
    let version = dice.one(&["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]);
    let mut head = format!("{method} {path} {version}\r\nHost: localhost\r\nConnection: close\r\n");
    for _ in 0..dice.below(4) {
        head += dice.one(&HEADERS);
        head += "\r\n";
    }
    if dice.below(20) == 0 {
        head += &format!("X: {}\r\n", "y".repeat(dice.below(40_000)));
    }
    if dice.below(20) == 0 {
        head += &"Z: z\r\n".repeat(dice.below(300));
    }
    (head + "\r\nhello").into_bytes()
}

/// The bad request of this number.
pub(crate) fn request(dice: &mut Dice, number: u64) -> Vec<u8> {
    let (path, body) = &bodies()[dice.below(6)];
    let mut request = match number % 6 {
        0 => with_body(path, "", &spoilt_body(dice, body)),
        1 => {
            let body = spoilt_body(dice, body);
            chunked(dice, path, &body)
        }
        2 => odd_head(dice),
        3 => bad_socket(dice),
        4 => dice.bytes(300),
        _ => with_body(path, &format!("{}\r\n", dice.one(&HEADERS)), &spoilt_body(dice, body)),
    };
    if dice.below(6) == 0 {
        let at = dice.below(request.len().min(200));
        request[at] = dice.below(256) as u8;
    }
    request
}

/// Checks what came back until the connection was closed, and counts the answers in it: nothing at all if the request
/// was not one, else answers in good form, none of which is a failure of the server, and faults of the API with a code.
pub(crate) fn check(request: &[u8], mut back: &[u8]) -> Result<usize, String> {
    let line = request.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    let mut answers = 0;
    while !back.is_empty() {
        let end = back.windows(4).position(|four| four == b"\r\n\r\n").ok_or("an answer without an end of its head")?;
        let head = String::from_utf8(back[..end].to_vec()).map_err(|_| "a head that is not text")?.to_lowercase();
        let status: u16 = head
            .strip_prefix("http/1.")
            .and_then(|rest| rest.get(2..5))
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| format!("not a status line: {head}"))?;
        back = &back[end + 4..];
        answers += 1;
        if !matches!(status, 100..500 | 503) {
            return Err(format!("status {status}"));
        }
        if status == 101 || line.starts_with("HEAD ") {
            // What follows are frames, or nothing at all.
            break;
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let length = length.unwrap_or_default();
        let body = back.get(..length).ok_or("an answer that is shorter than it says")?;
        back = &back[length..];
        if status >= 400 && head.contains("application/json") {
            let fault: Value =
                serde_json::from_slice(body).map_err(|error| format!("a fault that is not JSON: {error}"))?;
            if !fault["error"].is_string() || !fault["code"].is_string() {
                return Err(format!("a fault without a code: {fault}"));
            }
        } else if status >= 400 && head.contains("nosniff") && line.contains(" /api/") {
            return Err(format!("a fault of the API that is not JSON, status {status}"));
        }
    }
    Ok(answers)
}
