//! Playing: the players, games with their positions, moves, and games in other formats.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use turncoat_api::{
    ApiFault, Code, ExportRequest, GameText, GameView, MoveRequest, PlayerView, ScoredMove, choose_move, export_game,
    opponents, read_game,
};

use super::Shared;
use crate::analysis::{self, Client};
use crate::body::Body;
use crate::rates::Peer;
use crate::rejection::Rejection;

/// The longest request on a socket.
const LONGEST_MESSAGE: usize = 16 << 10;
/// The longest that a player may search for a move.
const LONGEST_MOVE: Duration = Duration::from_secs(10);

/// The players, with the options that a request may set.
#[utoipa::path(get, path = "/api/players", responses((status = 200, body = Vec<PlayerView>)))]
pub(super) async fn players() -> Json<Vec<PlayerView>> {
    Json(turncoat_api::players(&opponents()))
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

/// The move that a player chooses.
#[utoipa::path(
    post,
    path = "/api/move",
    request_body = MoveRequest,
    responses((status = 200, body = ScoredMove), (status = 400, body = ApiFault), (status = 503, body = ApiFault))
)]
pub(super) async fn choose(
    State(shared): State<Shared>,
    Body(request): Body<MoveRequest>,
) -> Result<Json<ScoredMove>, Rejection> {
    let mut search = shared.searches.spawn(LONGEST_MOVE, move |limits| choose_move(&request, limits))?;
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
        (status = 405, body = ApiFault),
        (status = 503, body = ApiFault)
    )
)]
pub(super) async fn analyze(
    State(shared): State<Shared>,
    peer: Option<Extension<Peer>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Rejection> {
    let upgrade = upgrade.map_err(|_| Rejection::new(Code::WrongMethod, "this is the address of a WebSocket"))?;
    let place = shared.sockets.try_acquire_owned();
    let place = place.map_err(|_| Rejection::new(Code::TooManySockets, "too many sockets are open"))?;
    let name = peer.map_or_else(String::new, |Extension(Peer(address))| address.to_string());
    let client = Client { name, searches: shared.searches, analysts: shared.analysts };
    Ok(upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(async move |socket| {
        analysis::serve(socket, client).await;
        drop(place);
    }))
}
