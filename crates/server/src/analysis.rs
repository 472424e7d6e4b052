//! Analysis over a WebSocket: a client sends a request and gets deeper and deeper answers until it sends another one or
//! closes the socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc;
use tokio::time;
use turncoat_api::{AnalysisAnswer, AnalysisRequest, Analysts};

use crate::peer::Peer;
use crate::rates::Bucket;
use crate::searches::{Search, SearchPool};
use crate::sockets::Pulse;

/// The longest that an analysis may search.
const MAX_TIME: Duration = Duration::from_mins(10);
/// Requests a second on one socket; further ones wait.
const RATE: f64 = 20.0;

/// What the analyses of a socket need.
pub(crate) struct Engine {
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
    fn start(text: &str, engine: &Engine, peer: Peer) -> Result<Self, AnalysisAnswer> {
        let request = AnalysisRequest::parse(text)?;
        let id = request.id;
        let (sender, answers) = mpsc::unbounded_channel();
        let (analysts, name) = (Arc::clone(&engine.analysts), peer.to_string());
        let search = engine.searches.spawn(peer, MAX_TIME, move |limits| {
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
pub(crate) async fn serve(mut socket: WebSocket, mut pulse: Pulse, engine: Engine) {
    let mut running: Option<Running> = None;
    let mut tokens = Bucket::full(RATE, Instant::now());
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
                        match Running::start(&text, &engine, pulse.peer()) {
                            Ok(new) => {
                                running = Some(new);
                                continue;
                            }
                            Err(refusal) => refusal,
                        }
                    }
                    Some(Ok(Message::Pong(number))) => {
                        pulse.note(&number);
                        continue;
                    }
                    Some(Ok(Message::Ping(_))) => continue,
                    _ => break,
                }
            }
            () = pulse.is_due() => {
                if !pulse.beat(&mut socket).await {
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
