//! What is wrong with a request, as the client is told: a status and `{"error": "…"}`.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::Json;
use axum::body::HttpBody;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::thinking::ThinkError;

/// How long the body of a request may take to come.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// The longest body of a request: longer than any game in any format that is read.
const LONGEST_BODY: usize = 64 << 10;
/// How much more of a body that is too long is read and thrown away.
const DRAINED: usize = 1 << 20;

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

/// Reads an object of the API. There are no lists in any of them, and what is one is not taken for an object's
/// values in their order.
pub(crate) fn read_object<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    if !value.is_object() || has_list(&value) {
        return Err("an object is wanted, as in {\"moves\": \"f5\"}, and no list in it".to_owned());
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn has_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(fields) => fields.values().any(has_list),
        _ => false,
    }
}

/// The JSON body of a request, with faults told our way.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiFault;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiFault> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiFault::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json",
            ));
        }
        let bytes = timeout(LONGEST_WAIT, read_body(request.into_body()))
            .await
            .map_err(|_| {
                ApiFault::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")
            })??;
        let value = serde_json::from_slice(&bytes)
            .map_err(|error| ApiFault::bad(format!("the body is no JSON: {error}")))?;
        read_object(value).map(Self).map_err(ApiFault::bad)
    }
}

/// The bytes of a body. One that is too long is read on for a while before it is refused: who is still sending when
/// the connection is closed would not hear why.
async fn read_body(mut body: axum::body::Body) -> Result<Vec<u8>, ApiFault> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while length <= LONGEST_BODY + DRAINED {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { break };
        let frame = frame.map_err(|_| ApiFault::bad("the body broke off"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= LONGEST_BODY {
            bytes.extend_from_slice(&data);
        }
    }
    if length > LONGEST_BODY {
        return Err(ApiFault::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the body has more than {LONGEST_BODY} bytes"),
        ));
    }
    Ok(bytes)
}
