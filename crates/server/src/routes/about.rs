//! The server's version and public address.

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
}

/// The version, and the address for others.
#[utoipa::path(get, path = "/api/about", responses((status = 200, body = About)))]
pub(super) async fn about(State(shared): State<Shared>) -> Json<About> {
    Json(About { version: env!("CARGO_PKG_VERSION"), public: shared.site.public.as_ref().map(ToString::to_string) })
}
