//! The addresses of the API and what each does.

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task;
use turncoat_board::Move;
use turncoat_players::Spec;
use turncoat_record::record::Record;
use turncoat_record::{ggf, svg, transcript};

use crate::analysis;
use crate::fault::{ApiFault, Body};
use crate::files;
use crate::guard::{Guard, guard};
use crate::objects::{Chosen, GameText, GameView};
use crate::opponents::{self, PlayerView};
use crate::store::{Kept, Store, Stored};
use crate::thinking::Thinking;

/// The longest body of a request: longer than any game in any format that is read.
const LONGEST_BODY: usize = 64 << 10;
/// The longest question on a socket.
const LONGEST_MESSAGE: usize = 16 << 10;
/// The longest name of a player that is kept.
const LONGEST_NAME: usize = 200;

/// What all requests share.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) thinking: Thinking,
    pub(crate) store: Store,
    /// How many sockets may be open.
    pub(crate) sockets: Arc<Semaphore>,
}

/// Everything that is served.
pub(crate) fn router(shared: Shared, guarded: Guard) -> Router {
    let api = Router::new()
        .route("/players", get(players))
        .route("/game", post(game))
        .route("/move", post(choose))
        .route("/export", post(export))
        .route("/analyze", get(analyze))
        .route("/games", get(latest).post(add))
        .route("/games/{id}", get(one).put(replace).delete(remove))
        .fallback(async || ApiFault::missing("the API has no such address"))
        .method_not_allowed_fallback(async || {
            ApiFault::new(StatusCode::METHOD_NOT_ALLOWED, "not with this method")
        });
    Router::new()
        .nest("/api", api)
        .route("/", get(files::index))
        .route("/{*path}", get(files::file))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(guarded, guard))
        .with_state(shared)
}

async fn players() -> Json<Vec<PlayerView>> {
    Json(opponents::list())
}

/// Reads a game in any format and tells all about it.
async fn game(Body(text): Body<GameText>) -> Result<Json<GameView>, ApiFault> {
    let game = text.read().map_err(ApiFault::bad)?;
    Ok(Json(GameView::of(&game)))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveQuestion {
    game: GameText,
    player: String,
    /// Where its random choices come from.
    #[serde(default)]
    seed: u64,
}

/// The move that a player chooses.
async fn choose(
    State(shared): State<Shared>,
    Body(question): Body<MoveQuestion>,
) -> Result<Json<Chosen>, ApiFault> {
    let game = question.game.read().map_err(ApiFault::bad)?;
    if game.position().is_over() {
        return Err(ApiFault::bad(
            "the game is over: there is nothing to choose",
        ));
    }
    let player = opponents::make(&question.player, &game, question.seed).map_err(ApiFault::bad)?;
    Ok(Json(shared.thinking.choose(game, player).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuestion {
    game: GameText,
    to: Format,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Text,
    Transcript,
    Ggf,
    Svg,
}

/// A game or its position in a format to keep.
async fn export(Body(question): Body<ExportQuestion>) -> Result<Response, ApiFault> {
    let game = question.game.read().map_err(ApiFault::bad)?;
    let plain = "text/plain; charset=utf-8";
    let (kind, text) = match question.to {
        Format::Text => (plain, game.position().to_string()),
        Format::Transcript => (plain, transcript::write(&game)),
        Format::Ggf => {
            let record = Record {
                black: question.black,
                white: question.white,
                ..Record::of(game)
            };
            (plain, ggf::write(&ggf::Ggf::of(record)))
        }
        Format::Svg => {
            let marks = svg::Marks {
                last: game.moves().last().copied().and_then(Move::square),
                legal: false,
            };
            ("image/svg+xml", svg::draw(game.position(), marks))
        }
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A socket on which positions are analysed.
async fn analyze(
    State(shared): State<Shared>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiFault> {
    let place = shared
        .sockets
        .try_acquire_owned()
        .map_err(|_| ApiFault::new(StatusCode::SERVICE_UNAVAILABLE, "too many sockets are open"))?;
    Ok(upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(async move |socket| {
            analysis::serve(socket, shared.thinking).await;
            drop(place);
        }))
}

/// A game to keep, as the client tells it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeepQuestion {
    game: GameText,
    black: String,
    white: String,
    #[serde(default)]
    loser: Option<Side>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
}

impl KeepQuestion {
    /// The game, if it is one.
    fn checked(self) -> Result<Kept, ApiFault> {
        let game = self.game.read().map_err(ApiFault::bad)?;
        for name in [&self.black, &self.white] {
            if name.len() > LONGEST_NAME {
                return Err(ApiFault::bad(format!(
                    "a player is named in at most {LONGEST_NAME} bytes"
                )));
            }
            name.parse::<Spec>().map_err(ApiFault::bad)?;
        }
        Ok(Kept {
            variant: game.variant().name().to_owned(),
            size: game.geometry().side(),
            start: game.start().to_string(),
            moves: transcript::write(&game),
            black: self.black,
            white: self.white,
            loser: self.loser.map(|side| {
                match side {
                    Side::Black => "black",
                    Side::White => "white",
                }
                .to_owned()
            }),
        })
    }
}

#[derive(Debug, Serialize)]
struct Added {
    id: i64,
}

/// Asks the store on a thread that may wait.
async fn stored<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(&Store) -> Result<T, rusqlite::Error> + Send + 'static,
) -> Result<T, ApiFault> {
    let answer = task::spawn_blocking(move || ask(&shared.store)).await;
    Ok(answer.map_err(|_| ApiFault::ours())??)
}

async fn latest(State(shared): State<Shared>) -> Result<Json<Vec<Stored>>, ApiFault> {
    Ok(Json(stored(shared, Store::latest).await?))
}

async fn add(
    State(shared): State<Shared>,
    Body(question): Body<KeepQuestion>,
) -> Result<(StatusCode, Json<Added>), ApiFault> {
    let game = question.checked()?;
    let id = stored(shared, move |store| store.add(&game)).await?;
    Ok((StatusCode::CREATED, Json(Added { id })))
}

async fn one(State(shared): State<Shared>, Path(id): Path<i64>) -> Result<Json<Stored>, ApiFault> {
    let game = stored(shared, move |store| store.get(id)).await?;
    game.map(Json).ok_or_else(|| no_game(id))
}

async fn replace(
    State(shared): State<Shared>,
    Path(id): Path<i64>,
    Body(question): Body<KeepQuestion>,
) -> Result<StatusCode, ApiFault> {
    let game = question.checked()?;
    let found = stored(shared, move |store| store.replace(id, &game)).await?;
    found
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| no_game(id))
}

async fn remove(State(shared): State<Shared>, Path(id): Path<i64>) -> Result<StatusCode, ApiFault> {
    let found = stored(shared, move |store| store.remove(id)).await?;
    found
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| no_game(id))
}

fn no_game(id: i64) -> ApiFault {
    ApiFault::missing(format!("there is no game with the number {id}"))
}
