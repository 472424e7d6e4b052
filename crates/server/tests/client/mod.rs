//! A server of its own for each test, and the plainest of clients.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod contests;
pub(crate) mod runs;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};
use turncoat_players::StopFlag;
use turncoat_server::{Access, Config, Deadlines, serve};

/// Longer than anything takes here; only a hang is that long.
pub(crate) const HANG: Duration = Duration::from_mins(2);

/// A server with a data folder of its own.
pub(crate) struct Server {
    data: TempDir,
    address: SocketAddr,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// One that may be asked as often as one likes.
    pub(crate) fn start() -> Self {
        Self::with_rate(None)
    }

    /// One that may be asked so many times a second.
    pub(crate) fn with_rate(rate: Option<u32>) -> Self {
        Self::with(|config| config.rate = rate)
    }

    /// One with other settings than the usual ones.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut config = usual(&data);
        change(&mut config);
        let (address, stop, thread) = begin(config);
        Self { data, address, stop, thread: Some(thread) }
    }

    /// Stops and starts it again, with the same data.
    pub(crate) fn restart(&mut self) {
        self.end();
        self.start_again(SocketAddr::from(([127, 0, 0, 1], 0)));
    }

    /// Stops it, and waits until it is gone.
    pub(crate) fn end(&mut self) {
        self.stop.raise();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Starts one that was ended again, with the same data.
    pub(crate) fn start_again(&mut self, address: SocketAddr) {
        let mut config = usual(&self.data);
        config.address = Some(address);
        let (address, stop, thread) = begin(config);
        (self.address, self.stop, self.thread) = (address, stop, Some(thread));
    }

    /// The answer to a request with a JSON body, or without one if it is null.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let host = format!("Host: {}\r\n", self.address);
        let request = if body.is_null() {
            format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n")
        } else {
            post(path, &host, &body.to_string()).replacen("POST", method, 1)
        };
        self.send(request.as_bytes()).unwrap()
    }

    /// The answer to whatever is sent.
    pub(crate) fn send(&self, request: &[u8]) -> io::Result<Answer> {
        let mut stream = TcpStream::connect(self.address)?;
        // A server that refuses a long body may close before it has all.
        let _ = stream.write_all(request);
        read(stream)
    }

    /// Where it is.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A socket for analysis.
    pub(crate) fn socket(&self) -> Socket {
        self.socket_at("analyze")
    }

    /// A socket of this address.
    pub(crate) fn socket_at(&self, path: &str) -> Socket {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(HANG)).unwrap();
        let address = format!("ws://{}/api/{path}", self.address);
        Socket(tungstenite::client(address, stream).unwrap().0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

fn usual(data: &TempDir) -> Config {
    Config {
        address: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        data: data.path().to_owned(),
        // Searches that nobody waits for would take the browser's core.
        workers: 1,
        origins: Vec::new(),
        public: None,
        rate: None,
        access: Access::Usual,
        deadlines: Deadlines::default(),
        runs: None,
        contests: None,
        matches: None,
        players: turncoat_api::opponents(),
    }
}

fn begin(config: Config) -> (SocketAddr, StopFlag, JoinHandle<()>) {
    let stop = StopFlag::default();
    let (tell, told) = mpsc::channel();
    let flag = stop.clone();
    let thread = thread::spawn(move || {
        serve(config, &flag, |site| tell.send(site.address).unwrap()).unwrap();
    });
    (told.recv().unwrap(), stop, thread)
}

/// What comes back until the connection is closed.
fn read(mut stream: TcpStream) -> io::Result<Answer> {
    stream.set_read_timeout(Some(HANG))?;
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    if bytes.is_empty() {
        read?;
    }
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let status = head.get(9..12).and_then(|status| status.parse().ok());
    Ok(Answer { status: status.ok_or(io::ErrorKind::InvalidData)?, head: head.to_owned(), body: body.to_owned() })
}

/// A request with a body.
pub(crate) fn post(path: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

/// A socket for analysis.
pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn send(&mut self, question: &Value) {
        self.0.send(Message::text(question.to_string())).unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        loop {
            // Pings are answered on the way.
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The code with which the server closes it; whatever comes before is left unread.
    pub(crate) fn closed(&mut self) -> Option<u16> {
        loop {
            if let Message::Close(frame) = self.0.read().unwrap() {
                return frame.map(|frame| frame.code.into());
            }
        }
    }

    /// Asks again while the server says that it is too busy.
    pub(crate) fn ask_until_answered(&mut self, question: &Value) {
        loop {
            self.send(question);
            let answer = self.receive();
            match answer["error"].as_str() {
                None => break,
                Some(error) => assert!(error.contains("too many searches"), "{error}"),
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}
