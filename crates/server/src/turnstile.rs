//! Many searches on few cores: each has its thread, but only so many may work at a time, in turns.
//!
//! A search looks at its clock every thousand positions or so. The clock that it is given here is also the gate:
//! when the search has worked for a [`SLICE`] and somebody waits, reading the clock hands the turn over and
//! comes back when it is this search's turn again. So no search knows that it shares the machine, none restarts
//! anything, and the time it is told is the time that it has worked.
//!
//! Of those who have just come, a few are let in for each one who has worked before: so a first answer comes soon however
//! many searches go on, and nobody can keep the others out by coming again and again.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use turncoat_search::Clock;

/// How long a search works before it lets the next one through.
const SLICE: Duration = Duration::from_millis(10);

/// How many who have just come are let in before one who has worked already.
const FRESH_IN_A_ROW: u32 = 4;

/// A gate through which a fixed number may be at work; the others wait.
#[derive(Debug)]
pub(crate) struct Turnstile(Mutex<Gate>);

#[derive(Debug)]
struct Gate {
    free: usize,
    /// Those who have not worked yet, in the order in which they came.
    fresh: VecDeque<Arc<Ticket>>,
    /// Those who have, in the order in which they came back.
    waiting: VecDeque<Arc<Ticket>>,
    /// How many of those who were let in last were fresh.
    fresh_in_a_row: u32,
}

impl Gate {
    /// Whoever is let in next.
    fn next(&mut self) -> Option<Arc<Ticket>> {
        let is_turn_of_fresh = self.fresh_in_a_row < FRESH_IN_A_ROW || self.waiting.is_empty();
        if is_turn_of_fresh && let Some(ticket) = self.fresh.pop_front() {
            self.fresh_in_a_row += 1;
            return Some(ticket);
        }
        self.fresh_in_a_row = 0;
        self.waiting.pop_front()
    }
}

/// Where somebody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Fresh,
    Waiting,
}

/// Somebody who waits.
#[derive(Debug)]
struct Ticket {
    thread: Thread,
    called: AtomicBool,
}

impl Turnstile {
    /// A gate for so many at work.
    pub(crate) fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Gate {
            free: workers.max(1),
            fresh: VecDeque::new(),
            waiting: VecDeque::new(),
            fresh_in_a_row: 0,
        })))
    }

    /// Waits for a turn, which lasts until it is dropped.
    pub(crate) fn enter(self: &Arc<Self>) -> Turn {
        self.wait(Row::Fresh);
        Turn(Arc::new(TurnClock {
            turnstile: Arc::clone(self),
            slice: Mutex::new(Slice { before: Duration::ZERO, began: Instant::now() }),
        }))
    }

    fn gate(&self) -> MutexGuard<'_, Gate> {
        // Nothing panics while the gate is held; were it otherwise, its numbers would still be whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, row: Row) {
        let ticket = {
            let mut gate = self.gate();
            if gate.free > 0 {
                gate.free -= 1;
                return;
            }
            let ticket = Arc::new(Ticket { thread: thread::current(), called: AtomicBool::new(false) });
            match row {
                Row::Fresh => &mut gate.fresh,
                Row::Waiting => &mut gate.waiting,
            }
            .push_back(Arc::clone(&ticket));
            ticket
        };
        while !ticket.called.load(Ordering::Acquire) {
            thread::park();
        }
    }

    /// Gives the turn to whoever is next.
    fn leave(&self) {
        let mut gate = self.gate();
        if let Some(next) = gate.next() {
            next.called.store(true, Ordering::Release);
            next.thread.unpark();
        } else {
            gate.free += 1;
        }
    }

    fn is_wanted(&self) -> bool {
        let gate = self.gate();
        !gate.fresh.is_empty() || !gate.waiting.is_empty()
    }
}

/// Leave to work. Dropping it lets the next one through.
pub(crate) struct Turn(Arc<TurnClock>);

impl Turn {
    /// The clock that a search must be given which works by this turn, on the thread that has it.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.0) as Arc<dyn Clock>
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.turnstile.leave();
    }
}

/// Tells how long the holder of a turn has worked, and lets others through meanwhile.
struct TurnClock {
    turnstile: Arc<Turnstile>,
    slice: Mutex<Slice>,
}

struct Slice {
    /// Time worked in the slices before.
    before: Duration,
    began: Instant,
}

impl Clock for TurnClock {
    fn now(&self) -> Duration {
        let mut slice = self.slice.lock().unwrap_or_else(PoisonError::into_inner);
        let worked = slice.began.elapsed();
        if worked >= SLICE {
            slice.before += worked;
            if self.turnstile.is_wanted() {
                self.turnstile.leave();
                self.turnstile.wait(Row::Waiting);
            }
            slice.began = Instant::now();
            return slice.before;
        }
        slice.before + worked
    }
}

impl fmt::Debug for TurnClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnClock")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn never_more_at_work_than_allowed_and_everybody_gets_through() {
        let turnstile = Turnstile::new(2);
        let (at_work, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let turn = turnstile.enter();
                    assert!(at_work.fetch_add(1, Ordering::SeqCst) < 2);
                    thread::sleep(Duration::from_millis(1));
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    drop(turn);
                    done.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(done.into_inner(), 8);
        assert_eq!(turnstile.gate().free, 2);
    }

    #[test]
    fn reading_the_clock_lets_the_next_one_through() {
        let turnstile = Turnstile::new(1);
        let mine = turnstile.enter();
        let other = {
            let turnstile = Arc::clone(&turnstile);
            thread::spawn(move || drop(turnstile.enter()))
        };
        // Would never end if the turn were kept: the other one ends only when it has had it.
        while !other.is_finished() {
            mine.clock().now();
        }
        other.join().unwrap();
        drop(mine);
        assert_eq!(turnstile.gate().free, 1);
    }

    #[test]
    fn a_few_fresh_ones_are_let_in_for_each_who_comes_back() {
        let tickets = |count: usize| -> VecDeque<Arc<Ticket>> {
            let ticket = || Arc::new(Ticket { thread: thread::current(), called: AtomicBool::new(false) });
            (0..count).map(|_| ticket()).collect()
        };
        let (fresh, waiting) = (tickets(6), tickets(3));
        let mut gate = Gate { free: 0, fresh: fresh.clone(), waiting: waiting.clone(), fresh_in_a_row: 0 };
        let (mut fresh, mut waiting) = (fresh.into_iter(), waiting.into_iter());
        for is_fresh in [true, true, true, true, false, true, true, false, false] {
            let expected = if is_fresh { fresh.next() } else { waiting.next() };
            assert!(Arc::ptr_eq(&gate.next().unwrap(), &expected.unwrap()));
        }
        assert!(gate.next().is_none());
    }

    #[test]
    fn the_clock_goes_on_from_slice_to_slice() {
        let turnstile = Turnstile::new(1);
        let turn = turnstile.enter();
        let clock = turn.clock();
        let before = clock.now();
        thread::sleep(SLICE);
        assert!(clock.now() >= before + SLICE);
    }
}
