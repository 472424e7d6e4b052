//! Analysis over a WebSocket: a client sends a request and gets deeper and deeper answers until it sends another one or
//! closes the socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc;
use tokio::time;
use turncoat_api::{AnalysisAnswer, AnalysisRequest, Analysts};

use crate::peer::Peer;
use crate::rates::Bucket;
use crate::searches::{Search, SearchPool};

/// The longest that an analysis may search.
const MAX_TIME: Duration = Duration::from_mins(10);
/// Requests a second on one socket; further ones wait.
const RATE: f64 = 20.0;
/// How often the server pings.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A socket that has been silent for so long is dead.
const SILENCE: Duration = Duration::from_mins(1);

/// Who a socket belongs to, and what its analyses need.
pub(crate) struct Client {
    pub(crate) peer: Peer,
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
        let (analysts, name) = (Arc::clone(&client.analysts), client.peer.to_string());
        let search = client.searches.spawn(client.peer, MAX_TIME, move |limits| {
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
    let mut heard = Instant::now();
    let mut pings = time::interval_at(time::Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let answer = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
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
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    _ => break,
                }
            }
            _ = pings.tick() => {
                let lost = heard.elapsed() > SILENCE;
                if lost || socket.send(Message::Ping(Bytes::new())).await.is_err() {
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
