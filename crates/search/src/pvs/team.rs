//! Several threads in one search: idle ones take the younger moves of a node (see [`crate::parallel`]).
//!
//! A null-window node offers its moves after the first and goes on with those that nobody takes. A principal node does the
//! same in rounds ([`Searcher::round`]): all its moves are asked with a null window, a move that turns out to be better
//! ends the round and is searched with the whole window by the owner, and what was left open comes in the next round.
//! One thread alone takes none of these paths: its search stays the same, node by node.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Square, Variant};
use turncoat_eval::Evaluation;

use super::node::PvsNode;
use super::probcut::Selectivity;
use super::searcher::Searcher;
use crate::Watch;
use crate::candidate::Candidate;
use crate::crew::beside;
use crate::parallel::{Closer, Job, Pool, Split};
use crate::transposition::Key;

/// From this depth on the moves of a node are shared: below it would cost more than it saves.
pub(super) const SPLIT: u32 = 5;
/// Positions between two looks at what the other threads have found.
const NODES_BETWEEN_LOOKS: u64 = 256;

/// A move that another thread may search, with a null window.
#[derive(Debug, Clone, Copy)]
pub(super) struct PvsWork<S> {
    /// The board after the move, seen from the opponent, with its state and key.
    board: Board,
    state: S,
    key: Key,
    /// The lower end of the window from the opponent's view.
    alpha: i32,
    depth: u32,
    ply: usize,
    selectivity: Selectivity,
}

/// What the threads of a search share.
pub(super) struct Team<S> {
    pool: Pool<PvsWork<S>>,
    /// Positions of helpers that the owner has not counted yet.
    nodes: AtomicU64,
    /// Raised when a limit is reached, or a thread has panicked.
    stop: AtomicBool,
}

/// A thread's place in a team.
pub(super) struct Membership<'a, S> {
    team: &'a Team<S>,
    /// The innermost split that the present work belongs to.
    split: Option<Arc<Split>>,
    is_helper: bool,
    /// Positions that the team knows of already.
    counted: u64,
}

