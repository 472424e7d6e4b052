//! Sharing the moves of one position between threads: the young brothers wait concept.
//!
//! When the first move of a position does not exceed the bar, probably none does, and all others have to be searched:
//! they are offered to idle threads. The thread that owns the position (the owner of the [`Split`])
//! searches the moves that nobody takes. When it runs out of them it helps with jobs that descend from its
//! own split only, so that it is never held up by unrelated work. As soon as one move exceeds the bar the split is
//! over, and all work below it is abandoned.

use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use turncoat_board::Square;

use super::worker::SolverWork;
use crate::Clock;
use crate::crew::Close;

/// A position whose moves are searched by several threads.
#[derive(Debug)]
pub(super) struct Split {
    /// The split below which this one lies.
    parent: Option<Arc<Split>>,
    /// What a move's score must exceed to end it.
    bar: i32,
    over: AtomicBool,
    /// Jobs not yet done.
    pending: AtomicUsize,
    /// The moves of the jobs done so far and their scores.
    results: Mutex<Vec<(Square, i32)>>,
}

impl Split {
    /// A split without jobs.
    pub(super) fn new(parent: Option<Arc<Self>>, bar: i32) -> Arc<Self> {
        Arc::new(Self {
            parent,
            bar,
            over: AtomicBool::new(false),
            pending: AtomicUsize::new(0),
            results: Mutex::new(Vec::new()),
        })
    }

    /// Whether work below it is useless by now.
    pub(super) fn is_over(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.over.load(Ordering::Relaxed) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    /// The split below which this one lies.
    pub(super) fn parent(&self) -> Option<Arc<Self>> {
        self.parent.clone()
    }

    /// Abandons all work below it.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The moves of its jobs that were searched to their end, and their scores, in the order in which they were done.
    pub(super) fn results(&self) -> Vec<(Square, i32)> {
        locked(&self.results).clone()
    }

    fn descends_from(&self, ancestor: &Self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if std::ptr::eq(this, ancestor) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }
}

/// A move of a split, to be searched by any thread.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) split: Arc<Split>,
    pub(super) square: Square,
    /// What a thread needs to know to search it.
    pub(super) work: SolverWork,
}

/// Looks at an unchanged queue before a thread yields its core, perhaps to one whose work it waits for.
const LOOKS_BEFORE_YIELD: u32 = 200;
/// Looks before it goes to sleep: waking up takes longer than small jobs last.
const LOOKS_BEFORE_SLEEP: u32 = 1000;

/// The jobs on offer and the threads that wait for them.
#[derive(Debug)]
pub(super) struct Pool {
    jobs: Mutex<Vec<Job>>,
    changed: Condvar,
    /// Goes up with every change of the queue, so that waiting threads need not lock it to see one.
    changes: AtomicUsize,
    /// How many jobs are on offer: with many threads, all but one of those that wait for a job would lock the queue in vain.
    on_offer: AtomicUsize,
    /// Threads that sleep, so that nobody is woken where nobody does.
    asleep: AtomicUsize,
    /// Waiting threads less jobs on offer.
    idle: AtomicIsize,
    closed: AtomicBool,
}

impl Pool {
    /// A pool without jobs.
    pub(super) fn new() -> Self {
        Self {
            jobs: Mutex::default(),
            changed: Condvar::new(),
            changes: AtomicUsize::new(0),
            on_offer: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            idle: AtomicIsize::new(0),
            closed: AtomicBool::new(false),
        }
    }

    /// Whether a thread is idle for which there is no job yet.
    #[inline(always)]
    pub(super) fn wants_work(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Offers a job.
    pub(super) fn offer(&self, job: Job) {
        job.split.pending.fetch_add(1, Ordering::Relaxed);
        self.idle.fetch_sub(1, Ordering::Relaxed);
        let mut jobs = locked(&self.jobs);
        jobs.push(job);
        self.on_offer.store(jobs.len(), Ordering::Relaxed);
        drop(jobs);
        self.announce();
    }

    fn announce(&self) {
        // Either this sees that a thread is about to sleep, or that thread sees the change.
        self.changes.fetch_add(1, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) > 0 {
            // It holds the lock until it sleeps, so that it is woken.
            drop(locked(&self.jobs));
            self.changed.notify_all();
        }
    }

    /// The next job of any split for the thread with this clock; `None` when the pool is closed.
    pub(super) fn next(&self, clock: &dyn Clock) -> Option<Job> {
        self.wait(clock, |_| true, || self.is_closed())
    }

    /// The next job below this split; `None` when all of its own jobs are done or the pool is closed, because a
    /// thread that had taken one of them has panicked.
    pub(super) fn next_below(&self, split: &Split, clock: &dyn Clock) -> Option<Job> {
        self.wait(
            clock,
            |job| job.split.descends_from(split),
            || self.is_closed() || split.pending.load(Ordering::Acquire) == 0,
        )
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn wait(&self, clock: &dyn Clock, fits: impl Fn(&Job) -> bool, ended: impl Fn() -> bool) -> Option<Job> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut looks = 0;
        let found = 'waiting: loop {
            let seen = self.changes.load(Ordering::Acquire);
            if let Some(job) = self.take(&fits) {
                break Some(job);
            }
            if ended() {
                break None;
            }
            while self.changes.load(Ordering::Acquire) == seen {
                looks += 1;
                if looks < LOOKS_BEFORE_YIELD {
                    std::hint::spin_loop();
                    continue;
                }
                if looks < LOOKS_BEFORE_SLEEP {
                    std::thread::yield_now();
                    continue;
                }
                clock.rest();
                let mut jobs = locked(&self.jobs);
                self.asleep.fetch_add(1, Ordering::SeqCst);
                while self.changes.load(Ordering::SeqCst) == seen {
                    jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
                }
                self.asleep.fetch_sub(1, Ordering::Relaxed);
                drop(jobs);
                // Who only has to leave needs no core.
                if !self.is_closed() {
                    clock.resume();
                }
                continue 'waiting;
            }
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// The oldest fitting job: those near the root are the largest.
    fn take(&self, fits: impl Fn(&Job) -> bool) -> Option<Job> {
        if self.on_offer.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut jobs = locked(&self.jobs);
        let place = jobs.iter().position(fits)?;
        self.idle.fetch_add(1, Ordering::Relaxed);
        let job = jobs.remove(place);
        self.on_offer.store(jobs.len(), Ordering::Relaxed);
        Some(job)
    }

    /// Reports a job's result: the score of its move for the split's owner, unless it was abandoned.
    pub(super) fn done(&self, job: &Job, score: Option<i32>) {
        let split = &job.split;
        if let Some(score) = score {
            locked(&split.results).push((job.square, score));
            if score > split.bar {
                split.end();
            }
        }
        split.pending.fetch_sub(1, Ordering::Release);
        self.announce();
    }
}

impl Close for Pool {
    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.announce();
    }
}

/// The lock, also after a panic of another thread, which closes the pool and so ends the search.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
