//! What is wrong with a request, as the client is told: a status and `{"error": "…"}`.

use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::thinking::ThinkError;

/// How long the body of a request may take to come.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// A request that is not answered as wished.
#[derive(Debug)]
pub(crate) struct ApiFault {
    status: StatusCode,
    error: String,
}

/// A fault as it is told.
#[derive(Serialize, ToSchema)]
pub(crate) struct FaultView {
    /// What is wrong, and where.
    error: String,
}

impl ApiFault {
    pub(crate) fn new(status: StatusCode, error: impl fmt::Display) -> Self {
        Self {
            status,
            error: error.to_string(),
        }
    }

    /// The request asks for something that cannot be.
    pub(crate) fn bad(error: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is nothing there.
    pub(crate) fn missing(what: impl fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }

    /// The server failed; what exactly is not the client's business.
    pub(crate) fn ours() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")
    }
}

impl IntoResponse for ApiFault {
    fn into_response(self) -> Response {
        (self.status, Json(FaultView { error: self.error })).into_response()
    }
}

impl From<ThinkError> for ApiFault {
    fn from(error: ThinkError) -> Self {
        let status = match error {
            ThinkError::Busy => StatusCode::SERVICE_UNAVAILABLE,
            ThinkError::Broken | ThinkError::Player(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error)
    }
}

impl From<rusqlite::Error> for ApiFault {
    fn from(_: rusqlite::Error) -> Self {
        Self::ours()
    }
}

/// The JSON body of a request, with faults told our way.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiFault;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiFault> {
        let body: Result<Json<T>, JsonRejection> =
            timeout(LONGEST_WAIT, Json::from_request(request, state))
                .await
                .map_err(|_| {
                    ApiFault::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")
                })?;
        body.map(|Json(body)| Self(body)).map_err(|rejection| {
            // What is readable JSON but not what is wanted is a bad request like any other.
            let status = match rejection.status() {
                StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
                status => status,
            };
            ApiFault::new(status, rejection.body_text())
        })
    }
}
