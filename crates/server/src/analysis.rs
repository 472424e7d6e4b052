//! Analysis over a WebSocket: the client names a game, the server tells of its position, ever deeper, until it
//! hears of another one or the socket is closed.

use axum::extract::ws::{Message, WebSocket};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use turncoat_players::StopFlag;

use crate::objects::{Chosen, GameText};
use crate::opponents;
use crate::thinking::{Step, Thinking};

/// What the client asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// Chosen by the client and repeated in every answer, so that late ones can be told apart.
    #[serde(default)]
    id: u64,
    game: GameText,
    #[serde(default = "analyst")]
    player: String,
}

fn analyst() -> String {
    "turncoat".to_owned()
}

/// What the client is told.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Step {
        id: u64,
        depth: u32,
        moves: Vec<Chosen>,
    },
    /// Nothing more will come of this question.
    Done {
        id: u64,
        done: bool,
    },
    Error {
        id: u64,
        error: String,
    },
}

/// A search that goes on, and the latest that it has found. A slow reader misses steps and holds up nobody.
struct Running {
    id: u64,
    stop: StopFlag,
    search: JoinHandle<()>,
    latest: watch::Receiver<Option<Step>>,
}

impl Running {
    fn begin(text: &str, thinking: &Thinking) -> Result<Self, (u64, String)> {
        let question: Question =
            serde_json::from_str(text).map_err(|error| (0, error.to_string()))?;
        let id = question.id;
        let fault = |error: &dyn std::fmt::Display| (id, error.to_string());
        let game = question.game.read().map_err(|error| fault(&error))?;
        if game.position().legal_moves().is_empty() {
            return Err((id, "there is no move to analyse".to_owned()));
        }
        let player = opponents::make(&question.player, &game, 1).map_err(|error| fault(&error))?;
        let stop = StopFlag::default();
        let (tell, latest) = watch::channel(None);
        let search = thinking
            .analyze(game, player, stop.clone(), move |step| {
                tell.send(Some(step)).is_ok()
            })
            .map_err(|error| fault(&error))?;
        Ok(Self {
            id,
            stop,
            search,
            latest,
        })
    }

    /// The next step, or nothing when there is no more.
    async fn next(&mut self) -> Option<Step> {
        self.latest.changed().await.ok()?;
        self.latest.borrow_and_update().clone()
    }

    /// Ends the search; a new one of the same client begins only after it.
    async fn end(mut self) {
        self.stop.raise();
        // How it ended does not matter any more.
        let _ = (&mut self.search).await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// Serves one socket until it is closed.
pub(crate) async fn serve(mut socket: WebSocket, thinking: Thinking) {
    let mut running: Option<Running> = None;
    loop {
        let answer = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if let Some(old) = running.take() {
                        old.end().await;
                    }
                    match Running::begin(&text, &thinking) {
                        Ok(new) => {
                            running = Some(new);
                            continue;
                        }
                        Err((id, error)) => Answer::Error { id, error },
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                _ => break,
            },
            (id, step) = next(&mut running) => if let Some(Step { depth, moves }) = step {
                Answer::Step { id, depth, moves }
            } else {
                running = None;
                Answer::Done { id, done: true }
            },
        };
        let Ok(text) = serde_json::to_string(&answer) else {
            break;
        };
        if socket.send(Message::Text(text.into())).await.is_err() {
            break;
        }
    }
}

/// The next step of the search that goes on; waits for ever if there is none.
async fn next(running: &mut Option<Running>) -> (u64, Option<Step>) {
    match running {
        Some(running) => (running.id, running.next().await),
        None => std::future::pending().await,
    }
}
