//! Analysis over a WebSocket: a client sends a request and gets deeper and deeper answers until it sends another one or
//! closes the socket.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc;
use tokio::time;
use turncoat_api::{AnalysisAnswer, AnalysisRequest, Analysts};

use crate::connections::Connection;
use crate::peer::Peer;
use crate::places::Occupant;
use crate::rates::Bucket;
use crate::searches::{Search, SearchPool};

/// The longest that an analysis may search.
const MAX_TIME: Duration = Duration::from_mins(10);
/// Requests a second on one socket; further ones wait.
const RATE: f64 = 20.0;
/// Pings in the time after which a client that answers none is dead.
const PINGS: u32 = 6;

/// A socket that is open. It lives as long as it answers pings, which proves that it is read: one that only sends does not.
#[derive(Debug)]
pub(crate) struct OpenSocket {
    connection: Arc<Connection>,
    answered: Mutex<Instant>,
}

impl OpenSocket {
    pub(crate) fn new(connection: Arc<Connection>) -> Self {
        Self { connection, answered: Mutex::new(Instant::now()) }
    }

    fn note_answer(&self) {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

impl Occupant for OpenSocket {
    fn peer(&self) -> Peer {
        self.connection.peer()
    }

    fn last_active(&self) -> Instant {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn evict(&self) {
        self.connection.end();
    }
}

/// Who a socket belongs to, and what its analyses need.
pub(crate) struct Client {
    pub(crate) socket: Arc<OpenSocket>,
    /// When it has answered no ping for so long, it is dead.
    pub(crate) silence: Duration,
    pub(crate) searches: SearchPool,
    pub(crate) analysts: Arc<Analysts>,
}

/// An analysis under way.
struct Running {
    id: u64,
    search: Search<()>,
    answers: mpsc::UnboundedReceiver<AnalysisAnswer>,
}

impl Running {
    /// Starts the analysis that a text asks for, or returns the refusal.
    fn start(text: &str, client: &Client) -> Result<Self, AnalysisAnswer> {
        let request = AnalysisRequest::parse(text)?;
        let id = request.id;
        let (sender, answers) = mpsc::unbounded_channel();
        let (analysts, name) = (Arc::clone(&client.analysts), client.socket.peer().to_string());
        let search = client.searches.spawn(client.socket.peer(), MAX_TIME, move |limits| {
            let mut send = |answer| {
                if sender.send(answer).is_err() {
                    limits.stop.raise();
                }
            };
            Ok(request.prepare(&analysts, &name)?.run(limits, &mut send)?)
        });
        let search = search.map_err(|fault| AnalysisAnswer::Fault { id, fault })?;
        Ok(Self { id, search, answers })
    }

    /// The next answer. A slow reader gets only the deepest of the answers that wait for it.
    async fn next(&mut self) -> AnalysisAnswer {
        let id = self.id;
        if let Some(mut answer) = self.answers.recv().await {
            while matches!(answer, AnalysisAnswer::Moves { .. })
                && let Ok(deeper) = self.answers.try_recv()
            {
                answer = deeper;
            }
            return answer;
        }
        match self.search.finish().await {
            Ok(()) => AnalysisAnswer::Done { id, done: true },
            Err(fault) => AnalysisAnswer::Fault { id, fault },
        }
    }
}

/// Serves one socket until it is closed or dead.
pub(crate) async fn serve(mut socket: WebSocket, client: Client) {
    let mut running: Option<Running> = None;
    let mut tokens = Bucket::full(RATE, Instant::now());
    let mut pings = time::interval(client.silence / PINGS);
    let mut ping = 0_u64;
    loop {
        let answer = tokio::select! {
            message = socket.recv() => {
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if let Some(old) = running.take() {
                            old.search.stop().await;
                        }
                        if let Err(wait) = tokens.take(RATE, Instant::now()) {
                            time::sleep(wait).await;
                        }
                        match Running::start(&text, &client) {
                            Ok(new) => {
                                running = Some(new);
                                continue;
                            }
                            Err(refusal) => refusal,
                        }
                    }
                    Some(Ok(Message::Pong(number))) => {
                        if *number == ping.to_be_bytes() {
                            client.socket.note_answer();
                        }
                        continue;
                    }
                    Some(Ok(Message::Ping(_))) => continue,
                    _ => break,
                }
            }
            _ = pings.tick() => {
                ping += 1;
                let is_lost = client.socket.last_active().elapsed() > client.silence;
                let number = Bytes::from_owner(ping.to_be_bytes());
                if is_lost || socket.send(Message::Ping(number)).await.is_err() {
                    break;
                }
                continue;
            }
            answer = next(&mut running) => answer,
        };
        if matches!(answer, AnalysisAnswer::Done { .. } | AnalysisAnswer::Fault { .. }) {
            running = None;
        }
        let Ok(text) = serde_json::to_string(&answer) else {
            break;
        };
        if socket.send(Message::Text(text.into())).await.is_err() {
            break;
        }
    }
}

/// The next answer of the analysis under way; pending for ever if there is none.
async fn next(running: &mut Option<Running>) -> AnalysisAnswer {
    match running {
        Some(running) => running.next().await,
        None => std::future::pending().await,
    }
}
