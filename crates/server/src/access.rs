//! Who may use the server: on the machine's own address everybody, on any other whoever has the token.
//!
//! The token is part of the address that the server prints, after the `#`, which browsers send to nobody: it stays out of
//! logs and of `Referer`. The page at `/door` sends it once, to `POST /api/session`, and gets a cookie that no script can
//! read and that other sites' pages cannot make a browser send. Programs send the token in `Authorization: Bearer`. One
//! of the two is asked for everything that is served – pages, API, sockets – but the door itself.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use turncoat_api::Code;

use crate::public::PublicUrl;
use crate::rejection::Rejection;
use crate::token::{Token, TokenError};

/// What the door is made of; none of it is secret.
const DOOR: &[&str] = &[
    "/api/session",
    "/base/backend.js",
    "/base/chinese-study.js",
    "/base/chinese.js",
    "/base/client.js",
    "/base/english-study.js",
    "/base/english.js",
    "/base/faults.js",
    "/base/japanese-study.js",
    "/base/japanese.js",
    "/base/memory.js",
    "/base/words.js",
    "/css/base.css",
    "/door",
    "/door.js",
    "/icon.svg",
];
/// How long a browser remembers the token, in seconds: thirty days.
const REMEMBERED: u32 = 30 * 24 * 60 * 60;

/// Who may use the server.
#[derive(Debug, Clone, Default)]
pub enum Access {
    /// Everybody on this machine; if others can reach it, whoever has a new token.
    #[default]
    Usual,
    /// Whoever has this token.
    Token(Token),
    /// Everybody.
    Open,
}

impl Access {
    /// The token that is asked for.
    fn token(self, address: IpAddr, public: Option<&PublicUrl>) -> Result<Option<Token>, TokenError> {
        let is_own = address.is_loopback() && public.is_none_or(PublicUrl::is_loopback);
        match self {
            Self::Token(token) => Ok(Some(token)),
            Self::Usual if !is_own => Token::random().map(Some),
            Self::Usual | Self::Open => Ok(None),
        }
    }
}

/// Where the server is, and what it asks for.
#[derive(Debug, Clone)]
pub struct Site {
    /// The address on which it listens.
    pub address: SocketAddr,
    /// The address for others.
    pub public: Option<PublicUrl>,
    /// The token that it asks for.
    pub token: Option<Token>,
}

impl Site {
    pub(crate) fn new(address: SocketAddr, public: Option<PublicUrl>, access: Access) -> Result<Self, TokenError> {
        let token = access.token(address.ip(), public.as_ref())?;
        Ok(Self { address, public, token })
    }

    /// Whether only this machine reaches it.
    pub(crate) fn is_own(&self) -> bool {
        self.address.ip().is_loopback() && self.public.as_ref().is_none_or(PublicUrl::is_loopback)
    }

    /// Whether whoever asks is the user of this machine: only it is reached, and nobody is asked for a token.
    pub(crate) fn is_its_users(&self) -> bool {
        self.token.is_none() && self.is_own()
    }

    /// The page's address, with the token if there is one: one click opens it.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(own_address(address.ip()));
        }
        self.with_token(format!("http://{address}/"))
    }

    /// The page's address for others, likewise.
    pub fn public_url(&self) -> Option<String> {
        self.public.as_ref().map(|public| self.with_token(public.to_string()))
    }

    fn with_token(&self, address: String) -> String {
        match &self.token {
            Some(token) => format!("{address}#token={token}"),
            None => address,
        }
    }

    /// The name of the cookie: browsers do not tell the ports of a host apart.
    fn cookie(&self) -> String {
        format!("turncoat-{}", self.address.port())
    }

    /// The cookie that lets a browser in from now on, if this is the token or none is needed.
    pub(crate) fn admit(&self, given: &str, headers: &HeaderMap) -> Result<Option<HeaderValue>, Rejection> {
        let Some(token) = &self.token else {
            return Ok(None);
        };
        if !token.matches(given) {
            return Err(wrong());
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let is_secure = self.public.as_ref().is_some_and(|public| public.is_https() && Some(public.host()) == host);
        let secure = if is_secure { "; Secure" } else { "" };
        let cookie =
            format!("{}={token}; Path=/; Max-Age={REMEMBERED}; HttpOnly; SameSite=Strict{secure}", self.cookie());
        HeaderValue::try_from(cookie).map(Some).map_err(|_| Rejection::server_failed())
    }

    /// Whether a request has the token.
    fn check(&self, headers: &HeaderMap) -> Result<(), Rejection> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let given = bearer(headers).or_else(|| cookie(headers, &self.cookie()));
        match given {
            Some(given) if token.matches(given) => Ok(()),
            Some(_) => Err(wrong()),
            None => {
                let error = "this server asks for its token, which is part of the address that it printed";
                Err(Rejection::new(Code::NoToken, error))
            }
        }
    }
}

