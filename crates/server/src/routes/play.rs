//! Playing: the players, games with their positions, moves, and games in other formats.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use tokio::task;
use turncoat_api::{
    ApiFault, BookRequest, BookView, Code, CountAnswer, CountRequest, ExplainRequest, ExplanationView, ExportRequest,
    GameText, GameView, MoveRequest, PlayerView, ScoredMove, choose_move, count_games, export_game, look_up, read_game,
};

use super::Shared;
use crate::analysis::{self, Engine};
use crate::body::Body;
use crate::connections::Connection;
use crate::places::Occupant;
use crate::rejection::Rejection;
use crate::sockets::Upgrade;

/// The longest that a player may search for a move.
const LONGEST_MOVE: Duration = Duration::from_secs(10);

/// The players, with the options that a request may set.
#[utoipa::path(get, path = "/api/players", responses((status = 200, body = Vec<PlayerView>)))]
pub(super) async fn players(State(shared): State<Shared>) -> Result<Json<Vec<PlayerView>>, Rejection> {
    // Files may have to be read.
    let listed = task::spawn_blocking(move || turncoat_api::players(&shared.players)).await;
    Ok(Json(listed.map_err(|_| Rejection::server_failed())?))
}

/// What a player sees in a position, feature by feature.
#[utoipa::path(
    post,
    path = "/api/explain",
    request_body = ExplainRequest,
    responses((status = 200, body = ExplanationView), (status = 400, body = ApiFault))
)]
pub(super) async fn explain(
    State(shared): State<Shared>,
    Body(request): Body<ExplainRequest>,
) -> Result<Json<ExplanationView>, Rejection> {
    let found = task::spawn_blocking(move || turncoat_api::explain(&request, &shared.players)).await;
    Ok(Json(found.map_err(|_| Rejection::server_failed())??))
}

/// What the opening book says about a position.
#[utoipa::path(
    post,
    path = "/api/book",
    request_body = BookRequest,
    responses((status = 200, body = BookView), (status = 400, body = ApiFault))
)]
pub(super) async fn book(Body(request): Body<BookRequest>) -> Result<Json<BookView>, Rejection> {
    // The first call for a game reads a file.
    let found = task::spawn_blocking(move || look_up(&request)).await;
    Ok(Json(found.map_err(|_| Rejection::server_failed())??))
}

/// The same, by address.
#[utoipa::path(
    get,
    path = "/api/book/{variant}/{size}/{position}",
    params(
        ("variant" = String, Path, description = "reversed or reversi"),
        ("size" = u8, Path, description = "8, 6 or 4"),
        ("position" = String, Path, description = "start, a transcript or a position"),
    ),
    responses((status = 200, body = BookView), (status = 400, body = ApiFault))
)]
pub(super) async fn book_at(
    address: Result<Path<(String, u8, String)>, PathRejection>,
) -> Result<Json<BookView>, Rejection> {
    let Path((variant, size, start)) = address.map_err(|error| Rejection::new(Code::NoAddress, error.body_text()))?;
    book(Body(BookRequest { game: GameText { variant, size, start, ..GameText::default() } })).await
}

/// A game in any format, with all its positions.
#[utoipa::path(
    post,
    path = "/api/game",
    request_body = GameText,
    responses((status = 200, body = GameView), (status = 400, body = ApiFault))
)]
pub(super) async fn game(Body(text): Body<GameText>) -> Result<Json<GameView>, Rejection> {
    Ok(Json(read_game(&text)?))
}

/// The discs of many games.
#[utoipa::path(
    post,
    path = "/api/count",
    request_body = CountRequest,
    responses((status = 200, body = CountAnswer), (status = 400, body = ApiFault))
)]
pub(super) async fn count(Body(request): Body<CountRequest>) -> Result<Json<CountAnswer>, Rejection> {
    let counted = task::spawn_blocking(move || count_games(&request)).await;
    Ok(Json(counted.map_err(|_| Rejection::server_failed())??))
}

/// The move that a player chooses.
#[utoipa::path(
    post,
    path = "/api/move",
    request_body = MoveRequest,
    responses((status = 200, body = ScoredMove), (status = 400, body = ApiFault), (status = 503, body = ApiFault))
)]
pub(super) async fn choose(
    State(shared): State<Shared>,
    Extension(connection): Extension<Arc<Connection>>,
    Body(request): Body<MoveRequest>,
) -> Result<Json<ScoredMove>, Rejection> {
    let (peer, players) = (connection.peer(), shared.players);
    let mut search =
        shared.searches.spawn(peer, LONGEST_MOVE, move |limits| choose_move(&request, &players, limits))?;
    Ok(Json(search.finish().await?))
}

/// A game or its position in another format.
#[utoipa::path(
    post,
    path = "/api/export",
    request_body = ExportRequest,
    responses((status = 200, body = String), (status = 400, body = ApiFault))
)]
pub(super) async fn export(Body(request): Body<ExportRequest>) -> Result<Response, Rejection> {
    let exported = export_game(&request)?;
    Ok(([(header::CONTENT_TYPE, exported.media_type)], exported.text).into_response())
}

/// A WebSocket for analysis: requests go in, deeper and deeper answers come out.
#[utoipa::path(
    get,
    path = "/api/analyze",
    responses(
        (status = 101, description = "a socket for AnalysisRequest and AnalysisAnswer"),
        (status = 400, body = ApiFault, description = "the request opens no socket"),
        (status = 503, body = ApiFault)
    )
)]
pub(super) async fn analyze(
    State(shared): State<Shared>,
    Extension(connection): Extension<Arc<Connection>>,
    upgrade: Upgrade,
) -> Result<Response, Rejection> {
    let engine = Engine { searches: shared.searches, analysts: shared.analysts };
    shared.sockets.open(&connection, upgrade, move |socket, pulse| analysis::serve(socket, pulse, engine))
}
