//! The state of one thread of a solve.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};

use super::last::LastSquares;
use super::near::{MOST_NEAR, NearTable};
use super::pool::{Pool, Split};
use super::selective::EXACT;
use super::tuning::SolverTuning;
use crate::candidate::Candidate;
use crate::transposition::{Entry, Key, Salt, TranspositionTable};
use crate::{Limits, Watch};

/// Positions between two looks at the clock and the flags: well under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 4096;

/// Plies after the start in which symmetric positions are worth looking for.
const SYMMETRIC_PLIES: u32 = 11;

/// How often a long solve reports its progress.
const BETWEEN_TICKS: Duration = Duration::from_secs(1);

/// A move that another thread may search.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolverWork {
    /// The board after the move, seen from the opponent, and its key.
    pub(super) board: Board,
    pub(super) key: Key,
    /// The bar from the opponent's view.
    pub(super) bar: i32,
    /// How sure the cuts must be.
    pub(super) level: u8,
}

/// What all threads of a solve share.
pub(super) struct SolveContext<'s, E> {
    pub(super) table: &'s TranspositionTable,
    pub(super) evaluation: &'s E,
    pub(super) salt: Salt,
    pub(super) geometry: Geometry,
    pub(super) limits: &'s Limits,
    pub(super) pool: Pool,
    /// Positions entered by all threads up to their last looks.
    pub(super) nodes: AtomicU64,
    /// Jobs that a thread took from another one.
    pub(super) handed_over: AtomicU64,
    /// Raised when a limit is reached.
    pub(super) stop: AtomicBool,
    /// Called now and then by the thread that owns the root.
    pub(super) tick: &'s (dyn Fn(u64, Duration) + Sync),
}

/// One thread's part of a solve.
pub(super) struct SolverWorker<'s, V, E> {
    pub(super) context: &'s SolveContext<'s, E>,
    /// The count of positions, and what the last squares need.
    pub(super) ending: LastSquares<V>,
    /// How sure the cuts must be; see the selective module.
    pub(super) level: u8,
    /// The level of the latest answer, which is higher where no cut was less sure.
    pub(super) certainty: u8,
    /// The moves of all nodes on the path, each node's behind its parent's, with the replies to them once they are ranked.
    pub(super) moves: Vec<Candidate<Bitboard>>,
    /// Those of the nodes near the end and of lookaheads.
    pub(super) near_moves: Vec<Candidate<Bitboard, ()>>,
    /// What is known of positions near the end.
    pub(super) near: NearTable,
    /// Whether results are void because the search must end.
    pub(super) stopped: bool,
    /// The innermost split that the present work belongs to.
    pub(super) split: Option<Arc<Split>>,
    /// With at least this many empties a board is searched in its canonical orientation.
    symmetric_from: u32,
    /// Whether this is the thread that owns the root.
    pub(super) is_first: bool,
    /// Positions that are in the shared count already.
    counted: u64,
    next_look: u64,
    next_tick: Duration,
    pub(super) watch: Watch,
}

impl<'s, V: Variant, E: SolverTuning> SolverWorker<'s, V, E> {
    pub(super) fn new(context: &'s SolveContext<'s, E>, is_first: bool, watch: Watch) -> Self {
        Self {
            context,
            ending: LastSquares::new(context.geometry),
            level: 0,
            certainty: EXACT,
            moves: Vec::with_capacity(1024),
            near_moves: Vec::with_capacity(1024),
            near: NearTable::new(),
            stopped: false,
            split: None,
            symmetric_from: (u32::from(context.geometry.area()) - 4 - SYMMETRIC_PLIES).max(MOST_NEAR + 1),
            is_first,
            counted: 0,
            next_look: 0,
            next_tick: BETWEEN_TICKS,
            watch,
        }
    }

    /// The empty squares of a board.
    #[inline(always)]
    pub(super) fn empties(&self, board: Board) -> Bitboard {
        board.empties(self.context.geometry)
    }

    /// The mover's legal moves.
    #[inline(always)]
    pub(super) fn legal_moves<I: Isa>(&self, isa: I, board: Board) -> Bitboard {
        isa.legal_moves(board, self.empties(board))
    }

    #[inline(always)]
    pub(super) fn key(&self, board: Board) -> Key {
        Key::new(board, self.context.salt)
    }

    /// The board itself, or near the start the least of its symmetric images: there the same position comes up
    /// in several orientations, and all of them have one score.
    #[inline(always)]
    pub(super) fn oriented(&self, board: Board, empties: u32) -> Board {
        if self.is_oriented(empties) { board.canonical().0 } else { board }
    }

    /// Whether boards with this many empties are brought into their canonical orientation.
    #[inline(always)]
    pub(super) const fn is_oriented(&self, empties: u32) -> bool {
        empties >= self.symmetric_from
    }

    /// What is known of a position with this many empties.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key, empties: u32) -> Option<Entry> {
        if empties <= MOST_NEAR { self.near.probe(key) } else { self.context.table.probe(key) }
    }

    /// The value of a board with these moves and this state, without looking ahead.
    #[inline(always)]
    pub(super) fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &E::State) -> i32 {
        self.context.evaluation.evaluate(isa, board, moves, state)
    }

    /// The evaluation's state of the board that a move led to, both in the same orientation.
    #[inline(always)]
    pub(super) fn state_after<I: Isa>(
        &self,
        isa: I,
        board: Board,
        state: &E::State,
        square: Square,
        next: Board,
    ) -> E::State {
        // What the opponent has lost was flipped.
        let flips = board.other() & !next.mover();
        self.context.evaluation.after(isa, state, square, flips)
    }

    /// Counts a position; `true` when the search must end.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        self.ending.nodes += 1;
        if self.ending.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    /// Positions entered by all threads, and the time since the start.
    pub(super) fn tally(&mut self) -> (u64, Duration) {
        self.look();
        let nodes = self.context.nodes.load(Ordering::Relaxed);
        (nodes, self.watch.elapsed())
    }

    /// Checks everything that can end the search.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self) {
        let fresh = self.ending.nodes - self.counted;
        self.counted = self.ending.nodes;
        let nodes = self.context.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
        let limit = self.context.limits.nodes.unwrap_or(u64::MAX);
        let left = limit.saturating_sub(nodes);
        self.next_look = self.ending.nodes + left.min(NODES_BETWEEN_LOOKS);
        if left == 0 || self.watch.check() {
            self.context.stop.store(true, Ordering::Relaxed);
        }
        self.stopped =
            self.context.stop.load(Ordering::Relaxed) || self.split.as_ref().is_some_and(|split| split.is_over());
        if self.is_first {
            let time = self.watch.elapsed();
            if time >= self.next_tick {
                self.next_tick = time + BETWEEN_TICKS;
                (self.context.tick)(nodes, time);
            }
        }
    }
}
