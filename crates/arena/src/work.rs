//! How long a thread has worked, in contrast to the time on the wall: a busy or sleeping machine makes the
//! one go on without the other.

use std::sync::Arc;

use turncoat_search::Clock;

/// The clock that goes on while the calling thread works. Where there is none, the one on the wall stands in.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn clock(_wall: Arc<dyn Clock>) -> Arc<dyn Clock> {
    Arc::new(thread::ThreadClock)
}

/// The clock that goes on while the calling thread works. Where there is none, the one on the wall stands in.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn clock(wall: Arc<dyn Clock>) -> Arc<dyn Clock> {
    wall
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod thread {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};
    use turncoat_search::Clock;

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
    use std::time::{Duration, Instant};
    use turncoat_search::SystemClock;

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn sleeping_is_no_work() {
        let work = clock(Arc::new(SystemClock::default()));
        let (wall, before) = (Instant::now(), work.now());
        std::thread::sleep(Duration::from_millis(200));
        let worked = work.now().saturating_sub(before);
        assert!(worked < wall.elapsed() / 2, "{worked:?}");
        // Working is: this ends.
        while work.now().saturating_sub(before) < Duration::from_millis(5) {}
    }
}
