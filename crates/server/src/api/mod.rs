//! The addresses of the API, and its description of itself.

mod games;
mod learn;
mod play;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use tokio::sync::Semaphore;
use utoipa::OpenApi;

use crate::analysis;
use crate::fault::{ApiFault, FaultView};
use crate::files;
use crate::guard::{Guard, guard};
use crate::rates::{Rates, limit};
use crate::store::Store;
use crate::thinking::Thinking;

/// The longest body of a request: longer than any game in any format that is read.
const LONGEST_BODY: usize = 64 << 10;

/// What all requests share.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) thinking: Thinking,
    pub(crate) store: Store,
    /// How many sockets may be open.
    pub(crate) sockets: Arc<Semaphore>,
}

/// The description at `/api/openapi.json`.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Turncoat",
        description = "Reversed Reversi and Reversi: games, moves, analysis. Squares are written f5, scores are in \
                       discs for the mover."
    ),
    paths(
        play::players,
        play::game,
        play::choose,
        play::export,
        play::analyze,
        learn::knowledge,
        games::latest,
        games::add,
        games::one,
        games::replace,
        games::remove
    ),
    components(schemas(FaultView, analysis::Question, analysis::Answer))
)]
struct Description;

/// Everything that is served.
pub(crate) fn router(shared: Shared, guarded: Guard, rates: Rates) -> Router {
    let api = Router::new()
        .route("/openapi.json", get(async || Json(Description::openapi())))
        .route("/players", get(play::players))
        .route("/game", post(play::game))
        .route("/move", post(play::choose))
        .route("/export", post(play::export))
        .route("/analyze", get(play::analyze))
        .route("/knowledge/{variant}", get(learn::knowledge))
        .route("/games", get(games::latest).post(games::add))
        .route(
            "/games/{id}",
            get(games::one).put(games::replace).delete(games::remove),
        )
        .fallback(async || ApiFault::missing("the API has no such address"))
        .method_not_allowed_fallback(async || {
            ApiFault::new(StatusCode::METHOD_NOT_ALLOWED, "not with this method")
        })
        .layer(middleware::from_fn_with_state(rates, limit));
    Router::new()
        .nest("/api", api)
        .route("/", get(files::index))
        .route("/{*path}", get(files::file))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(guarded, guard))
        .with_state(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_described() {
        let text = serde_json::to_string(&Description::openapi()).unwrap();
        for path in [
            "players",
            "game",
            "move",
            "export",
            "analyze",
            "knowledge/{variant}",
            "games",
            "games/{id}",
        ] {
            assert!(text.contains(&format!("\"/api/{path}\":")), "{path}");
        }
    }
}
