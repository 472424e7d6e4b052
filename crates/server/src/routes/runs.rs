//! The runs of the lab, where the server was given a folder of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{Html, IntoResponse};
use tokio::task;
use turncoat_api::{ApiFault, Code, RunDetails, RunView, Runs};

use super::Shared;
use crate::rejection::Rejection;

/// Asks for runs on a thread that may block: files are read.
async fn with_runs<T: Send + 'static>(
    shared: Shared,
    ask: impl FnOnce(Arc<dyn Runs>) -> Result<T, ApiFault> + Send + 'static,
) -> Result<T, Rejection> {
    let none = || Rejection::new(Code::NoLab, "this server shows no runs: serve --runs DIR does");
    let runs = shared.runs.ok_or_else(none)?;
    let answer = task::spawn_blocking(move || ask(runs)).await;
    Ok(answer.map_err(|_| Rejection::server_failed())??)
}

/// The runs, those under way first.
#[utoipa::path(get, path = "/api/runs", responses((status = 200, body = Vec<RunView>), (status = 404, body = ApiFault)))]
pub(super) async fn all(State(shared): State<Shared>) -> Result<Json<Vec<RunView>>, Rejection> {
    with_runs(shared, |runs| runs.list()).await.map(Json)
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
    let name = checked(name)?;
    with_runs(shared, move |runs| runs.one(&name)).await.map(Json)
}

/// The report of a run, a page. It lies in a file, so it may do nothing but show itself.
#[utoipa::path(
    get,
    path = "/api/runs/{name}/report",
    params(("name" = String, Path, description = "as the list has it, with / as %2F")),
    responses((status = 200, body = String, content_type = "text/html"), (status = 404, body = ApiFault))
)]
pub(super) async fn report(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
) -> Result<impl IntoResponse, Rejection> {
    let name = checked(name)?;
    let page = with_runs(shared, move |runs| runs.report(&name)).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, ITSELF)], Html(page)))
}

/// Its own styles and pictures, no scripts, and nothing of ours.
const ITSELF: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; sandbox";

fn checked(name: Result<Path<String>, PathRejection>) -> Result<String, Rejection> {
    let Path(name) = name.map_err(|error| Rejection::new(Code::NoAddress, error.body_text()))?;
    Ok(name)
}
