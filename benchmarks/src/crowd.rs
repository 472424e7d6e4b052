//! `cargo xtask bench crowd`: how long another client waits beside a crowd that does not read or send, and what memory
//! stays after a load. `TURNCOAT` may name another build to compare with.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::net::{AddressFamily, SocketType, bind, connect, socket, sockopt};
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

use crate::program;

/// Connections of the crowd, and its sockets.
const CROWD: usize = 600;
const SOCKETS: usize = 256;
/// Answers that the other client waits for, and how long at most.
const ANSWERS: usize = 20;
const PATIENCE: Duration = Duration::from_mins(1);
/// The load: rounds of analyses of several addresses, for so long each.
const ROUNDS: u8 = 4;
const ANALYSES: u8 = 64;
const ANALYSED: Duration = Duration::from_secs(15);
/// The address of the other client, and of the crowd.
const OTHER: u8 = 1;
const CROWDED: u8 = 2;

struct Server {
    process: Child,
    address: SocketAddr,
    _data: TempDir,
}

impl Server {
    fn start() -> Result<Self> {
        let data = tempfile::tempdir()?;
        let mut command = Command::new(program::turncoat()?);
        command.args(["serve", "--json", "--rate", "0", "--addr", "127.0.0.1:0", "--data"]).arg(data.path());
        let mut process = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut line)?;
        let ready: Value = serde_json::from_str(&line)?;
        let address = ready["address"].as_str().context("no address")?;
        let address = address.trim_start_matches("http://").trim_end_matches('/').parse()?;
        Ok(Self { process, address, _data: data })
    }

    /// A connection from 127.0.0.x that holds little of what it does not read.
    fn connect(&self, from: u8) -> Result<TcpStream> {
        let file = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        sockopt::set_socket_recv_buffer_size(&file, 4096)?;
        bind(&file, &SocketAddr::new(IpAddr::from([127, 0, 0, from]), 0))?;
        connect(&file, &self.address)?;
        let stream = TcpStream::from(file);
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    fn socket(&self, from: u8) -> Result<WebSocket<TcpStream>> {
        let opened = tungstenite::client(format!("ws://{}/api/analyze", self.address), self.connect(from)?);
        opened.map(|(socket, _)| socket).map_err(|error| anyhow::anyhow!("{error}"))
    }

    /// Memory of the server in MiB.
    fn memory(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn post(path: &str, body: &Value, headers: &str) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Writes these bytes over and over as long as the server takes them at once.
fn stuff(mut stream: &TcpStream, bytes: &[u8]) -> Result<()> {
    stream.set_nonblocking(true)?;
    let mut sent = 0;
    while let Ok(written) = stream.write(&bytes[sent % bytes.len()..]) {
        sent += written;
    }
    Ok(())
}

/// The median and the worst of some waits, in words.
fn told(mut waits: Vec<Option<Duration>>) -> String {
    // Who was not answered waited longest.
    waits.sort_by_key(|wait| wait.unwrap_or(Duration::MAX));
    let word = |wait: Option<&Option<Duration>>| match wait {
        Some(Some(wait)) => format!("{:.0} ms", wait.as_secs_f64() * 1000.0),
        _ => "no answer".to_owned(),
    };
    format!("{}, {}", word(waits.get(waits.len() / 2)), word(waits.last()))
}

/// How long another address waits for its answers. After one that does not come, nobody waits for more.
fn waits(ask: impl Fn() -> Result<()>) -> String {
    let mut waits = Vec::new();
    for _ in 0..ANSWERS {
        let began = Instant::now();
        let answered = ask().is_ok();
        waits.push(answered.then(|| began.elapsed()));
        if !answered && began.elapsed() > PATIENCE / 2 {
            break;
        }
    }
    told(waits)
}

/// A game is read for another address.
fn read_game(server: &Server) -> Result<()> {
    let mut stream = server.connect(OTHER)?;
    stream.write_all(post("/api/game", &json!({"moves": "f5"}), "Connection: close\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { bail!("refused") }
}

fn never_reading() -> Result<String> {
    let server = Server::start()?;
    let crowd = (0..CROWD).map(|_| server.connect(CROWDED)).collect::<Result<Vec<_>>>()?;
    let request = post("/api/game", &json!({"moves": "f5d6c3d3c4f4f6f3e6e7"}), "").repeat(100);
    crowd.iter().try_for_each(|stream| stuff(stream, request.as_bytes()))?;
    Ok(waits(|| read_game(&server)))
}

fn deaf_sockets() -> Result<String> {
    let server = Server::start()?;
    let crowd = (0..SOCKETS).map(|_| server.socket(CROWDED)).collect::<Result<Vec<_>>>()?;
    let text = json!({"game": {"moves": "a1"}}).to_string();
    let frame = [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0], text.as_bytes()].concat().repeat(100);
    crowd.iter().try_for_each(|socket| stuff(socket.get_ref(), &frame))?;
    Ok(waits(|| {
        let mut socket = server.socket(OTHER)?;
        socket.send(Message::text(json!({"game": {"size": 4}}).to_string()))?;
        socket.read()?;
        Ok(())
    }))
}

fn slow_senders() -> Result<String> {
    let server = Server::start()?;
    let mut crowd = (0..CROWD).map(|_| server.connect(CROWDED)).collect::<Result<Vec<_>>>()?;
    for stream in &mut crowd {
        stream.write_all(b"POST /api/game HTTP/1.1\r\nHost: ")?;
    }
    Ok(waits(|| read_game(&server)))
}

/// One round: analyses of many addresses at once, and moves beside them.
fn load(server: &Server, round: u8) {
    thread::scope(|scope| {
        for client in 0..ANALYSES {
            scope.spawn(move || -> Result<()> {
                let mut socket = server.socket(10 + client)?;
                let moves = &"f5d6c3d3c4f4f6f3e6e7"[..4 + 2 * usize::from((client + round) % 8)];
                socket.send(Message::text(json!({"game": {"moves": moves}}).to_string()))?;
                let began = Instant::now();
                while began.elapsed() < ANALYSED {
                    socket.read()?;
                }
                Ok(())
            });
            scope.spawn(move || -> Result<()> {
                let mut stream = server.connect(10 + client)?;
                let question = json!({"game": {"moves": "f5d6c3"}, "player": "turncoat:level=15"});
                stream.write_all(post("/api/move", &question, "Connection: close\r\n").as_bytes())?;
                stream.read_to_end(&mut Vec::new())?;
                Ok(())
            });
        }
    });
}

fn memory() -> Result<()> {
    let server = Server::start()?;
    println!("| memory at the start | {:.0} MiB |", server.memory()?);
    let mut most: f64 = 0.0;
    for round in 0..ROUNDS {
        thread::scope(|scope| -> Result<()> {
            let loading = scope.spawn(|| load(&server, round));
            while !loading.is_finished() {
                most = most.max(server.memory()?);
                thread::sleep(Duration::from_millis(100));
            }
            Ok(())
        })?;
    }
    println!("| at most, in {ROUNDS} rounds of {ANALYSES} analyses and as many moves at once | {most:.0} MiB |");
    println!("| right afterwards | {:.0} MiB |", server.memory()?);
    for seconds in [30, 60] {
        thread::sleep(Duration::from_secs(seconds));
        println!("| {} s later | {:.0} MiB |", if seconds == 30 { 30 } else { 90 }, server.memory()?);
    }
    Ok(())
}

pub(crate) fn run() -> Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit)?;
    println!("| another address waits, median and worst of {ANSWERS} | |\n|---|---|");
    println!("| beside {CROWD} connections that never read their answers | {} |", never_reading()?);
    println!("| for a socket, beside {SOCKETS} sockets that ask and never read | {} |", deaf_sockets()?);
    println!("| beside {CROWD} connections that do not finish their requests | {} |", slow_senders()?);
    memory()
}
