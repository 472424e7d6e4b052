//! Many searches on few cores: each has its thread, but only so many run at a time.
//!
//! A search reads its clock every thousand positions or so. The clock that it gets here is also the gate: when the
//! search has run for a [`SLICE`] and others wait, reading the clock hands its core over and returns when it is this
//! search's turn again. So no search knows that it shares the machine, none restarts anything, and the clock tells
//! only the time that the search has run.
//!
//! Of the searches that have not run yet, a few are let in for each one that has: a first answer comes soon however many
//! searches are under way, and nobody can starve the others by starting over and over. Addresses take turns: one with
//! sixty searches gets as much of the machine as one with a single search.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use turncoat_search::Clock;

use crate::peer::Peer;

/// How long a search runs before it lets the next one in.
const SLICE: Duration = Duration::from_millis(10);

/// How many new searches are let in before one that has run already.
const NEW_IN_A_ROW: u32 = 4;

/// Addresses whose last turn is remembered; when there are more, all start afresh.
const MOST_ADDRESSES: usize = 1024;

/// Lets a fixed number of searches run; the others wait.
#[derive(Debug)]
pub(crate) struct Scheduler(Mutex<Queues>);

#[derive(Debug, Default)]
struct Queues {
    /// Cores that nobody uses.
    free: usize,
    /// Searches that have not run yet, in the order of arrival.
    new: VecDeque<Arc<Waiter>>,
    /// Searches that have, in the order in which they gave up their core.
    old: VecDeque<Arc<Waiter>>,
    /// How many of those let in last were new.
    new_in_a_row: u32,
    /// The number of searches let in so far, and at which of them each address had its last turn.
    turns: u64,
    last_turns: HashMap<Peer, u64>,
}

impl Queues {
    /// The search that is let in next.
    fn next(&mut self) -> Option<Arc<Waiter>> {
        let is_turn_of_new = self.new_in_a_row < NEW_IN_A_ROW || self.old.is_empty();
        let is_new = is_turn_of_new && !self.new.is_empty();
        self.new_in_a_row = if is_new { self.new_in_a_row + 1 } else { 0 };
        let queue = if is_new { &mut self.new } else { &mut self.old };
        let last_turn = |waiter: &Waiter| self.last_turns.get(&waiter.peer).copied().unwrap_or_default();
        let (place, _) = queue.iter().enumerate().min_by_key(|(_, waiter)| last_turn(waiter))?;
        let waiter = queue.remove(place)?;
        self.turns += 1;
        if self.last_turns.len() >= MOST_ADDRESSES {
            self.last_turns.clear();
        }
        self.last_turns.insert(waiter.peer, self.turns);
        Some(waiter)
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
    peer: Peer,
    thread: Thread,
    called: AtomicBool,
}

impl Scheduler {
    /// A scheduler for so many searches at a time.
    pub(crate) fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Queues { free: workers.max(1), ..Queues::default() })))
    }

    /// Waits for a core, which is held until the permit is dropped.
    pub(crate) fn enter(self: &Arc<Self>, peer: Peer) -> Permit {
        let clock = self.clock(peer);
        clock.run(Queue::New);
        Permit(Arc::new(clock))
    }

    /// The clock of a thread that does not run yet.
    fn clock(self: &Arc<Self>, peer: Peer) -> SliceClock {
        let slice = Slice { before: Duration::ZERO, began: None };
        SliceClock { scheduler: Arc::clone(self), peer, slice: Mutex::new(slice) }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        // Nothing panics while the lock is held; if it did, the queues would still be consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, peer: Peer, queue: Queue) {
        let waiter = {
            let mut queues = self.queues();
            if queues.free > 0 {
                queues.free -= 1;
                return;
            }
            let waiter = Arc::new(Waiter { peer, thread: thread::current(), called: AtomicBool::new(false) });
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
            // Nobody waits, so nobody has a claim.
            queues.last_turns.clear();
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
        self.0.rest();
    }
}

/// Tells how long the holder of a permit has run, and lets others in meanwhile.
struct SliceClock {
    scheduler: Arc<Scheduler>,
    peer: Peer,
    slice: Mutex<Slice>,
}

struct Slice {
    /// The time of the slices before.
    before: Duration,
    /// When this one began; `None` while the thread rests.
    began: Option<Instant>,
}

impl SliceClock {
    fn slice(&self) -> MutexGuard<'_, Slice> {
        self.slice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a core, unless the thread has one.
    fn run(&self, queue: Queue) {
        let mut slice = self.slice();
        if slice.began.is_none() {
            self.scheduler.wait(self.peer, queue);
            slice.began = Some(Instant::now());
        }
    }
}