/// How a round of a principal node ended.
pub(super) enum Round {
    /// The search is over, or abandoned.
    Over,
    /// No open move is better.
    Refuted,
    /// The move at this place is probably better, with at least this value.
    Better(usize, i32),
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
        let team = Team { pool: Pool::new(), nodes: AtomicU64::new(0), stop: AtomicBool::new(false) };
        let (evaluation, table, error_model) = (owner.evaluation, owner.table, owner.error_model);
        let (geometry, techniques, constants) = (owner.geometry, owner.techniques, owner.constants);
        let watches: Vec<_> = (1..threads).map(|_| owner.watch.for_helper()).collect();
        let team = &team;
        let clock = owner.watch.clock();
        let help = |mut watch: Watch| {
            let _closer = Closer::new(&team.pool, &team.stop, watch.clock());
            let helper = Searcher::<V, E>::bare(geometry, evaluation, table, error_model, &mut watch);
            let membership = Membership { team, split: None, is_helper: true, counted: 0 };
            Backend::best().run(Helper(helper.with(techniques).tuned(constants).in_team(membership)));
        };
        let helpers = watches.into_iter().map(|watch| move || help(watch));
        let (mut owner, found) = beside(helpers, &*clock, || {
            let _closer = Closer::new(&team.pool, &team.stop, owner.watch.clock());
            let mut owner = owner.in_team(Membership { team, split: None, is_helper: false, counted: 0 });
            let found = search(&mut owner);
            (owner, found)
        });
        // The last positions of the helpers.
        owner.look();
        found
    }

    /// Checks what the other threads have found, and lets them know of this one.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self) {
        let Some(member) = &mut self.member else { return };
        let team = member.team;
        if member.is_helper {
            let nodes = self.watch.nodes();
            team.nodes.fetch_add(nodes - member.counted, Ordering::Relaxed);
            member.counted = nodes;
        } else {
            self.watch.count(team.nodes.swap(0, Ordering::Relaxed));
        }
        self.next_look = self.watch.nodes() + NODES_BETWEEN_LOOKS;
        if self.watch.check() {
            team.stop.store(true, Ordering::Relaxed);
        } else if team.stop.load(Ordering::Relaxed) {
            self.watch.end();
        }
        self.abandoned = member.split.as_ref().is_some_and(|split| split.is_over());
    }

    /// Whether a thread waits for a move of a node of this depth.
    #[inline(always)]
    pub(super) fn wants_to_share(&self, depth: u32) -> bool {
        depth >= SPLIT && self.member.as_ref().is_some_and(|member| member.team.pool.wants_work())
    }

    /// Begins to share the moves of a node: all work from here on lies below the split.
    #[cold]
    fn split(&mut self, alpha: i32) -> Option<Arc<Split>> {
        let member = self.member.as_mut()?;
        let split = Split::new(member.split.take(), alpha);
        member.split = Some(Arc::clone(&split));
        Some(split)
    }

    /// Offers a move of a node to idle threads. `depth` and `ply` are the child's.
    #[cold]
    #[inline(never)]
    pub(super) fn offer(
        &mut self,
        split: &mut Option<Arc<Split>>,
        candidate: &Candidate<E::State>,
        alpha: i32,
        depth: u32,
        ply: usize,
    ) {
        if split.is_none() {
            *split = self.split(alpha);
        }
        let (Some(split), Some(member)) = (split, &self.member) else { return };
        let &Candidate { board, state, key, square, .. } = candidate;
        let work = PvsWork { board, state, key, alpha: -alpha - 1, depth, ply, selectivity: self.selectivity };
        member.team.pool.offer(Job { split: Arc::clone(split), square, work });
    }

    /// Waits for the moves that were offered, helping with what lies below them, and returns their values.
    #[cold]
    #[inline(never)]
    pub(super) fn gather<I: Isa>(&mut self, isa: I, split: &Arc<Split>) -> Vec<(Square, i32)> {
        let Some(team) = self.member.as_ref().map(|member| member.team) else { return Vec::new() };
        if self.is_over() {
            split.end();
        }
        let clock = self.watch.clock();
        while let Some(job) = team.pool.next_below(split, &*clock) {
            help(isa, self, &job);
        }
        if let Some(member) = &mut self.member {
            member.split = split.parent();
        }
        // Whether the split's parent still matters is looked up afresh.
        self.look();
        split.results()
    }

    /// Searches the moves of a principal node from `next` on with the null window above alpha, with the help of idle
    /// threads, until one is better. Moves that are not are put before `next`, and `best` is raised to the highest of
    /// their values. `depth` and `ply` are the children's.
    pub(super) fn round<I: Isa>(
        &mut self,
        isa: I,
        next: &mut usize,
        alpha: i32,
        depth: u32,
        ply: usize,
        best: &mut i32,
    ) -> Round {
        let end = self.moves.len();
        if *next == end {
            return Round::Refuted;
        }
        let mut split = self.split(alpha);
        let mut results = Vec::new();
        for i in *next..end {
            let candidate = self.moves[i];
            if i + 1 < end && self.wants_to_share(depth + 1) {
                self.offer(&mut split, &candidate, alpha, depth, ply);
                continue;
            }
            let Candidate { board, state, key, square, .. } = candidate;
            let (searcher, alpha) = (&mut *self, -alpha - 1);
            let node = PvsNode::<false, V, E> { searcher, board, state, key, alpha, beta: alpha + 1, depth, ply };
            let value = -node.hand_over(isa);
            if self.is_over() {
                break;
            }
            results.push((square, value));
            if value > -alpha - 1 {
                if let Some(split) = &split {
                    split.end();
                }
                break;
            }
        }
        if let Some(split) = &split {
            results.extend(self.gather(isa, split));
        }
        if self.is_over() {
            return Round::Over;
        }
        for &(square, value) in results.iter().filter(|(_, value)| *value <= alpha) {
            *best = (*best).max(value);
            self.put_before(next, square);
        }
        let better = results.into_iter().filter(|(_, value)| *value > alpha).max_by_key(|(_, value)| *value);
        let place = better.and_then(|(square, value)| Some((self.place_of(*next, square)?, value)));
        place.map_or(Round::Refuted, |(place, value)| Round::Better(place, value))
    }

    fn place_of(&self, from: usize, square: Square) -> Option<usize> {
        let place = self.moves[from..].iter().position(|candidate| candidate.square == square);
        place.map(|place| from + place)
    }

    /// Puts a move that is done before the open ones, which keep their order.
    pub(super) fn put_before(&mut self, next: &mut usize, square: Square) {
        if let Some(place) = self.place_of(*next, square) {
            self.moves[*next..=place].rotate_right(1);
            *next += 1;
        }
    }

    /// Sorts the moves from `start` on, the highest rank first.
    pub(super) fn sort_moves(&mut self, start: usize) {
        self.moves[start..].sort_by_key(|candidate| Reverse(candidate.rank));
    }
}

/// A thread that takes jobs of other threads.
struct Helper<'a, V, E: Evaluation>(Searcher<'a, V, E>);

impl<V: Variant, E: Evaluation> Task for Helper<'_, V, E> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        let Some(team) = self.0.member.as_ref().map(|member| member.team) else { return };
        let clock = self.0.watch.clock();
        clock.resume();
        while let Some(job) = team.pool.next(&*clock) {
            help(isa, &mut self.0, &job);
        }
        clock.rest();
        self.0.look();
    }
}

/// Searches the move of a job.
#[cold]
#[inline(never)]
fn help<I: Isa, V: Variant, E: Evaluation>(isa: I, searcher: &mut Searcher<'_, V, E>, job: &Job<PvsWork<E::State>>) {
    let Some(member) = &mut searcher.member else { return };
    let (team, outer) = (member.team, member.split.replace(Arc::clone(&job.split)));
    let PvsWork { board, state, key, alpha, depth, ply, selectivity } = job.work;
    let own = std::mem::replace(&mut searcher.selectivity, selectivity);
    searcher.look();
    let value = if searcher.is_over() {
        0
    } else {
        let searcher = &mut *searcher;
        -PvsNode::<false, V, E> { searcher, board, state, key, alpha, beta: alpha + 1, depth, ply }.hand_over(isa)
    };
    team.pool.done(job, (!searcher.is_over()).then_some(value));
    searcher.selectivity = own;
    if let Some(member) = &mut searcher.member {
        member.split = outer;
    }
    searcher.abandoned = false;
}
