//! The door: a browser gives the token once and gets a cookie for it.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turncoat_api::ApiFault;
use utoipa::ToSchema;

use super::Shared;
use crate::body::Body;
use crate::rejection::Rejection;

/// The token of a server that asks for one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionRequest {
    token: String,
}

/// Lets a browser in: the answer sets a cookie that is asked for from then on. Programs send `Authorization: Bearer`
/// instead.
#[utoipa::path(
    post,
    path = "/api/session",
    request_body = SessionRequest,
    responses((status = 204), (status = 400, body = ApiFault), (status = 401, body = ApiFault))
)]
pub(super) async fn open(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Body(request): Body<SessionRequest>,
) -> Result<Response, Rejection> {
    let cookie = shared.site.admit(&request.token, &headers)?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
