//! Several threads in one search: all of them search the same root, and share what they find by the table.
//!
//! So that they do not do the same work, a thread puts off a move that another one is searching: it tries the others of the
//! node first, and by then the table mostly has the answer. (ABDADA by J.-C. Weill, as simplified by T. Kerrigan.) Half of the
//! helpers search the depth of the owner, a quarter a ply more, and so on: they find what the next iterations begin with.
//! No thread waits for another; one that searches below a node that another one has settled leaves it. The owner's values
//! count; when it has searched the root, the helpers abandon what they do.
//! One thread alone puts nothing off: its search stays the same, node by node.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use turncoat_board::isa::Backend;
use turncoat_board::{Position, Variant};
use turncoat_eval::Evaluation;

use super::probcut::Selectivity;
use super::root::{PvsRoot, RootMove};
use super::searcher::Searcher;
use crate::crew::{Close, Closer, beside};
use crate::transposition::Key;
use crate::{Clock, Watch};

/// From this depth on moves are put off: below it would cost more than it saves.
pub(super) const SHARED: u32 = 9;
/// Plies that a helper may search more than the owner.
const MOST_AHEAD: u32 = 3;
/// Positions between two looks at what the other threads have found.
const NODES_BETWEEN_LOOKS: u64 = 256;
/// Positions between two looks at the nodes above, whether another thread has settled one.
const NODES_BETWEEN_PATHS: u64 = 1024;
/// Moves that are being searched, by their keys; many times as many as there are.
const CLAIMS: usize = 1 << 14;
/// Looks for the next root before a thread yields its core, and before it goes to sleep.
const LOOKS_BEFORE_YIELD: u32 = 200;
const LOOKS_BEFORE_SLEEP: u32 = 1000;

/// What a search of the root is asked.
#[derive(Debug, Clone)]
pub(super) struct RootTask {
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) selectivity: Selectivity,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) rank: usize,
    pub(super) moves: Vec<RootMove>,
}

/// What the threads of a search share.
pub(super) struct Team {
    /// What the owner searches now.
    task: Mutex<Option<RootTask>>,
    changed: Condvar,
    /// Goes up when the owner begins to search a root and when it has ended.
    turn: AtomicU64,
    /// Positions of helpers that the owner has not counted yet.
    nodes: AtomicU64,
    /// Raised when a limit is reached, or a thread has panicked.
    stop: AtomicBool,
    closed: AtomicBool,
    claims: Box<[AtomicU64]>,
}

/// A thread's place in a team.
pub(super) struct Membership<'a> {
    team: &'a Team,
    /// The turn of the team in which it works; the owner has none.
    turn: Option<u64>,
    /// Positions that the team knows of already.
    counted: u64,
}

/// A node on the path of a thread that others may settle, asked with the null window above `alpha`.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) key: Key,
    pub(super) alpha: i32,
    pub(super) depth: u32,
}

/// A move that this thread searches.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    place: usize,
    mark: u64,
}

impl Claim {
    #[inline(always)]
    fn new(key: Key, depth: u32) -> Self {
        let salt = u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { place: (key.place() ^ salt as usize) % CLAIMS, mark: key.check() ^ salt }
    }
}

