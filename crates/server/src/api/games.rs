//! Games that are kept: the list, one of them, putting and forgetting.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use tokio::task;
use turncoat_players::Spec;
use turncoat_record::transcript;
use utoipa::ToSchema;

use super::Shared;
use crate::codes::Code;
use crate::fault::{ApiFault, Body, FaultView};
use crate::objects::{GameText, OutcomeView};
use crate::store::{Kept, Replaced, Seen, Store, Stored};

/// The longest name of a player that is kept.
const LONGEST_NAME: usize = 200;

/// A game to keep, as the client tells it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeepQuestion {
    game: GameText,
    /// `human`, or as in `turncoat:level=3`.
    black: String,
    white: String,
    /// Who gave it up or ran out of time.
    #[serde(default)]
    loser: Option<Side>,
    /// How the kept game was when the client saw it last; only then is it replaced.
    #[serde(default)]
    seen: Option<SeenQuestion>,
}

/// How far a game had got.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SeenQuestion {
    /// Its transcript, as the server tells it.
    moves: String,
    #[serde(default)]
    loser: Option<Side>,
}

/// A colour.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
}

impl Side {
    fn name(self) -> String {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
        .to_owned()
    }
}

impl KeepQuestion {
    /// The game, if it is one.
    fn checked(self) -> Result<Kept, ApiFault> {
        let game = self.game.read().map_err(ApiFault::bad)?;
        for name in [&self.black, &self.white] {
            if name.len() > LONGEST_NAME {
                let told = format_args!("a player is named in at most {LONGEST_NAME} bytes");
                let fault = FaultView::new(Code::NameTooLong, told).with("most", LONGEST_NAME);
                return Err(ApiFault::bad(fault));
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
            loser: self.loser.map(Side::name),
        })
    }
}

/// The number of a game in an address.
pub(super) struct Id(i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiFault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiFault> {
        let number = Path::<i64>::from_request_parts(parts, state).await;
        number.map(|Path(id)| Self(id)).map_err(|_| {
            let told = "games have whole numbers, as in /api/games/1";
            ApiFault::bad(FaultView::new(Code::GameNumber, told))
        })
    }
}

/// The number of a game that was added.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Added {
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

/// A game of the list, and how it ended on the board.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Listed {
    #[serde(flatten)]
    stored: Stored,
    outcome: Option<OutcomeView>,
}

impl Listed {
    fn of(stored: Stored) -> Self {
        let game = GameText::of(&stored.game).read().ok();
        let outcome = game.and_then(|game| OutcomeView::of(game.position(), game.variant()));
        Self { stored, outcome }
    }
}

/// The games that were changed last, the latest first.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<Listed>)))]
pub(super) async fn latest(State(shared): State<Shared>) -> Result<Json<Vec<Listed>>, ApiFault> {
    let listed = stored(shared, |store| Ok(store.latest()?.into_iter().map(Listed::of).collect()));
    Ok(Json(listed.await?))
}

/// Keeps a game.
#[utoipa::path(
    post,
    path = "/api/games",
    request_body = KeepQuestion,
    responses((status = 201, body = Added), (status = 400, body = FaultView))
)]
pub(super) async fn add(
    State(shared): State<Shared>,
    Body(question): Body<KeepQuestion>,
) -> Result<(StatusCode, Json<Added>), ApiFault> {
    let game = question.checked()?;
    let id = stored(shared, move |store| store.add(&game)).await?;
    Ok((StatusCode::CREATED, Json(Added { id })))
}

/// One game.
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    responses((status = 200, body = Stored), (status = 400, body = FaultView), (status = 404, body = FaultView))
)]
pub(super) async fn one(State(shared): State<Shared>, Id(id): Id) -> Result<Json<Stored>, ApiFault> {
    let game = stored(shared, move |store| store.get(id)).await?;
    game.map(Json).ok_or_else(|| no_game(id))
}

/// Puts a game in the place of another.
#[utoipa::path(
    put,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    request_body = KeepQuestion,
    responses(
        (status = 204),
        (status = 400, body = FaultView),
        (status = 404, body = FaultView),
        (status = 409, body = FaultView, description = "the game is not as it was seen")
    )
)]
pub(super) async fn replace(
    State(shared): State<Shared>,
    Id(id): Id,
    Body(mut question): Body<KeepQuestion>,
) -> Result<StatusCode, ApiFault> {
    let seen = question.seen.take().map(|seen| Seen { moves: seen.moves, loser: seen.loser.map(Side::name) });
    let game = question.checked()?;
    match stored(shared, move |store| store.replace(id, &game, seen.as_ref())).await? {
        Replaced::Done => Ok(StatusCode::NO_CONTENT),
        Replaced::Missing => Err(no_game(id)),
        Replaced::Conflict => {
            let told = format_args!("game {id} has been continued elsewhere");
            let fault = FaultView::new(Code::GameChanged, told).with("id", id);
            Err(ApiFault::new(StatusCode::CONFLICT, fault))
        }
    }
}

/// Forgets a game.
#[utoipa::path(
    delete,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    responses((status = 204), (status = 400, body = FaultView), (status = 404, body = FaultView))
)]
pub(super) async fn remove(State(shared): State<Shared>, Id(id): Id) -> Result<StatusCode, ApiFault> {
    let found = stored(shared, move |store| store.remove(id)).await?;
    found.then_some(StatusCode::NO_CONTENT).ok_or_else(|| no_game(id))
}

fn no_game(id: i64) -> ApiFault {
    let told = format_args!("there is no game with the number {id}");
    let fault = FaultView::new(Code::NoGame, told).with("id", id);
    ApiFault::new(StatusCode::NOT_FOUND, fault)
}
