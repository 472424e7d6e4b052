//! Many searches on few cores: each has its thread, but only so many run at a time.
//!
//! A search reads its clock every thousand positions or so. The clock that it gets here is also the gate: when the
//! search has run for a [`SLICE`] and others wait, reading the clock hands its core over and returns when it is this
//! search's turn again. So no search knows that it shares the machine, none restarts anything, and the clock tells
//! only the time that the search has run.
//!
//! Of the searches that have not run yet, a few are let in for each one that has: a first answer comes soon however many
//! searches are under way, and nobody can starve the others by starting over and over.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use turncoat_search::Clock;

/// How long a search runs before it lets the next one in.
const SLICE: Duration = Duration::from_millis(10);

/// How many new searches are let in before one that has run already.
const NEW_IN_A_ROW: u32 = 4;

/// Lets a fixed number of searches run; the others wait.
#[derive(Debug)]
pub(crate) struct Scheduler(Mutex<Queues>);

#[derive(Debug)]
struct Queues {
    /// Cores that nobody uses.
    free: usize,
    /// Searches that have not run yet, in the order of arrival.
    new: VecDeque<Arc<Waiter>>,
    /// Searches that have, in the order in which they gave up their core.
    old: VecDeque<Arc<Waiter>>,
    /// How many of those let in last were new.
    new_in_a_row: u32,
}

impl Queues {
    /// The search that is let in next.
    fn next(&mut self) -> Option<Arc<Waiter>> {
        let is_turn_of_new = self.new_in_a_row < NEW_IN_A_ROW || self.old.is_empty();
        if is_turn_of_new && let Some(waiter) = self.new.pop_front() {
            self.new_in_a_row += 1;
            return Some(waiter);
        }
        self.new_in_a_row = 0;
        self.old.pop_front()
    }
}

/// Where a search waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Queue {
    New,
    Old,
}

/// A search that waits.
#[derive(Debug)]
struct Waiter {
    thread: Thread,
    called: AtomicBool,
}

impl Scheduler {
    /// A scheduler for so many searches at a time.
    pub(crate) fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Queues {
            free: workers.max(1),
            new: VecDeque::new(),
            old: VecDeque::new(),
            new_in_a_row: 0,
        })))
    }

    /// Waits for a core, which is held until the permit is dropped.
    pub(crate) fn enter(self: &Arc<Self>) -> Permit {
        self.wait(Queue::New);
        Permit(Arc::new(SliceClock {
            scheduler: Arc::clone(self),
            slice: Mutex::new(Slice { before: Duration::ZERO, began: Instant::now() }),
        }))
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        // Nothing panics while the lock is held; if it did, the queues would still be consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, queue: Queue) {
        let waiter = {
            let mut queues = self.queues();
            if queues.free > 0 {
                queues.free -= 1;
                return;
            }
            let waiter = Arc::new(Waiter { thread: thread::current(), called: AtomicBool::new(false) });
            match queue {
                Queue::New => &mut queues.new,
                Queue::Old => &mut queues.old,
            }
            .push_back(Arc::clone(&waiter));
            waiter
        };
        while !waiter.called.load(Ordering::Acquire) {
            thread::park();
        }
    }

    /// Hands the core to the next search.
    fn leave(&self) {
        let mut queues = self.queues();
        if let Some(next) = queues.next() {
            next.called.store(true, Ordering::Release);
            next.thread.unpark();
        } else {
            queues.free += 1;
        }
    }

    fn is_wanted(&self) -> bool {
        let queues = self.queues();
        !queues.new.is_empty() || !queues.old.is_empty()
    }
}

/// The right to use a core. Dropping it lets the next search in.
pub(crate) struct Permit(Arc<SliceClock>);

impl Permit {
    /// The clock for the search that runs under this permit, on the thread that holds it.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.0) as Arc<dyn Clock>
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.scheduler.leave();
    }
}

/// Tells how long the holder of a permit has run, and lets others in meanwhile.
struct SliceClock {
    scheduler: Arc<Scheduler>,
    slice: Mutex<Slice>,
}

struct Slice {
    /// The time of the slices before.
    before: Duration,
    began: Instant,
}

impl Clock for SliceClock {
    fn now(&self) -> Duration {
        let mut slice = self.slice.lock().unwrap_or_else(PoisonError::into_inner);
        let ran = slice.began.elapsed();
        if ran >= SLICE {
            slice.before += ran;
            if self.scheduler.is_wanted() {
                self.scheduler.leave();
                self.scheduler.wait(Queue::Old);
            }
            slice.began = Instant::now();
            return slice.before;
        }
        slice.before + ran
    }
}

impl fmt::Debug for SliceClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SliceClock")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn never_more_run_than_allowed_and_everybody_gets_through() {
        let scheduler = Scheduler::new(2);
        let (at_work, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = scheduler.enter();
                    assert!(at_work.fetch_add(1, Ordering::SeqCst) < 2);
                    thread::sleep(Duration::from_millis(1));
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                    done.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(done.into_inner(), 8);
        assert_eq!(scheduler.queues().free, 2);
    }

    #[test]
    fn reading_the_clock_lets_the_next_one_through() {
        let scheduler = Scheduler::new(1);
        let mine = scheduler.enter();
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || drop(scheduler.enter()))
        };
        // Would never end if the turn were kept: the other one ends only when it has had it.
        while !other.is_finished() {
            mine.clock().now();
        }
        other.join().unwrap();
        drop(mine);
        assert_eq!(scheduler.queues().free, 1);
    }

    #[test]
    fn a_few_new_searches_are_let_in_for_each_that_has_run() {
        let waiters = |count: usize| -> VecDeque<Arc<Waiter>> {
            let waiter = || Arc::new(Waiter { thread: thread::current(), called: AtomicBool::new(false) });
            (0..count).map(|_| waiter()).collect()
        };
        let (new, old) = (waiters(6), waiters(3));
        let mut queues = Queues { free: 0, new: new.clone(), old: old.clone(), new_in_a_row: 0 };
        let (mut new, mut old) = (new.into_iter(), old.into_iter());
        for is_new in [true, true, true, true, false, true, true, false, false] {
            let expected = if is_new { new.next() } else { old.next() };
            assert!(Arc::ptr_eq(&queues.next().unwrap(), &expected.unwrap()));
        }
        assert!(queues.next().is_none());
    }

    #[test]
    fn the_clock_goes_on_from_slice_to_slice() {
        let scheduler = Scheduler::new(1);
        let permit = scheduler.enter();
        let clock = permit.clock();
        let before = clock.now();
        thread::sleep(SLICE);
        assert!(clock.now() >= before + SLICE);
    }
}
