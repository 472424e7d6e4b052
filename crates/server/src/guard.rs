//! Who may ask: this page and programs, but not other pages that a browser has open.
//!
//! Every page that you visit can reach a server on your own machine. Two checks keep them out: the name in `Host` must
//! be ours (otherwise another site could point its own name at this machine), and an `Origin`, which browsers send with
//! cross-origin requests, must be ours or an allowed one.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use turncoat_api::Code;

use crate::public::PublicUrl;
use crate::rejection::Rejection;

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What is let in besides our own page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    /// Origins of other pages that may ask, as in `https://example.org`.
    pub(crate) origins: Arc<[String]>,
    /// The page's own address for others.
    pub(crate) public: Option<PublicUrl>,
}

impl Guard {
    fn check(&self, headers: &HeaderMap) -> Result<Option<HeaderValue>, Rejection> {
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .ok_or_else(|| Rejection::new(Code::NoHost, "the request does not say for which host it is"))?;
        let public = self.public.as_ref();
        if !is_ours(host) && public.is_none_or(|public| public.host() != host) {
            return Err(Rejection::new(Code::WrongHost, "this server is asked by its address or as localhost"));
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            return Ok(None);
        };
        let text = origin.to_str().unwrap_or_default();
        let is_public = public.is_some_and(|public| public.origin() == text);
        if is_public || text.strip_prefix("http://") == Some(host) {
            return Ok(None);
        }
        if self.origins.iter().any(|allowed| allowed == text) {
            return Ok(Some(origin.clone()));
        }
        Err(Rejection::new(Code::WrongOrigin, "pages of other origins may not ask"))
    }
}

/// Whether a host is an address or `localhost`: no other site can make those its own.
fn is_ours(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') && !port.is_empty() => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
}

/// Checks a request and adds the headers to its answer.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let checked = guard.check(request.headers());
    let mut response = match &checked {
        Ok(_) => next.run(request).await,
        Err(_) => StatusCode::FORBIDDEN.into_response(),
    };
    let allowed = match checked {
        Ok(allowed) => allowed,
        Err(fault) => {
            response = fault.into_response();
            None
        }
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // An answer may be stricter by itself.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(host: &str, origin: Option<&str>) -> bool {
        let guard = Guard {
            origins: Arc::new(["https://example.org".to_owned()]),
            public: Some("https://public.test".parse().unwrap()),
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        guard.check(&headers).is_ok()
    }

    #[test]
    fn our_page_and_allowed_ones_are_let_in() {
        for host in ["localhost", "localhost:8064", "127.0.0.1:8064", "[::1]:80", "[::1]"] {
            assert!(checked(host, None), "{host}");
            assert!(checked(host, Some(&format!("http://{host}"))), "{host}");
            assert!(checked(host, Some("https://example.org")));
        }
        for origin in ["null", "http://localhost:1", "https://example.com", "http://evil.test"] {
            assert!(!checked("localhost:8064", Some(origin)), "{origin}");
        }
        for host in ["evil.test", "evil.test:8064", "localhost.evil.test", ":8064", ""] {
            assert!(!checked(host, None), "{host}");
        }
        assert!(checked("public.test", None));
        assert!(checked("public.test", Some("https://public.test")));
        assert!(checked("127.0.0.1:8064", Some("https://public.test")));
        assert!(!checked("public.test:8064", None));
        assert!(!checked("public.test", Some("https://evil.test")));
        assert!(Guard::default().check(&HeaderMap::new()).is_err());
    }
}
