//! The public address of the page, set by its owner.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::Uri;
use thiserror::Error;

/// The address of a site, as in `https://example.org`. The page is at its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: &'static str,
    /// The host, with its port unless that is the usual one: as browsers write it.
    host: String,
}

impl PublicUrl {
    /// The host of requests.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Whether browsers reach it by HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.scheme == "https"
    }

    /// Whether only this machine reaches it.
    pub(crate) fn is_loopback(&self) -> bool {
        let name = self.host.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(&*self.host, |it| it.0);
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        name == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// The origin of the page's requests.
    pub(crate) fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.host)
    }
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        let uri: Uri = text.parse().map_err(|_| PublicUrlError::NotUrl)?;
        let (scheme, usual) = match uri.scheme_str() {
            Some("http") => ("http", 80),
            Some("https") => ("https", 443),
            _ => return Err(PublicUrlError::NotUrl),
        };
        let authority = uri.authority().ok_or(PublicUrlError::NotUrl)?;
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(PublicUrlError::NotUrl);
        }
        if uri.query().is_some() || !matches!(uri.path(), "" | "/") {
            return Err(PublicUrlError::Path);
        }
        let host = authority.host().to_ascii_lowercase();
        let host = match authority.port_u16().filter(|&port| port != usual) {
            Some(port) => format!("{host}:{port}"),
            None => host,
        };
        Ok(Self { scheme, host })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/", self.scheme, self.host)
    }
}

/// Why a text is not the address of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PublicUrlError {
    /// It is not an HTTP address.
    #[error("an address such as https://example.org is expected")]
    NotUrl,
    /// It has a path or a query.
    #[error("the page is at the root of its site: leave out what follows the host")]
    Path,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_read_as_browsers_name_them() {
        for (text, host, origin) in [
            ("https://Example.org", "example.org", "https://example.org"),
            ("https://example.org:443/", "example.org", "https://example.org"),
            ("http://example.org:8080", "example.org:8080", "http://example.org:8080"),
            ("http://[2001:db8::1]:80/", "[2001:db8::1]", "http://[2001:db8::1]"),
        ] {
            let public: PublicUrl = text.parse().unwrap();
            assert_eq!((public.host(), public.origin().as_str()), (host, origin));
            assert_eq!(public.to_string(), format!("{origin}/"));
        }
        for (text, is_loopback) in [("http://localhost:1", true), ("http://[::1]", true), ("http://10.0.0.1", false)] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().is_loopback(), is_loopback, "{text}");
        }
        for text in ["", "example.org", "ftp://example.org", "https://", "https://a@b.org", "/x"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError::NotUrl), "{text}");
        }
        for text in ["https://example.org/turncoat", "https://example.org/?a"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError::Path), "{text}");
        }
    }
}
