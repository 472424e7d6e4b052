//! Bad requests of every kind, and clients that do not send or do not read, leave the server serving.

mod client;
mod hostile;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::Duration;

use client::Server;
use hostile::{Dice, check, request, setting};
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

/// Many connections from one address while another address is served.
#[cfg(target_os = "linux")]
mod crowds {
    use std::io;
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};

    use rustix::net::{AddressFamily, SocketType, bind, connect, socket, sockopt};
    use rustix::process::{Resource, getrlimit, setrlimit};
    use tungstenite::{HandshakeError, WebSocket};

    use super::*;

    /// Connections from one address: more than the server has places.
    const CROWD: usize = 600;
    /// Where the crowd comes from.
    const CROWDED: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

    /// Both ends of all connections are in this process.
    fn allow_many_files() {
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        setrlimit(Resource::Nofile, limit).unwrap();
    }

    /// A connection from the crowded address.
    fn crowded(server: &Server) -> TcpStream {
        let file = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        // What is not read should soon fill up.
        sockopt::set_socket_recv_buffer_size(&file, 4096).unwrap();
        bind(&file, &SocketAddr::new(CROWDED, 0)).unwrap();
        connect(&file, &server.address()).unwrap();
        TcpStream::from(file)
    }

    /// A socket from the crowded address, or its refusal.
    fn crowded_socket(server: &Server) -> Option<WebSocket<TcpStream>> {
        let stream = crowded(server);
        stream.set_read_timeout(Some(client::HANG)).unwrap();
        match tungstenite::client(format!("ws://{}/api/analyze", server.address()), stream) {
            Ok((socket, _)) => Some(socket),
            Err(HandshakeError::Failure(_)) => None,
            Err(HandshakeError::Interrupted(_)) => panic!("no answer"),
        }
    }

    /// Writes these bytes over and over, from where it stopped, as long as the other side takes them. Says whether the
    /// connection still stands.
    fn stuff(mut stream: &TcpStream, bytes: &[u8], sent: &mut usize) -> bool {
        stream.set_nonblocking(true).unwrap();
        loop {
            match stream.write(&bytes[*sent % bytes.len()..]) {
                Ok(written) => *sent += written,
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
    }

    fn is_served(server: &Server) {
        assert_eq!(server.ask("POST", "/api/game", &json!({"moves": "f5"})).status, 200);
        assert_eq!(server.ask("GET", "/", &json!(null)).status, 200);
        let mut socket = server.socket();
        socket.send(&json!({"game": {}}));
        assert_eq!(socket.receive()["error"], json!(null));
    }

    #[test]
    fn who_never_reads_answers_does_not_hold_up_others() {
        allow_many_files();
        let server = Server::with(|config| config.deadlines.write = Duration::from_secs(2));
        let crowd: Vec<_> = (0..CROWD).map(|_| crowded(&server)).collect();
        let body = json!({"moves": "f5d6c3d3c4f4f6f3e6e7"}).to_string();
        let head = "POST /api/game HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).repeat(20);
        let mut sent = [0; CROWD];
        for (stream, sent) in crowd.iter().zip(&mut sent) {
            stuff(stream, request.as_bytes(), sent);
        }
        is_served(&server);
        // All of them are dropped in the end.
        for (stream, sent) in crowd.iter().zip(&mut sent) {
            while stuff(stream, request.as_bytes(), sent) {
                thread::sleep(Duration::from_millis(10));
            }
        }
        is_served(&server);
    }

    #[test]
    fn sockets_that_never_read_do_not_hold_up_others() {
        allow_many_files();
        let server = Server::with(|config| config.deadlines.silence = Duration::from_secs(4));
        let mut crowd: Vec<_> = (0..256).map(|_| crowded_socket(&server).unwrap()).collect();
        for socket in &mut crowd {
            let _ = socket.send(Message::text(json!({"game": {"moves": "a1"}}).to_string()));
        }
        let mut question = Vec::new();
        let text = json!({"game": {"moves": "a1"}}).to_string();
        for _ in 0..100 {
            question.extend([0x81, 0x80 | text.len() as u8, 0, 0, 0, 0]);
            question.extend(text.as_bytes());
        }
        for socket in &crowd {
            stuff(socket.get_ref(), &question, &mut 0);
        }
        is_served(&server);
        // Even the crowded address gets another one, when one of its own has answered no ping for a while.
        while crowded_socket(&server).is_none() {
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[test]
    fn slow_senders_do_not_hold_up_others() {
        allow_many_files();
        let server = Server::with(|config| {
            config.deadlines.head = Duration::from_secs(2);
            config.deadlines.body = Duration::from_secs(2);
        });
        let mut crowd: Vec<_> = (0..CROWD).map(|_| crowded(&server)).collect();
        let head = b"POST /api/game HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        for (number, stream) in crowd.iter_mut().enumerate() {
            let _ = stream.write_all(head);
            if number % 2 == 0 {
                let _ = stream.write_all(b"Content-Length: 500\r\n\r\n{");
            }
        }
        is_served(&server);
        for stream in &mut crowd {
            stream.set_read_timeout(Some(client::HANG)).unwrap();
            if let Err(error) = stream.read_to_end(&mut Vec::new()) {
                assert_ne!(error.kind(), io::ErrorKind::WouldBlock);
            }
        }
        is_served(&server);
    }

    #[test]
    fn searches_of_one_address_leave_room_for_others() {
        let server = Server::start();
        let question = json!({"game": {}}).to_string();
        let crowd: Vec<_> = (0..64)
            .map(|_| {
                let mut socket = crowded_socket(&server).unwrap();
                socket.send(Message::text(question.clone())).unwrap();
                socket.read().unwrap();
                socket
            })
            .collect();
        is_served(&server);
        for socket in crowd {
            let _ = socket.get_ref().shutdown(Shutdown::Both);
        }
    }
}
