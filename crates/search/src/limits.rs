//! How long a search may think, and the watch that ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Budget, Clock, SystemClock, work_clock};

/// Limits of one search; the first one reached ends it. Without any, the player's own apply.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Wall-clock time after which no iteration is begun.
    pub soft: Option<Duration>,
    /// The clock of the game, for players that manage it themselves; `time` is then an even share of it, for
    /// those that do not.
    pub game: Option<Budget>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions entered.
    pub nodes: Option<u64>,
    /// Threads that it may use; as many as the player usually does if not given.
    pub threads: Option<usize>,
    /// Stops the search from outside.
    pub stop: StopFlag,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// The CPU clock of the calling thread.
    pub work: Arc<dyn Clock>,
}

impl Limits {
    /// The same limits with the clock of a game, in a position with this many empties.
    #[must_use]
    pub fn with_game(self, budget: Budget, empties: u32) -> Self {
        Self { time: Some(budget.even_share(empties)), game: Some(budget), ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        Self {
            time: None,
            soft: None,
            game: None,
            depth: None,
            nodes: None,
            threads: None,
            stop: StopFlag::default(),
            work: work_clock(Arc::clone(&clock)),
            clock,
        }
    }
}

/// A flag that another thread raises to stop a search, which then answers with its best move so far.
///
/// ```
/// use turncoat_search::StopFlag;
///
/// let flag = StopFlag::default();
/// let other_thread = flag.clone();
/// other_thread.raise();
/// assert!(flag.is_raised());
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks the search to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the flag usable again.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Nodes between two looks at the clock and the flag: well under a millisecond of any search here.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// Counts the nodes of one search and says when it must end.
///
/// ```
/// use turncoat_search::{Limits, Watch};
///
/// let mut watch = Watch::start(&Limits { nodes: Some(3), ..Limits::default() });
/// assert!(watch.enter() && watch.enter() && watch.enter());
/// assert!(!watch.enter());
/// assert!(watch.is_over());
/// ```
#[derive(Debug)]
pub struct Watch {
    nodes: u64,
    /// The node count at which the clock and the flag are checked.
    next_look: u64,
    node_limit: u64,
    started: Duration,
    deadline: Option<Duration>,
    /// When the clock was last read, and the longest time between two readings.
    looked: Duration,
    longest_gap: Duration,
    clock: Arc<dyn Clock>,
    stop: StopFlag,
    over: bool,
}

impl Watch {
    /// Begins a search under these limits.
    pub fn start(limits: &Limits) -> Self {
        let started = limits.clock.now();
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        Self {
            nodes: 0,
            next_look: node_limit.min(NODES_BETWEEN_LOOKS),
            node_limit,
            started,
            looked: started,
            longest_gap: Duration::ZERO,
            deadline: limits.time.map(|time| started.saturating_add(time)),
            clock: Arc::clone(&limits.clock),
            stop: limits.stop.clone(),
            over: limits.stop.is_raised(),
        }
    }

    /// The watch of another thread of the same search. It has the same deadline, or as much time on a clock of its own, and
    /// no limit on the nodes.
    pub(crate) fn for_helper(&self) -> Self {
        let mut helper = Self {
            nodes: 0,
            next_look: NODES_BETWEEN_LOOKS,
            node_limit: u64::MAX,
            clock: Arc::clone(&self.clock),
            stop: self.stop.clone(),
            ..*self
        };
        if let Some(own) = self.clock.for_helper() {
            let now = own.now();
            helper.deadline = self.deadline.map(|deadline| now.saturating_add(deadline.saturating_sub(self.looked)));
            (helper.looked, helper.clock) = (now, own);
        }
        helper
    }

    /// The clock that it reads.
    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// Counts nodes of other threads.
    pub(crate) const fn count(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// Ends the search.
    pub(crate) const fn end(&mut self) {
        self.over = true;
    }

    /// Counts a node; `false` when the search must end.
    #[inline(always)]
    pub fn enter(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look();
        }
        if self.over {
            return false;
        }
        self.nodes += 1;
        true
    }

    #[cold]
    fn look(&mut self) {
        self.next_look = self.node_limit.min(self.nodes + NODES_BETWEEN_LOOKS);
        self.over |= self.nodes >= self.node_limit || self.stop.is_raised();
        // Also without a deadline: reading the clock lets other searches run.
        let now = self.clock.now();
        self.longest_gap = self.longest_gap.max(now.saturating_sub(self.looked));
        self.looked = now;
        self.over |= self.deadline.is_some_and(|deadline| now >= deadline);
    }

    /// The longest time between two readings of the clock so far.
    pub const fn longest_gap(&self) -> Duration {
        self.longest_gap
    }

    /// Whether the search must end.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Checks the clock and the flag at once, between two parts of a search; `true` when it must end.
    pub fn check(&mut self) -> bool {
        self.look();
        self.over
    }

    /// Positions entered so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeClock;

    fn nodes_until_the_end(limits: &Limits) -> u64 {
        let mut watch = Watch::start(limits);
        while watch.enter() {
            assert!(watch.nodes() < 1_000_000);
        }
        watch.nodes()
    }

    #[test]
    fn each_limit_ends_the_search() {
        let nodes = |n| Limits { nodes: Some(n), ..Limits::default() };
        assert_eq!(nodes_until_the_end(&nodes(0)), 0);
        assert_eq!(nodes_until_the_end(&nodes(5000)), 5000);
        // The clock is read once at the start and then at every look: ten steps are ten looks.
        let time = Limits {
            time: Some(Duration::from_millis(10)),
            clock: Arc::new(FakeClock::new(Duration::from_millis(1))),
            ..Limits::default()
        };
        assert_eq!(nodes_until_the_end(&time), 10 * NODES_BETWEEN_LOOKS);
        let stopped = Limits::default();
        stopped.stop.raise();
        assert_eq!(nodes_until_the_end(&stopped), 0);
    }
}
