//! Rate limits: a token bucket for each address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use turncoat_api::Code;

use crate::connections::Connection;
use crate::peer::Peer;
use crate::places::Occupant;
use crate::rejection::Rejection;

/// A bucket holds the tokens of so many seconds, which allows short bursts.
const BURST_SECONDS: f64 = 4.0;
/// Addresses that are remembered; when there are more, those with full buckets are dropped.
const MOST_ADDRESSES: usize = 10_000;

/// A token bucket: it fills at a steady rate up to a burst.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bucket {
    tokens: f64,
    refilled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn full(rate: f64, now: Instant) -> Self {
        Self { tokens: rate * BURST_SECONDS, refilled: now }
    }

    fn fill(&mut self, rate: f64, now: Instant) {
        let more = now.saturating_duration_since(self.refilled).as_secs_f64() * rate;
        self.tokens = (self.tokens + more).min(rate * BURST_SECONDS);
        self.refilled = now;
    }

    /// Takes a token for one request, or returns how long to wait for it.
    pub(crate) fn take(&mut self, rate: f64, now: Instant) -> Result<(), Duration> {
        self.fill(rate, now);
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - self.tokens) / rate))
    }
}

/// The buckets of all addresses.
#[derive(Debug, Clone)]
pub(crate) struct Rates {
    /// Requests a second; `None` is no limit.
    rate: Option<f64>,
    buckets: Arc<Mutex<HashMap<Peer, Bucket>>>,
}

impl Rates {
    pub(crate) fn new(a_second: Option<u32>) -> Self {
        Self { rate: a_second.map(f64::from), buckets: Arc::default() }
    }

    fn take(&self, address: Peer, now: Instant) -> Result<(), Duration> {
        let Some(rate) = self.rate else {
            return Ok(());
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ADDRESSES && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| {
                bucket.fill(rate, now);
                bucket.tokens < rate * BURST_SECONDS
            });
            if buckets.len() >= MOST_ADDRESSES {
                return Err(Duration::from_secs(1));
            }
        }
        let bucket = buckets.entry(address).or_insert_with(|| Bucket::full(rate, now));
        bucket.take(rate, now)
    }
}

/// Lets a request through if its address has a token left.
pub(crate) async fn limit(
    State(rates): State<Rates>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    if rates.take(connection.peer(), Instant::now()).is_err() {
        let error = "too many requests; try again in a moment";
        return Rejection::new(Code::TooManyRequests, error).into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn peer(bits: u32) -> Peer {
        Peer::from(IpAddr::V4(Ipv4Addr::from_bits(bits)))
    }

    #[test]
    fn a_burst_is_welcome_and_then_the_rate_holds() {
        let rates = Rates::new(Some(10));
        let began = Instant::now();
        assert!((0..40).all(|_| rates.take(peer(1), began).is_ok()));
        let wait = rates.take(peer(1), began).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        // Others are not held up, and time brings new tokens.
        assert!(rates.take(peer(2), began).is_ok());
        assert!(rates.take(peer(1), began + wait).is_ok());
        assert!(rates.take(peer(1), began + wait).is_err());
    }

    #[test]
    fn without_a_rate_there_is_no_limit() {
        let rates = Rates::new(None);
        let now = Instant::now();
        assert!((0..10_000).all(|_| rates.take(peer(1), now).is_ok()));
    }

    #[test]
    fn memory_is_bounded() {
        let rates = Rates::new(Some(1));
        let now = Instant::now();
        for i in 0..MOST_ADDRESSES as u32 {
            assert!(rates.take(peer(i), now).is_ok());
        }
        assert!(rates.take(peer(u32::MAX), now).is_err());
        assert!(rates.take(peer(u32::MAX), now + Duration::from_secs(9)).is_ok());
        assert_eq!(rates.buckets.lock().unwrap().len(), 1);
    }
}
