//! The processes of a running program: what they use, how they are stopped and how they are ended.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::sandbox::{Controller, Group};
use crate::system::{self, Signal};
use crate::tree::{self, Tree};

/// The processes of a running program.
#[derive(Debug)]
pub(crate) struct Running {
    /// The first one: the sandbox's, or the program's own if it is trusted.
    pid: u32,
    trusted: bool,
    group: Option<Group>,
    /// The lock is held while they are stopped or continued.
    frozen: Mutex<Frozen>,
    counted: Mutex<Counted>,
}

/// Whether processes are stopped.
#[derive(Debug, Default)]
struct Frozen {
    now: bool,
    /// How often they have been.
    times: u64,
}

/// When memory was counted exactly, and how long that took.
#[derive(Debug, Clone, Copy)]
struct Counted {
    bytes: u64,
    at: Instant,
    took: Duration,
}

/// Counting takes at most this share of the time: it holds the program up.
const SHARE: u32 = 20;

impl Running {
    pub(crate) fn new(pid: u32, trusted: bool, group: Option<Group>) -> Self {
        let counted = Counted { bytes: 0, at: Instant::now(), took: Duration::ZERO };
        Self { pid, trusted, group, frozen: Mutex::default(), counted: Mutex::new(counted) }
    }

    /// Whether there are more processes than this; the sandbox itself has two.
    pub(crate) fn has_more_than(&self, processes: usize) -> bool {
        let own = if self.trusted { 0 } else { 2 };
        // A bomb makes processes faster than they can be counted.
        Tree::up_to(self.pid, processes + own + 1).count() > processes + own
    }

    /// Bytes of memory that they hold. Where no group counts it, a cheap upper bound is used as long as it is below
    /// `allowed`.
    pub(crate) fn memory(&self, allowed: u64) -> u64 {
        if let Some(bytes) = self.group.as_ref().and_then(Group::memory) {
            return bytes;
        }
        let tree = Tree::below(self.pid);
        let bound = tree.memory_bound();
        // Only processes that share memory make the bound too high.
        if tree.count() <= if self.trusted { 1 } else { 3 } {
            return bound;
        }
        let mut last = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if bound <= allowed && last.at.elapsed() < last.took * SHARE {
            return last.bytes;
        }
        let at = Instant::now();
        let bytes = tree.memory().min(bound);
        *last = Counted { bytes, at, took: at.elapsed() };
        bytes
    }

    /// Whether the kernel has killed one of them for its memory.
    pub(crate) fn ran_out(&self) -> bool {
        self.group.as_ref().is_some_and(Group::ran_out)
    }

    /// Lets the kernel allow them so many bytes beyond what they hold now.
    pub(crate) fn allow_more(&self, bytes: u64) {
        if let Some(group) = &self.group
            && let Some(charged) = group.charged()
        {
            // The limit of the start still holds if this one is refused.
            let _ = group.limit_memory(charged.saturating_add(bytes));
        }
    }

    /// Stops them all until they are thawed.
    pub(crate) fn freeze(&self) {
        let mut frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        *frozen = Frozen { now: true, times: frozen.times + 1 };
        let done = self.freezer().is_some_and(|group| group.set_frozen(true).is_ok());
        if !done {
            self.stop();
        }
    }

    /// Lets them go on.
    pub(crate) fn thaw(&self) {
        let mut frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut frozen.now) {
            return;
        }
        let done = self.freezer().is_some_and(|group| group.set_frozen(false).is_ok());
        if !done {
            self.stoppable().signal(Signal::Continue);
        }
    }

    /// Stops again whatever runs although it is frozen: a process may have been made while the others were stopped.
    pub(crate) fn keep_frozen(&self) {
        let frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        if frozen.now && self.freezer().is_none() {
            self.stop();
        }
    }

    /// Which rest this is, if the kernel holds them still: until it ends they use no more than they do now.
    pub(crate) fn rest(&self) -> Option<u64> {
        let frozen = self.frozen.lock().unwrap_or_else(PoisonError::into_inner);
        (frozen.now && self.freezer().is_some()).then_some(frozen.times)
    }

    fn freezer(&self) -> Option<&Group> {
        self.group.as_ref().filter(|group| group.has(Controller::Freezer))
    }

    /// Stops them by signals, again and again until none runs: one may wake another before it is stopped itself.
    fn stop(&self) {
        for _ in 0..100 {
            let running = self.stoppable().running();
            if running.count() == 0 {
                return;
            }
            running.signal(Signal::Stop);
        }
    }

    /// All but the sandbox's outer process, which clears up.
    fn stoppable(&self) -> Tree {
        match self.first() {
            Some(first) => Tree::below(first),
            None => Tree::default(),
        }
    }

    /// The program's first process; in the sandbox it is the first of a namespace.
    fn first(&self) -> Option<u32> {
        if self.trusted { Some(self.pid) } else { tree::children(self.pid).first().copied() }
    }

    /// Ends them. In the sandbox the first of the namespace takes all others with it; the sandbox's own process clears
    /// that away and ends too, so that nothing is left for the system to clear. A trusted program is ended with its group
    /// and whatever has left that.
    pub(crate) fn end(&self) {
        if self.trusted {
            let tree = Tree::below(self.pid);
            system::kill_group(self.pid);
            tree.signal(Signal::Kill);
        } else if let Some(first) = self.first() {
            system::signal(first, Signal::Kill);
        } else {
            system::kill_group(self.pid);
        }
        self.thaw();
    }
}
