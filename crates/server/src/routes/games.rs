//! Kept games: the list, one of them, adding, replacing and deleting.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Serialize;
use tokio::task;
use turncoat_api::{ApiFault, Code, KeepRequest, KeptGame, ListedGame, SavedGame};
use utoipa::ToSchema;

use super::Shared;
use crate::body::Body;
use crate::rejection::Rejection;
use crate::store::{Replaced, Store};

/// The number of a game in an address.
pub(super) struct Id(i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Rejection> {
        let number = Path::<i64>::from_request_parts(parts, state).await;
        number
            .map(|Path(id)| Self(id))
            .map_err(|_| Rejection::new(Code::GameNumber, "games have whole numbers, as in /api/games/1"))
    }
}

/// The number of a game that was added.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Added {
    id: i64,
}

/// Asks the store on a thread that may block.
async fn with_store<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(&Store) -> Result<T, rusqlite::Error> + Send + 'static,
) -> Result<T, Rejection> {
    let answer = task::spawn_blocking(move || ask(&shared.store)).await;
    Ok(answer.map_err(|_| Rejection::server_failed())??)
}

/// The games that were changed last, newest first.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<ListedGame>)))]
pub(super) async fn latest(State(shared): State<Shared>) -> Result<Json<Vec<ListedGame>>, Rejection> {
    let listed = with_store(shared, |store| Ok(store.latest()?.into_iter().map(ListedGame::from).collect()));
    Ok(Json(listed.await?))
}

/// Keeps a game.
#[utoipa::path(
    post,
    path = "/api/games",
    request_body = KeepRequest,
    responses((status = 201, body = Added), (status = 400, body = ApiFault))
)]
pub(super) async fn add(
    State(shared): State<Shared>,
    Body(request): Body<KeepRequest>,
) -> Result<(StatusCode, Json<Added>), Rejection> {
    let game = SavedGame::try_from(request)?;
    let id = with_store(shared, move |store| store.add(&game)).await?;
    Ok((StatusCode::CREATED, Json(Added { id })))
}

/// One game.
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    responses((status = 200, body = KeptGame), (status = 400, body = ApiFault), (status = 404, body = ApiFault))
)]
pub(super) async fn one(State(shared): State<Shared>, Id(id): Id) -> Result<Json<KeptGame>, Rejection> {
    let game = with_store(shared, move |store| store.get(id)).await?;
    game.map(Json).ok_or_else(|| no_game(id))
}

/// Replaces a game.
#[utoipa::path(
    put,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    request_body = KeepRequest,
    responses(
        (status = 204),
        (status = 400, body = ApiFault),
        (status = 404, body = ApiFault),
        (status = 409, body = ApiFault, description = "the game is not as it was seen")
    )
)]
pub(super) async fn replace(
    State(shared): State<Shared>,
    Id(id): Id,
    Body(mut request): Body<KeepRequest>,
) -> Result<StatusCode, Rejection> {
    let seen = request.seen.take();
    let game = SavedGame::try_from(request)?;
    match with_store(shared, move |store| store.replace(id, &game, seen.as_ref())).await? {
        Replaced::Done => Ok(StatusCode::NO_CONTENT),
        Replaced::Missing => Err(no_game(id)),
        Replaced::Conflict => {
            let error = format_args!("game {id} has been continued elsewhere");
            Err(ApiFault::new(Code::GameChanged, error).with("id", id).into())
        }
    }
}

/// Deletes a game.
#[utoipa::path(
    delete,
    path = "/api/games/{id}",
    params(("id" = i64, Path)),
    responses((status = 204), (status = 400, body = ApiFault), (status = 404, body = ApiFault))
)]
pub(super) async fn remove(State(shared): State<Shared>, Id(id): Id) -> Result<StatusCode, Rejection> {
    let found = with_store(shared, move |store| store.remove(id)).await?;
    found.then_some(StatusCode::NO_CONTENT).ok_or_else(|| no_game(id))
}

fn no_game(id: i64) -> Rejection {
    ApiFault::new(Code::NoGame, format_args!("there is no game with the number {id}")).with("id", id).into()
}
