//! What the trained evaluation knows.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use tokio::task;
use turncoat_api::{ApiFault, Code, Knowledge};

use crate::rejection::Rejection;

/// What the trained evaluation of a game knows: squares, corners and mobility by stage.
#[utoipa::path(
    get,
    path = "/api/knowledge/{variant}",
    params(("variant" = String, Path, description = "reversed or reversi")),
    responses((status = 200, body = Knowledge), (status = 400, body = ApiFault))
)]
pub(super) async fn knowledge(
    variant: Result<Path<String>, PathRejection>,
) -> Result<Json<&'static Knowledge>, Rejection> {
    let Path(variant) = variant.map_err(|error| Rejection::new(Code::NoAddress, error.body_text()))?;
    // The first call for a game takes about a second.
    let known = task::spawn_blocking(move || turncoat_api::knowledge(&variant)).await;
    Ok(Json(known.map_err(|_| Rejection::server_failed())??))
}
