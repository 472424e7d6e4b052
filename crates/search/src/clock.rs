//! Clocks, injected so that tests can control time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time since some fixed moment.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now; never goes back.
    fn now(&self) -> Duration;

    /// The thread that reads this clock has nothing to do and is about to sleep: others may use its core.
    fn rest(&self) {}

    /// The thread has something to do again; returns when it may run.
    fn resume(&self) {}

    /// The clock of a further thread of the same search, which rests until it resumes; `None` if this one serves all.
    fn for_helper(&self) -> Option<Arc<dyn Clock>> {
        None
    }
}

/// The machine's monotonic clock.
#[derive(Debug)]
pub struct SystemClock(system::Moment);

impl Default for SystemClock {
    fn default() -> Self {
        Self(system::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        system::now() - self.0
    }
}

#[cfg(not(target_family = "wasm"))]
mod system {
    pub(super) use std::time::Instant as Moment;

    pub(super) fn now() -> Moment {
        Moment::now()
    }
}

/// WebAssembly has no clock of its own: whoever runs the module brings one.
#[cfg(target_family = "wasm")]
mod system {
    use std::sync::OnceLock;
    pub(super) use std::time::Duration as Moment;

    pub(super) static CLOCK: OnceLock<fn() -> Moment> = OnceLock::new();

    pub(super) fn now() -> Moment {
        CLOCK.get().map_or(Moment::ZERO, |now| now())
    }
}

/// Has all clocks read the time from a function that never goes back; the first one given stays. Until then time stands
/// still.
#[cfg(target_family = "wasm")]
pub fn use_clock(now: fn() -> Duration) {
    let _ = system::CLOCK.set(now);
}

/// A clock that advances by a fixed step each time it is read: a search under it stops at the same node
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
    /// A clock that advances by this step at each reading.
    pub const fn new(step: Duration) -> Self {
        Self { step, readings: AtomicU64::new(0) }
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        let readings = self.readings.fetch_add(1, Ordering::Relaxed);
        self.step.saturating_mul(u32::try_from(readings).unwrap_or(u32::MAX))
    }
}

/// The CPU time of the calling thread: on a busy or sleeping machine the wall clock runs ahead of it. Where the system has
/// no such clock, the given one stands in.
pub fn work_clock(wall: Arc<dyn Clock>) -> Arc<dyn Clock> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        drop(wall);
        Arc::new(thread::ThreadClock)
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    wall
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod thread {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    use super::Clock;

    #[derive(Debug)]
    pub(super) struct ThreadClock;

    impl Clock for ThreadClock {
        fn now(&self) -> Duration {
            let time = clock_gettime(ClockId::ThreadCPUTime);
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn sleeping_is_no_work() {
        let work = work_clock(Arc::new(SystemClock::default()));
        let (wall, before) = (std::time::Instant::now(), work.now());
        std::thread::sleep(Duration::from_millis(200));
        let worked = work.now().saturating_sub(before);
        assert!(worked < wall.elapsed() / 2, "{worked:?}");
        // Working is: this ends.
        while work.now().saturating_sub(before) < Duration::from_millis(5) {}
    }
}
