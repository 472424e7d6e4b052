//! Positions near the end, of which there are most: each thread keeps them in a small table of its own. It stays in the
//! cache, while the large one is reached by a trip to memory that takes as long as part of their search.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};

use super::NO_SCORE;
use super::node::{decides, learnt};
use super::question::near;
use super::selective::EXACT;
use super::shallow::best_by_replies;
use super::tuning::SolverTuning;
use super::worker::SolverWorker;
use crate::stability;
use crate::transposition::{Entry, Key};

/// Positions with at most this many empties are kept here.
pub(super) const MOST_NEAR: u32 = 10;
/// Half a mebibyte: twice as many positions save 1 % of the nodes, and cost more time than that.
const SLOTS: usize = 1 << 15;

/// The table: each position has one place, and the latest one keeps it.
pub(super) struct NearTable(Box<[(u64, u64)]>);

impl NearTable {
    /// An empty table.
    pub(super) fn new() -> Self {
        Self(vec![(0, 0); SLOTS].into_boxed_slice())
    }

    /// What is known of this position.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        let (check, word) = self.0[key.place() % SLOTS];
        (check == key.check() && word != 0).then(|| Entry::unpack(word))
    }

    /// Fetches the place of this position into the cache, ahead of a probe.
    #[inline(always)]
    pub(super) fn prefetch<I: Isa>(&self, isa: I, key: Key) {
        isa.prefetch(&self.0[key.place() % SLOTS]);
    }

    /// Stores what is known of a position.
    #[inline(always)]
    pub(super) fn store(&mut self, key: Key, entry: Entry) {
        self.0[key.place() % SLOTS] = (key.check(), entry.pack(1));
    }
}

/// Whether the mover's score is above the bar, with few enough empties for the near table.
pub(super) struct NearNode<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    /// The mover's legal moves.
    pub(super) moves: Bitboard,
    pub(super) bar: i32,
}

impl<V: Variant, E: SolverTuning> Task for NearNode<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, moves, bar } = self;
        if worker.enter() {
            return 0;
        }
        let key = worker.key(board);
        worker.near.prefetch(isa, key);
        let empties = worker.empties(board);
        if moves.is_empty() {
            let passed = board.pass();
            let moves = isa.legal_moves(passed, empties);
            if moves.is_empty() {
                return worker.ending.final_score(board);
            }
            return -isa.run(NearNode { worker, board: passed, moves, bar: -bar });
        }
        if let Some(bound) = stability::decides::<V>(board, worker.context.geometry, bar) {
            return bound;
        }
        let known = worker.near.probe(key);
        if let Some(bound) = known.and_then(|entry| decides(entry, EXACT, bar)) {
            return bound;
        }
        let (mut best, mut others) = ((NO_SCORE, None), moves);
        // The table's move is tried before the others are listed.
        if let Some(square) = known.and_then(|entry| entry.best).filter(|&square| moves.contains(square)) {
            let next = board.after(square, isa.flips(board, square));
            let left = empties & !Bitboard::from_square(square);
            let score = -near(isa, worker, next, left, isa.legal_moves(next, left), -bar);
            (best, others) = ((score, Some(square)), moves & !Bitboard::from_square(square));
        }
        if best.0 < bar && !others.is_empty() && !worker.stopped {
            let found = best_by_replies(isa, worker, board, empties, others, bar);
            best = if found.0 > best.0 { found } else { best };
        }
        if !worker.stopped {
            let entry = learnt(known, empties.count(), EXACT, bar, best.0, best.1);
            worker.near.store(key, entry);
        }
        best.0
    }
}
