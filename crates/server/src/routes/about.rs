//! The server's version, public address and what it shows.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;

/// The server.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct About {
    version: &'static str,
    /// The public address, as in `https://example.org/`, if there is one.
    #[schema(required)]
    public: Option<String>,
    /// The threads that a search may use.
    threads: usize,
    /// Whether there are runs of the lab to show.
    runs: bool,
    /// Whether there is a contest between programs to show.
    contest: bool,
    /// Whether matches can be started.
    matches: bool,
}

/// The version, and the address for others.
#[utoipa::path(get, path = "/api/about", responses((status = 200, body = About)))]
pub(super) async fn about(State(shared): State<Shared>) -> Json<About> {
    let public = shared.site.public.as_ref().map(ToString::to_string);
    let (runs, contest) = (shared.runs.is_some(), shared.contests.is_some());
    let (version, matches) = (env!("CARGO_PKG_VERSION"), shared.matches.is_some());
    Json(About { version, public, threads: shared.searches.threads(), runs, contest, matches })
}
