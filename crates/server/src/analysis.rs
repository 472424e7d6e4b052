//! Analysis over a WebSocket: the client names a game, the server tells of its position or of all its moves, ever
//! deeper, until it hears of another one or the socket is closed.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time;
use turncoat_players::{Chosen, Judged, StopFlag};
use utoipa::ToSchema;

use crate::codes::Code;
use crate::fault::{FaultView, read_json, read_object};
use crate::objects::GameText;
use crate::opponents;
use crate::rates::Bucket;
use crate::thinking::{Step, ThinkError, Thinking};

/// Questions a second on one socket; who asks more often waits.
const RATE: f64 = 20.0;
/// How often a sign of life is asked for.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A socket that has been silent for so long is dead.
const SILENCE: Duration = Duration::from_mins(1);

/// What the client asks for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// Chosen by the client and repeated in every answer, so that late ones can be told apart.
    #[serde(default)]
    #[expect(dead_code, reason = "read before the rest, which may not be readable")]
    id: u64,
    game: GameText,
    /// Who analyses.
    #[serde(default = "analyst")]
    player: String,
    /// Whether every move of the game is judged, rather than every move of its last position.
    #[serde(default)]
    whole: bool,
}

fn analyst() -> String {
    "turncoat".to_owned()
}

/// What the client is told.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// The moves of a position, best first, after one more look.
    Step { id: u64, depth: u32, moves: Vec<Chosen> },
    /// One move of a game; those that come later of the same move look deeper.
    Judged { id: u64, judged: Judged },
    /// Nothing more will come of this question.
    Done { id: u64, done: bool },
    /// The question has no answer.
    Error {
        id: u64,
        #[serde(flatten)]
        fault: FaultView,
    },
}

/// What a search has found.
enum Found {
    /// The latest alone: a slow reader misses steps and holds up nobody.
    Latest(watch::Receiver<Option<Step>>),
    /// One after the other; there are only so many moves in a game.
    Each(mpsc::UnboundedReceiver<Judged>),
}

/// A search that goes on.
struct Running {
    id: u64,
    stop: StopFlag,
    search: JoinHandle<Result<(), ThinkError>>,
    found: Found,
}

impl Running {
    /// Begins with a question, or tells under which number it is refused.
    fn begin(text: &str, thinking: &Thinking) -> Result<Self, (u64, FaultView)> {
        let value = read_json(text.as_bytes()).map_err(|fault| (0, fault))?;
        // A question that cannot be read is answered under its number all the same.
        let id = value["id"].as_u64().unwrap_or(0);
        let begun = read_object(value).and_then(|question| Self::answer(id, &question, thinking));
        begun.map_err(|fault| (id, fault))
    }

    fn answer(id: u64, question: &Question, thinking: &Thinking) -> Result<Self, FaultView> {
        let game = question.game.read()?;
        let player = opponents::make(&question.player, &game, 1)?;
        let stop = StopFlag::default();
        let (search, found) = if question.whole {
            let (tell, each) = mpsc::unbounded_channel();
            let tell = move |judged| tell.send(judged).is_ok();
            (thinking.judge(game, player, stop.clone(), tell), Found::Each(each))
        } else {
            if game.position().legal_moves().is_empty() {
                let told = "there is no move to analyse";
                return Err(FaultView::new(Code::NothingToAnalyse, told));
            }
            let (tell, latest) = watch::channel(None);
            let tell = move |step| tell.send(Some(step)).is_ok();
            (thinking.analyze(game, player, stop.clone(), tell), Found::Latest(latest))
        };
        Ok(Self { id, stop, search: search?, found })
    }

    /// The next that is found; at the end, how it ended.
    async fn next(&mut self) -> Answer {
        let id = self.id;
        let found = match &mut self.found {
            Found::Each(each) => each.recv().await.map(|judged| Answer::Judged { id, judged }),
            Found::Latest(latest) => match latest.changed().await {
                Ok(()) => {
                    latest.borrow_and_update().clone().map(|Step { depth, moves }| Answer::Step { id, depth, moves })
                }
                Err(_) => None,
            },
        };
        match found {
            Some(answer) => answer,
            None => match (&mut self.search).await {
                Ok(Ok(())) => Answer::Done { id, done: true },
                Ok(Err(error)) => Answer::Error { id, fault: error.into() },
                Err(_) => Answer::Error { id, fault: ThinkError::Broken.into() },
            },
        }
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

/// Serves one socket until it is closed or dead.
pub(crate) async fn serve(mut socket: WebSocket, thinking: Thinking) {
    let mut running: Option<Running> = None;
    let mut leave = Bucket::full(RATE, Instant::now());
    let mut heard = Instant::now();
    let mut pings = time::interval_at(time::Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        let answer = tokio::select! {
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if let Some(old) = running.take() {
                            old.end().await;
                        }
                        if let Err(wait) = leave.take(RATE, Instant::now()) {
                            time::sleep(wait).await;
                        }
                        match Running::begin(&text, &thinking) {
                            Ok(new) => {
                                running = Some(new);
                                continue;
                            }
                            Err((id, fault)) => Answer::Error { id, fault },
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
        if matches!(answer, Answer::Done { .. } | Answer::Error { .. }) {
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

/// The next answer of the search that goes on; waits for ever if there is none.
async fn next(running: &mut Option<Running>) -> Answer {
    match running {
        Some(running) => running.next().await,
        None => std::future::pending().await,
    }
}
