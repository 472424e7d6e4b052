//! Refused requests: the fault as JSON, under the status that belongs to its code.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use turncoat_api::{ApiFault, Code};

/// A request that is refused.
#[derive(Debug)]
pub(crate) struct Rejection(ApiFault);

impl Rejection {
    pub(crate) fn new(code: Code, error: impl std::fmt::Display) -> Self {
        Self(ApiFault::new(code, error))
    }

    /// A failure of the server; its details are not the client's business.
    pub(crate) fn server_failed() -> Self {
        Self::new(Code::ServerFailed, "the server failed")
    }
}

impl From<ApiFault> for Rejection {
    fn from(fault: ApiFault) -> Self {
        Self(fault)
    }
}

impl From<rusqlite::Error> for Rejection {
    fn from(_: rusqlite::Error) -> Self {
        Self::server_failed()
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        (status(self.0.code), Json(self.0)).into_response()
    }
}

/// The status that a fault is answered with. All but these are faults of the request's text.
fn status(code: Code) -> StatusCode {
    match code {
        Code::NoToken | Code::WrongToken => StatusCode::UNAUTHORIZED,
        Code::WrongHost | Code::WrongOrigin => StatusCode::FORBIDDEN,
        Code::NoAddress
        | Code::NoGame
        | Code::NoLab
        | Code::NoRun
        | Code::NoArena
        | Code::NoContestant
        | Code::NoContestGame
        | Code::NoMatches => StatusCode::NOT_FOUND,
        Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
        Code::BodyLate => StatusCode::REQUEST_TIMEOUT,
        Code::GameChanged | Code::MatchRunning => StatusCode::CONFLICT,
        Code::BodyTooLong => StatusCode::PAYLOAD_TOO_LARGE,
        Code::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        Code::ServerFailed | Code::SearchFailed | Code::PlayerFailed => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Busy | Code::TooManySockets => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    }
}