impl Team {
    fn new() -> Self {
        Self {
            task: Mutex::new(None),
            changed: Condvar::new(),
            turn: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            claims: (0..CLAIMS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn task(&self) -> MutexGuard<'_, Option<RootTask>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the helpers search a root, or nothing.
    fn set(&self, task: Option<RootTask>) {
        // Both under the lock, so that nobody goes to sleep who has not seen it.
        let mut place = self.task();
        *place = task;
        self.turn.fetch_add(1, Ordering::Release);
        drop(place);
        self.changed.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The root that is searched in a turn after this one; `None` when the search is over.
    fn next(&self, mut last: u64, clock: &dyn Clock) -> Option<(u64, RootTask)> {
        let mut looks = 0;
        loop {
            if self.is_closed() {
                return None;
            }
            if self.turn.load(Ordering::Acquire) != last {
                let task = self.task();
                last = self.turn.load(Ordering::Acquire);
                if let Some(task) = &*task {
                    return Some((last, task.clone()));
                }
            }
            looks += 1;
            if looks < LOOKS_BEFORE_YIELD {
                std::hint::spin_loop();
            } else if looks < LOOKS_BEFORE_SLEEP {
                std::thread::yield_now();
            } else {
                clock.rest();
                let is_idle = |_: &mut Option<RootTask>| self.turn.load(Ordering::Acquire) == last && !self.is_closed();
                drop(self.changed.wait_while(self.task(), is_idle).unwrap_or_else(PoisonError::into_inner));
                // Who only has to leave needs no core.
                if !self.is_closed() {
                    clock.resume();
                }
            }
        }
    }
}

impl Close for Team {
    fn close(&self) {
        // Under the lock too.
        let task = self.task();
        self.closed.store(true, Ordering::Release);
        drop(task);
        self.changed.notify_all();
    }
}

impl<V: Variant, E: Evaluation> Searcher<'_, V, E> {
    /// Runs a search with the help of further threads, `threads` in all.
    ///
    /// # Panics
    /// If a helper panics.
    pub fn with_helpers<R>(self, threads: usize, search: impl FnOnce(&mut Searcher<'_, V, E>) -> R) -> R {
        let mut owner = self;
        if threads <= 1 {
            return search(&mut owner);
        }
        let team = &Team::new();
        let (evaluation, table, error_model) = (owner.evaluation, owner.table, owner.error_model);
        let (geometry, techniques, constants) = (owner.geometry, owner.techniques, owner.constants);
        let shared_from = owner.shared_from;
        let watches: Vec<_> = (1..threads).map(|number| (number, owner.watch.for_helper())).collect();
        let clock = owner.watch.clock();
        let help = |number: usize, mut watch: Watch| {
            let _closer = Closer::new(team, &team.stop, watch.clock());
            let helper = Searcher::<V, E>::bare(geometry, evaluation, table, error_model, &mut watch);
            let membership = Membership { team, turn: Some(0), counted: 0 };
            let helper = helper.with(techniques).tuned(constants).sharing_from(shared_from);
            helper.in_team(membership).help(team, number.trailing_zeros().min(MOST_AHEAD));
        };
        let helpers = watches.into_iter().map(|(number, watch)| move || help(number, watch));
        let (mut owner, found) = beside(helpers, &*clock, || {
            let _closer = Closer::new(team, &team.stop, owner.watch.clock());
            let mut owner = owner.in_team(Membership { team, turn: None, counted: 0 });
            let found = search(&mut owner);
            (owner, found)
        });
        // The last positions of the helpers.
        owner.look();
        found
    }

    /// Searches what the owner searches, so many plies further, until the search is over.
    fn help(mut self, team: &Team, ahead: u32) {
        let clock = self.watch.clock();
        clock.resume();
        let mut last = 0;
        while let Some((turn, task)) = team.next(last, &*clock) {
            last = turn;
            if let Some(member) = &mut self.member {
                member.turn = Some(turn);
            }
            self.abandoned = false;
            debug_assert!(self.path.is_empty() && self.settled.is_none());
            self.look();
            let RootTask { position, depth, selectivity, alpha, beta, rank, mut moves } = task;
            self.selectivity = selectivity;
            let depth = depth + ahead;
            let (searcher, moves, better) = (&mut self, &mut moves[..], &mut |_: &RootMove, _| {});
            Backend::best().run(PvsRoot { searcher, position, depth, alpha, beta, rank, moves, better });
            self.moves.clear();
        }
        clock.rest();
        self.look();
    }

    /// Has the helpers search the same root from now on; nothing if it is `None`.
    pub(super) fn share(&self, task: impl FnOnce() -> Option<RootTask>) {
        if let Some(Membership { team, turn: None, .. }) = &self.member {
            team.set(task());
        }
    }

    /// Checks what the other threads have found, and lets them know of this one.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self) {
        let Some(member) = &mut self.member else { return };
        let team = member.team;
        if let Some(turn) = member.turn {
            let nodes = self.watch.nodes();
            team.nodes.fetch_add(nodes - member.counted, Ordering::Relaxed);
            member.counted = nodes;
            self.abandoned = team.turn.load(Ordering::Relaxed) != turn;
        } else {
            self.watch.count(team.nodes.swap(0, Ordering::Relaxed));
        }
        self.next_look = self.watch.nodes() + NODES_BETWEEN_LOOKS;
        if self.watch.nodes() >= self.next_path {
            self.next_path = self.watch.nodes() + NODES_BETWEEN_PATHS;
            // The uppermost: all below it is in vain.
            let settled = (0..self.path.len()).find(|&place| self.answer(self.path[place]).is_some());
            self.settled = self.settled.or(settled);
        }
        if self.watch.check() {
            team.stop.store(true, Ordering::Relaxed);
        } else if team.stop.load(Ordering::Relaxed) {
            self.watch.end();
        }
    }

    /// What the table knows of a node, if it decides about its window.
    fn answer(&self, Asked { key, alpha, depth }: Asked) -> Option<i32> {
        self.decides(self.table.probe(key)?, alpha, alpha + 1, depth)
    }

    /// Searches a node that other threads may settle meanwhile: then theirs is the value, and what was begun is left.
    #[inline(always)]
    pub(super) fn unless_settled(&mut self, asked: Asked, mut search: impl FnMut(&mut Self) -> i32) -> i32 {
        if !self.is_shared(asked.depth) {
            return search(self);
        }
        let place = self.path.len();
        loop {
            self.path.push(asked);
            let value = search(self);
            self.path.truncate(place);
            if self.settled != Some(place) {
                return value;
            }
            self.settled = None;
            if let Some(value) = self.answer(asked) {
                return value;
            }
            // The entry has gone meanwhile.
        }
    }

    /// Whether moves of a node of this depth are put off while another thread searches them.
    #[inline(always)]
    pub(super) const fn is_shared(&self, depth: u32) -> bool {
        depth >= self.shared_from && self.member.is_some()
    }

    /// Says that this thread searches a move, unless another one does; `depth` is the node's. `insist` says it anyway.
    #[inline(always)]
    pub(super) fn claim(&self, key: Key, depth: u32, insist: bool) -> Option<Claim> {
        let claim = Claim::new(key, depth);
        let claims = &self.member.as_ref()?.team.claims;
        if !insist && claims[claim.place].load(Ordering::Relaxed) == claim.mark {
            return None;
        }
        claims[claim.place].store(claim.mark, Ordering::Relaxed);
        Some(claim)
    }

    /// The move has been searched.
    #[inline(always)]
    pub(super) fn release(&self, claim: Claim) {
        let Some(member) = &self.member else { return };
        let claimed = &member.team.claims[claim.place];
        if claimed.load(Ordering::Relaxed) == claim.mark {
            claimed.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Board, Geometry, Reversed, VariantKind};
    use turncoat_eval::HandMade;

    use super::*;
    use crate::Limits;
    use crate::transposition::{Entry, TranspositionTable};

    #[test]
    fn a_node_that_another_thread_settles_is_left_with_all_below_it() {
        let (geometry, table, team) = (Geometry::EIGHT, TranspositionTable::new(1).unwrap(), Team::new());
        let evaluation = HandMade::new(VariantKind::Reversed, geometry);
        let mut watch = Watch::start(&Limits::default());
        let searcher = Searcher::<Reversed, _>::bare(geometry, &evaluation, &table, None, &mut watch).sharing_from(2);
        let mut searcher = searcher.in_team(Membership { team: &team, turn: None, counted: 0 });
        let board = Board::start(geometry);
        let upper = Asked { key: searcher.key(board), alpha: 100, depth: 5 };
        let lower = Asked { key: searcher.key(board.pass()), alpha: -101, depth: 4 };
        let level = searcher.selectivity.index();
        let mut begun = Vec::new();
        let value = searcher.unless_settled(upper, |searcher| {
            begun.push(upper.depth);
            let value = searcher.unless_settled(lower, |searcher| {
                begun.push(lower.depth);
                // Too shallow to settle the upper node; then what settles it.
                table.store(upper.key, Entry { lower: 300, ..Entry::blank(4, level) });
                searcher.next_path = 0;
                searcher.look();
                assert!(!searcher.is_over());
                table.store(upper.key, Entry { lower: 200, ..Entry::blank(5, level) });
                searcher.next_path = 0;
                searcher.look();
                assert!(searcher.is_over());
                0
            });
            assert!(searcher.is_over());
            -value
        });
        assert_eq!((value, begun), (200, vec![5, 4]));
        assert!(!searcher.is_over() && searcher.path.is_empty());
    }
}
