//! The bodies of requests: JSON, bounded in length and time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{self, Bytes, HttpBody};
use axum::extract::{FromRequest, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use turncoat_api::{ApiFault, Code, parse_json, parse_object};

use crate::rejection::Rejection;

/// The longest body: longer than any game in any format that is read.
const MAX_LENGTH: usize = 64 << 10;
/// How much more of a body that is too long is read and thrown away.
const DRAINED: usize = 1 << 20;

/// An object of the API from the JSON body of a request.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Rejection;

    async fn from_request(request: Request, state: &S) -> Result<Self, Rejection> {
        check_type(&request)?;
        // The whole body is there already.
        let bytes = Bytes::from_request(request, state).await.map_err(|_| broken())?;
        Ok(Self(parse_object(parse_json(&bytes)?)?))
    }
}

fn check_type(request: &Request) -> Result<(), Rejection> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Rejection::new(Code::WrongType, "the body must be application/json"))
}

fn broken() -> Rejection {
    Rejection::new(Code::BodyBroken, "the body broke off")
}

/// Waits for the body of a request, so that slow senders are kept out of everything that follows.
pub(crate) async fn collect(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if !matches!(parts.method, Method::POST | Method::PUT) {
        return next.run(Request::from_parts(parts, body::Body::empty())).await;
    }
    let read = timeout(patience, read(body)).await;
    match read.unwrap_or_else(|_| Err(Rejection::new(Code::BodyLate, "the body did not come in time"))) {
        Ok(bytes) => next.run(Request::from_parts(parts, bytes.into())).await,
        Err(fault) => fault.into_response(),
    }
}

/// The bytes of a body. A body that is too long is drained for a while before it is refused: a client that is still
/// sending when the connection closes would not see why.
async fn read(mut body: body::Body) -> Result<Vec<u8>, Rejection> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while length <= MAX_LENGTH + DRAINED {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { break };
        let frame = frame.map_err(|_| broken())?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= MAX_LENGTH {
            bytes.extend_from_slice(&data);
        }
    }
    if length > MAX_LENGTH {
        let error = format_args!("the body has more than {MAX_LENGTH} bytes");
        return Err(ApiFault::new(Code::BodyTooLong, error).with("most", MAX_LENGTH).into());
    }
    Ok(bytes)
}
