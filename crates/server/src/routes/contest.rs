//! Contests between programs, where the server was given a store of one.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Extension, Json};
use serde::Deserialize;
use tokio::task;
use turncoat_api::{
    ApiFault, Code, ContestGame, ContestGameDetails, ContestView, ContestantDetails, Contests, LiveView, Viewer,
};
use utoipa::ToSchema;

use super::Shared;
use crate::body::Body;
use crate::connections::Connection;
use crate::rejection::Rejection;
use crate::sockets::Upgrade;

/// Asks on a thread that may block: the store is read.
async fn with_contests<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(Arc<dyn Contests>) -> Result<T, ApiFault> + Send + 'static,
) -> Result<Json<T>, Rejection> {
    let contests = shared.contests.ok_or_else(none)?;
    let answer = task::spawn_blocking(move || ask(contests)).await;
    Ok(Json(answer.map_err(|_| Rejection::server_failed())??))
}

fn none() -> Rejection {
    Rejection::new(Code::NoArena, "this server shows no contest: serve --store FILE does")
}

/// The token of a program: its bearer sees what that program printed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramToken {
    token: String,
}

type Number<T> = Result<Path<T>, PathRejection>;

/// What the address names.
fn named<T>(path: Number<T>) -> Result<T, Rejection> {
    path.map(|Path(found)| found).map_err(|error| Rejection::new(Code::NoAddress, error.body_text()))
}

/// Games before this number; 0 is all.
fn before(number: u64) -> Option<u64> {
    Some(number).filter(|&number| number > 0)
}

/// The table of the contest.
#[utoipa::path(get, path = "/api/contest", responses((status = 200, body = ContestView), (status = 404, body = ApiFault)))]
pub(super) async fn table(State(shared): State<Shared>) -> Result<Json<ContestView>, Rejection> {
    with_contests(shared, |contests| contests.table()).await
}

/// The games under way.
#[utoipa::path(get, path = "/api/contest/live", responses((status = 200, body = LiveView), (status = 404, body = ApiFault)))]
pub(super) async fn live(State(shared): State<Shared>) -> Result<Json<LiveView>, Rejection> {
    with_contests(shared, |contests| contests.live()).await
}

/// A WebSocket on which the games under way are sent as they go on; clients send nothing.
#[utoipa::path(
    get,
    path = "/api/contest/watch",
    responses(
        (status = 101, description = "a socket of LiveChange"),
        (status = 400, body = ApiFault, description = "the request opens no socket"),
        (status = 404, body = ApiFault),
        (status = 503, body = ApiFault)
    )
)]
pub(super) async fn watch(
    State(shared): State<Shared>,
    Extension(connection): Extension<Arc<Connection>>,
    upgrade: Upgrade,
) -> Result<Response, Rejection> {
    let watchers = shared.watchers.ok_or_else(none)?;
    shared.sockets.open(&connection, upgrade, move |socket, pulse| watchers.serve(socket, pulse))
}

/// A player with its versions and its history.
#[utoipa::path(
    get,
    path = "/api/contest/players/{name}",
    params(("name" = String, Path, description = "as the table has it, with / as %2F")),
    responses((status = 200, body = ContestantDetails), (status = 404, body = ApiFault))
)]
pub(super) async fn player(
    State(shared): State<Shared>,
    name: Number<String>,
) -> Result<Json<ContestantDetails>, Rejection> {
    let name = named(name)?;
    with_contests(shared, move |contests| contests.player(&name)).await
}

/// The latest games before a number, at most a hundred.
#[utoipa::path(
    get,
    path = "/api/contest/before/{number}",
    params(("number" = u64, Path, description = "0 for the latest")),
    responses((status = 200, body = Vec<ContestGame>), (status = 404, body = ApiFault))
)]
pub(super) async fn games(
    State(shared): State<Shared>,
    number: Number<u64>,
) -> Result<Json<Vec<ContestGame>>, Rejection> {
    let number = named(number)?;
    with_contests(shared, move |contests| contests.games(None, before(number))).await
}

/// The latest games of a player before a number, at most a hundred.
#[utoipa::path(
    get,
    path = "/api/contest/players/{name}/before/{number}",
    params(("name" = String, Path), ("number" = u64, Path, description = "0 for the latest")),
    responses((status = 200, body = Vec<ContestGame>), (status = 404, body = ApiFault))
)]
pub(super) async fn games_of(
    State(shared): State<Shared>,
    place: Number<(String, u64)>,
) -> Result<Json<Vec<ContestGame>>, Rejection> {
    let (name, number) = named(place)?;
    with_contests(shared, move |contests| contests.games(Some(&name), before(number))).await
}

/// A game with its moves, times and logs.
#[utoipa::path(
    get,
    path = "/api/contest/games/{number}",
    params(("number" = u64, Path)),
    responses((status = 200, body = ContestGameDetails), (status = 404, body = ApiFault))
)]
pub(super) async fn game(
    State(shared): State<Shared>,
    number: Number<u64>,
) -> Result<Json<ContestGameDetails>, Rejection> {
    let number = named(number)?;
    // An address that only this machine reaches is its owner's.
    let viewer = if shared.site.is_its_users() { Viewer::Owner } else { Viewer::Anyone };
    with_contests(shared, move |contests| contests.game(number, &viewer)).await
}

/// The same with what the program of a token printed.
#[utoipa::path(
    post,
    path = "/api/contest/games/{number}",
    params(("number" = u64, Path)),
    request_body = ProgramToken,
    responses((status = 200, body = ContestGameDetails), (status = 404, body = ApiFault))
)]
pub(super) async fn game_of(
    State(shared): State<Shared>,
    number: Number<u64>,
    Body(request): Body<ProgramToken>,
) -> Result<Json<ContestGameDetails>, Rejection> {
    let number = named(number)?;
    let viewer = Viewer::Bearer(request.token);
    with_contests(shared, move |contests| contests.game(number, &viewer)).await
}