fn wrong() -> Rejection {
    Rejection::new(Code::WrongToken, "that is not the token of this server")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(known, value)| (known == name).then_some(value))
}

/// Lets a request through if it has the token; sends a browser that asks for the page to the door.
pub(crate) async fn ask_for_token(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if DOOR.contains(&path) {
        return next.run(request).await;
    }
    match site.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(_) if path == "/" && request.method() == Method::GET => {
            ([(header::CACHE_CONTROL, "no-store")], Redirect::to("/door")).into_response()
        }
        Err(refusal) => ([(header::WWW_AUTHENTICATE, "Bearer")], refusal).into_response(),
    }
}

/// This machine's address towards others, or its own where there is no network. Nothing is sent.
fn own_address(any: IpAddr) -> IpAddr {
    let (any, far, near): (IpAddr, IpAddr, IpAddr) = match any {
        // Addresses that are reserved for documentation.
        IpAddr::V4(any) => (any.into(), Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(any) => {
            (any.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into())
        }
    };
    let found = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((far, 9))?;
        socket.local_addr()
    });
    found.map_or(near, |found| found.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    fn site(address: &str, public: Option<&str>, access: Access) -> Site {
        Site::new(address.parse().unwrap(), public.map(|public| public.parse().unwrap()), access).unwrap()
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn a_token_is_asked_for_wherever_others_can_come() {
        let asks = |address, public, access| site(address, public, access).token.is_some();
        for own in ["127.0.0.1:8064", "127.0.0.2:1", "[::1]:8064"] {
            assert!(!asks(own, None, Access::Usual), "{own}");
            assert!(!asks(own, Some("http://localhost:1"), Access::Usual));
            assert!(asks(own, Some("https://example.org"), Access::Usual));
            assert!(asks(own, None, Access::Token(TOKEN.parse().unwrap())));
        }
        for other in ["0.0.0.0:8064", "[::]:8064", "192.168.1.2:80"] {
            assert!(asks(other, None, Access::Usual), "{other}");
            assert!(!asks(other, None, Access::Open));
        }
    }

    #[test]
    fn the_token_is_part_of_the_address_and_never_sent_by_a_click() {
        let access = Access::Token(TOKEN.parse().unwrap());
        let public = site("127.0.0.1:8064", Some("https://example.org"), access);
        assert_eq!(public.url(), format!("http://127.0.0.1:8064/#token={TOKEN}"));
        assert_eq!(public.public_url().unwrap(), format!("https://example.org/#token={TOKEN}"));
        assert_eq!(site("127.0.0.1:8064", None, Access::Usual).url(), "http://127.0.0.1:8064/");
        assert!(!site("0.0.0.0:8064", None, Access::Open).url().contains("0.0.0.0"));
    }

    #[test]
    fn header_and_cookie_let_in_and_nothing_else_does() {
        let site = site("127.0.0.1:8064", Some("https://example.org"), Access::Token(TOKEN.parse().unwrap()));
        let is_in = |pairs: &[(header::HeaderName, &str)]| site.check(&headers(pairs)).is_ok();
        assert!(is_in(&[(header::AUTHORIZATION, &format!("bearer {TOKEN}"))]));
        assert!(is_in(&[(header::COOKIE, &format!("a=b; turncoat-8064={TOKEN}"))]));
        assert!(!is_in(&[]));
        assert!(!is_in(&[(header::AUTHORIZATION, TOKEN)]));
        assert!(!is_in(&[(header::AUTHORIZATION, &format!("Basic {TOKEN}"))]));
        assert!(!is_in(&[(header::COOKIE, &format!("turncoat-8065={TOKEN}"))]));
        assert!(!is_in(&[(header::COOKIE, "turncoat-8064=0123456789abcdeX")]));
        let secure = |host| {
            let cookie = site.admit(TOKEN, &headers(&[(header::HOST, host)])).unwrap().unwrap();
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
            cookie.ends_with("; Secure")
        };
        assert!(secure("example.org") && !secure("127.0.0.1:8064"));
        assert!(site.admit("0123456789abcdeX", &HeaderMap::new()).is_err());
    }
}
