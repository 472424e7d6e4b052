//! The runs of the lab, where the server was given a folder of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use tokio::task;
use turncoat_api::{ApiFault, Code, RunDetails, RunView, Runs};

use super::Shared;
use crate::rejection::Rejection;

/// Asks for runs on a thread that may block: files are read.
async fn with_runs<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(Arc<dyn Runs>) -> Result<T, ApiFault> + Send + 'static,
) -> Result<Json<T>, Rejection> {
    let none = || Rejection::new(Code::NoLab, "this server shows no runs: serve --runs DIR does");
    let runs = shared.runs.ok_or_else(none)?;
    let answer = task::spawn_blocking(move || ask(runs)).await;
    Ok(Json(answer.map_err(|_| Rejection::server_failed())??))
}

/// The genetic runs, those under way first.
#[utoipa::path(get, path = "/api/runs", responses((status = 200, body = Vec<RunView>), (status = 404, body = ApiFault)))]
pub(super) async fn all(State(shared): State<Shared>) -> Result<Json<Vec<RunView>>, Rejection> {
    with_runs(shared, |runs| runs.list()).await
}

/// One run with its curves.
#[utoipa::path(
    get,
    path = "/api/runs/{name}",
    params(("name" = String, Path, description = "as the list has it, with / as %2F")),
    responses((status = 200, body = RunDetails), (status = 404, body = ApiFault))
)]
pub(super) async fn one(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Json<RunDetails>, Rejection> {
    let Path(name) = name.map_err(|error| Rejection::new(Code::NoAddress, error.body_text()))?;
    with_runs(shared, move |runs| runs.one(&name)).await
}
