//! Time, injected, so that tests can hold the clock.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tells the time since some fixed moment.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now; never goes back.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that goes on by a fixed step each time it is read: a search under it stops at the same node
/// on every machine.
///
/// ```
/// use std::time::Duration;
/// use turncoat_search::{Clock, FakeClock};
///
/// let clock = FakeClock::new(Duration::from_millis(1));
/// assert_eq!(clock.now(), Duration::ZERO);
/// assert_eq!(clock.now(), Duration::from_millis(1));
/// ```
#[derive(Debug)]
pub struct FakeClock {
    step: Duration,
    readings: AtomicU64,
}

impl FakeClock {
    /// A clock that goes on by this step at each reading.
    pub const fn new(step: Duration) -> Self {
        Self {
            step,
            readings: AtomicU64::new(0),
        }
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        let readings = self.readings.fetch_add(1, Ordering::Relaxed);
        self.step
            .saturating_mul(u32::try_from(readings).unwrap_or(u32::MAX))
    }
}
