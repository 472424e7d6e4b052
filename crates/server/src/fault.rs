//! What is wrong with a request, as the client is told: a status and `{"error": "…", "code": "…", "params": {…}}`.

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

use crate::codes::{Code, Coded, Params};
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
    fault: FaultView,
}

/// A fault as it is told: in English, and as a code with its values, for whoever has words of their own for it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FaultView {
    /// What is wrong, and where.
    error: String,
    code: Code,
    #[schema(value_type = Object)]
    params: Params,
}

impl FaultView {
    pub(crate) fn new(code: Code, error: impl fmt::Display) -> Self {
        Self { error: error.to_string(), code, params: Params::new() }
    }

    /// Adds a value.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.params.insert(key.to_owned(), value.into());
        self
    }
}

impl<E: Coded + fmt::Display> From<E> for FaultView {
    fn from(error: E) -> Self {
        let (code, params) = error.coded();
        Self { error: error.to_string(), code, params }
    }
}

impl ApiFault {
    pub(crate) fn new(status: StatusCode, fault: impl Into<FaultView>) -> Self {
        let fault = fault.into();
        Self { status, fault }
    }

    /// The request asks for something that cannot be.
    pub(crate) fn bad(fault: impl Into<FaultView>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, fault)
    }

    /// The server failed; what exactly is not the client's business.
    pub(crate) fn ours() -> Self {
        let fault = FaultView::new(Code::ServerFailed, "the server failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, fault)
    }
}

impl IntoResponse for ApiFault {
    fn into_response(self) -> Response {
        (self.status, Json(self.fault)).into_response()
    }
}

impl From<ThinkError> for ApiFault {
    fn from(error: ThinkError) -> Self {
        let status = match error {
            ThinkError::Busy => StatusCode::SERVICE_UNAVAILABLE,
            ThinkError::CannotAnalyse => StatusCode::BAD_REQUEST,
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
pub(crate) fn read_object<T: DeserializeOwned>(value: Value) -> Result<T, FaultView> {
    if !value.is_object() || has_list(&value) {
        let wanted = "an object is wanted, as in {\"moves\": \"f5\"}, and no list in it";
        return Err(FaultView::new(Code::NotObject, wanted));
    }
    serde_json::from_value(value).map_err(|error| FaultView::new(Code::BadField, error))
}

/// Reads JSON.
pub(crate) fn read_json(bytes: &[u8]) -> Result<Value, FaultView> {
    serde_json::from_slice(bytes)
        .map_err(|error| FaultView::new(Code::NotJson, format_args!("the question is no JSON: {error}")))
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
            let fault = FaultView::new(Code::WrongType, "the body must be application/json");
            return Err(ApiFault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, fault));
        }
        let bytes = timeout(LONGEST_WAIT, read_body(request.into_body())).await.map_err(|_| {
            let fault = FaultView::new(Code::BodyLate, "the body did not come in time");
            ApiFault::new(StatusCode::REQUEST_TIMEOUT, fault)
        })??;
        let value = read_json(&bytes).map_err(ApiFault::bad)?;
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
        let frame = frame.map_err(|_| ApiFault::bad(FaultView::new(Code::BodyBroken, "the body broke off")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= LONGEST_BODY {
            bytes.extend_from_slice(&data);
        }
    }
    if length > LONGEST_BODY {
        let told = format_args!("the body has more than {LONGEST_BODY} bytes");
        let fault = FaultView::new(Code::BodyTooLong, told).with("most", LONGEST_BODY);
        return Err(ApiFault::new(StatusCode::PAYLOAD_TOO_LARGE, fault));
    }
    Ok(bytes)
}
