//! The bodies of requests: JSON, bounded in length and time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use turncoat_api::{ApiFault, Code, parse_json, parse_object};

use crate::rejection::Rejection;

/// How long a body may take to arrive.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The longest body: longer than any game in any format that is read.
const MAX_LENGTH: usize = 64 << 10;
/// How much more of a body that is too long is read and thrown away.
const DRAINED: usize = 1 << 20;

/// An object of the API from the JSON body of a request.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Rejection::new(Code::WrongType, "the body must be application/json"));
        }
        let bytes = timeout(TIMEOUT, read(request.into_body()))
            .await
            .map_err(|_| Rejection::new(Code::BodyLate, "the body did not come in time"))??;
        Ok(Self(parse_object(parse_json(&bytes)?)?))
    }
}

/// The bytes of a body. A body that is too long is drained for a while before it is refused: a client that is still
/// sending when the connection closes would not see why.
async fn read(mut body: axum::body::Body) -> Result<Vec<u8>, Rejection> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while length <= MAX_LENGTH + DRAINED {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = next else { break };
        let frame = frame.map_err(|_| Rejection::new(Code::BodyBroken, "the body broke off"))?;
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
