//! Many connections from one address that do not send or do not read, while another address is served.
//!
//! On Linux alone, where every machine has all addresses from 127.0.0.1 on.
#![cfg(target_os = "linux")]

mod client;

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use client::Server;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket, sockopt};
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::json;
use tungstenite::{HandshakeError, Message, WebSocket};

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