impl Clock for SliceClock {
    fn now(&self) -> Duration {
        let mut slice = self.slice();
        let ran = slice.began.map_or(Duration::ZERO, |began| began.elapsed());
        if ran >= SLICE {
            slice.before += ran;
            if self.scheduler.is_wanted() {
                self.scheduler.leave();
                self.scheduler.wait(self.peer, Queue::Old);
            }
            slice.began = Some(Instant::now());
            return slice.before;
        }
        slice.before + ran
    }

    fn rest(&self) {
        let mut slice = self.slice();
        if let Some(began) = slice.began.take() {
            slice.before += began.elapsed();
            self.scheduler.leave();
        }
    }

    fn resume(&self) {
        self.run(Queue::Old);
    }

    fn for_helper(&self) -> Option<Arc<dyn Clock>> {
        Some(Arc::new(self.scheduler.clock(self.peer)))
    }
}

impl Drop for SliceClock {
    fn drop(&mut self) {
        self.rest();
    }
}

impl fmt::Debug for SliceClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SliceClock")
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::atomic::AtomicUsize;

    use turncoat_board::{Game, Geometry, VariantKind};
    use turncoat_players::Limits;

    use super::*;

    fn peer(last: u8) -> Peer {
        Peer::from(IpAddr::from([127, 0, 0, last]))
    }

    fn waiters(count: usize, last: u8) -> VecDeque<Arc<Waiter>> {
        let waiter =
            || Arc::new(Waiter { peer: peer(last), thread: thread::current(), called: AtomicBool::new(false) });
        (0..count).map(|_| waiter()).collect()
    }

    fn queues(new: &VecDeque<Arc<Waiter>>, old: &VecDeque<Arc<Waiter>>) -> Queues {
        Queues { new: new.clone(), old: old.clone(), ..Queues::default() }
    }

    #[test]
    fn never_more_run_than_allowed_and_everybody_gets_through() {
        let scheduler = Scheduler::new(2);
        let (at_work, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = scheduler.enter(peer(1));
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
        let mine = scheduler.enter(peer(1));
        let other = {
            let scheduler = Arc::clone(&scheduler);
            thread::spawn(move || drop(scheduler.enter(peer(1))))
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
        let (new, old) = (waiters(6, 1), waiters(3, 1));
        let mut queues = queues(&new, &old);
        let (mut new, mut old) = (new.into_iter(), old.into_iter());
        for is_new in [true, true, true, true, false, true, true, false, false] {
            let expected = if is_new { new.next() } else { old.next() };
            assert!(Arc::ptr_eq(&queues.next().unwrap(), &expected.unwrap()));
        }
        assert!(queues.next().is_none());
    }

    #[test]
    fn addresses_take_turns_however_many_searches_they_have() {
        let (many, one) = (waiters(5, 1), waiters(1, 2));
        let mut queues = queues(&VecDeque::new(), &many.into_iter().chain(one).collect());
        let order: Vec<_> = std::iter::from_fn(|| queues.next()).map(|waiter| waiter.peer).collect();
        assert_eq!(order, [1, 2, 1, 1, 1, 1].map(peer));
    }

    #[test]
    fn a_thread_that_rests_lends_its_core_to_its_helpers() {
        let scheduler = Scheduler::new(1);
        let owner = scheduler.enter(peer(1));
        let helper = owner.clock().for_helper().unwrap();
        let working = thread::spawn(move || {
            helper.resume();
            helper.now();
        });
        // Would never end if the owner kept the only core; the helper's goes back when its clock is dropped.
        owner.clock().rest();
        working.join().unwrap();
        owner.clock().resume();
        assert_eq!(scheduler.queues().free, 0);
        drop(owner);
        assert_eq!(scheduler.queues().free, 1);
    }

    #[test]
    fn a_search_with_helpers_ends_on_any_number_of_cores() {
        for cores in [1, 2] {
            let scheduler = Scheduler::new(cores);
            thread::scope(|scope| {
                for last in 1..=3 {
                    let scheduler = &scheduler;
                    scope.spawn(move || {
                        let permit = scheduler.enter(peer(last));
                        let limits = Limits {
                            time: Some(Duration::from_millis(100)),
                            threads: Some(4),
                            clock: permit.clock(),
                            ..Limits::default()
                        };
                        let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
                        let mut player =
                            turncoat_api::opponent(&turncoat_api::opponents(), "turncoat", &game, 1).unwrap();
                        assert!(player.choose(game.position(), &limits, &mut |_| {}).unwrap().is_some());
                    });
                }
            });
            assert_eq!(scheduler.queues().free, cores);
        }
    }

    #[test]
    fn the_clock_goes_on_from_slice_to_slice() {
        let scheduler = Scheduler::new(1);
        let permit = scheduler.enter(peer(1));
        let clock = permit.clock();
        let before = clock.now();
        thread::sleep(SLICE);
        assert!(clock.now() >= before + SLICE);
    }
}
