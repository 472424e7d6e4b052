//! Matches that the page starts, where the server is its user's own.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use tokio::task;
use turncoat_api::{ApiFault, Code, MatchRequest, MatchView, Matches};

use super::Shared;
use crate::body::Body;
use crate::rejection::Rejection;

fn matches(shared: Shared) -> Result<Arc<dyn Matches>, Rejection> {
    let none = || Rejection::new(Code::NoMatches, "matches are started on one's own machine, without --store");
    shared.matches.ok_or_else(none)
}

/// How the match stands that was started last.
#[utoipa::path(get, path = "/api/match", responses((status = 200, body = MatchView), (status = 404, body = ApiFault)))]
pub(super) async fn state(State(shared): State<Shared>) -> Result<Json<MatchView>, Rejection> {
    Ok(Json(matches(shared)?.state()))
}

/// Starts a match.
#[utoipa::path(
    post,
    path = "/api/match",
    request_body = MatchRequest,
    responses(
        (status = 200, body = MatchView),
        (status = 400, body = ApiFault),
        (status = 404, body = ApiFault),
        (status = 409, body = ApiFault, description = "one is under way")
    )
)]
pub(super) async fn start(
    State(shared): State<Shared>,
    Body(request): Body<MatchRequest>,
) -> Result<Json<MatchView>, Rejection> {
    let matches = matches(shared)?;
    // Players are built, and a store is made.
    let started = task::spawn_blocking(move || matches.start(&request)).await;
    Ok(Json(started.map_err(|_| Rejection::server_failed())??))
}

/// Stops the match; its games stay.
#[utoipa::path(delete, path = "/api/match", responses((status = 200, body = MatchView), (status = 404, body = ApiFault)))]
pub(super) async fn stop(State(shared): State<Shared>) -> Result<Json<MatchView>, Rejection> {
    Ok(Json(matches(shared)?.stop()))
}
