//! What the trained evaluation knows.

use axum::Json;
use axum::extract::Path;
use tokio::task;

use crate::fault::{ApiFault, FaultView};
use crate::knowledge::{self, Knowledge};
use crate::objects::ReadError;

/// What the trained evaluation of a game knows: squares, corners and mobility by stage.
#[utoipa::path(
    get,
    path = "/api/knowledge/{variant}",
    params(("variant" = String, Path, description = "reversed or reversi")),
    responses((status = 200, body = Knowledge), (status = 400, body = FaultView))
)]
pub(super) async fn knowledge(Path(name): Path<String>) -> Result<Json<&'static Knowledge>, ApiFault> {
    let variant = name.parse().map_err(|unknown| ApiFault::bad(ReadError::Variant(unknown)))?;
    // The first one to ask waits about a second; it is kept then.
    let known = task::spawn_blocking(move || knowledge::of(variant)).await;
    let known = known.map_err(|_| ApiFault::ours())?;
    known.map(Json).ok_or_else(ApiFault::ours)
}
