//! The threads that help a search: those of the system. WebAssembly cannot begin one; there, threads that somebody else has
//! begun are hired beforehand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Clock;

/// What threads wait for, and can be told to wait for no longer.
pub(crate) trait Close {
    /// Ends all waiting.
    fn close(&self);
}

/// Closes what the threads of a search wait for when its thread ends. A panic stops the other threads too, which would wait
/// forever for the work of this one.
pub(crate) struct Closer<'s, C: Close> {
    closes: &'s C,
    stop: &'s AtomicBool,
    clock: Arc<dyn Clock>,
}

impl<'s, C: Close> Closer<'s, C> {
    /// Closes this when it is dropped. On a panic it raises the flag, and the thread with this clock rests: the others
    /// may need its core in order to end.
    pub(crate) const fn new(closes: &'s C, stop: &'s AtomicBool, clock: Arc<dyn Clock>) -> Self {
        Self { closes, stop, clock }
    }
}

impl<C: Close> Drop for Closer<'_, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.store(true, Ordering::Relaxed);
            self.clock.rest();
        }
        self.closes.close();
    }
}

/// Runs `lead` beside its helpers, as many as the system has threads for, and returns when all have ended. The thread with this
/// clock, which leads, rests while it waits for them.
///
/// # Panics
/// If a helper has panicked.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn beside<'env, H, R>(
    helpers: impl Iterator<Item = H>,
    clock: &dyn Clock,
    lead: impl FnOnce() -> R + 'env,
) -> R
where
    H: FnOnce() + Send + 'env,
{
    use std::panic::resume_unwind;
    use std::thread::{self, Builder};

    thread::scope(|scope| {
        let begun: Vec<_> = helpers.map_while(|helper| Builder::new().spawn_scoped(scope, helper).ok()).collect();
        let found = lead();
        clock.rest();
        for helper in begun {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        clock.resume();
        found
    })
}

/// Runs `lead` alone: there are no other threads.
#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
pub(crate) fn beside<H, R>(_: impl Iterator<Item = H>, _: &dyn Clock, lead: impl FnOnce() -> R) -> R {
    lead()
}

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub(crate) use hired::beside;
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub use hired::{hire, serve};

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
mod hired {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, OnceLock, PoisonError};

    use rayon_core::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

    use super::Clock;

    static CREW: OnceLock<ThreadPool> = OnceLock::new();
    /// The places that no thread has taken yet.
    static PLACES: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());
    /// The threads that have taken theirs.
    static HIRED: AtomicUsize = AtomicUsize::new(0);

    /// Makes places for so many threads that help all searches from now on. To be called once.
    pub fn hire(helpers: usize) {
        let wait = |place| {
            PLACES.lock().unwrap_or_else(PoisonError::into_inner).push(place);
            Ok(())
        };
        let crew = ThreadPoolBuilder::new().num_threads(helpers).spawn_handler(wait).build();
        if let Ok(crew) = crew {
            let _ = CREW.set(crew);
        }
    }

    /// Has the calling thread take a place and help; it returns at once where there is none, and else never.
    pub fn serve() {
        let place = PLACES.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(place) = place {
            HIRED.fetch_add(1, Ordering::Relaxed);
            place.run();
        }
    }

    /// Runs `lead` beside as many helpers as there are threads by now, and returns when all have ended.
    pub(crate) fn beside<'env, H, R>(
        helpers: impl Iterator<Item = H>,
        _: &dyn Clock,
        lead: impl FnOnce() -> R + 'env,
    ) -> R
    where
        H: FnOnce() + Send + 'env,
    {
        let Some(crew) = CREW.get() else { return lead() };
        crew.in_place_scope(|scope| {
            for helper in helpers.take(HIRED.load(Ordering::Relaxed)) {
                scope.spawn(|_| helper());
            }
            lead()
        })
    }
}
