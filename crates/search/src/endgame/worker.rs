//! What one thread carries through the tree.

use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};

use super::judge::Judge;
use super::last::Ending;
use crate::table::{Key, Salt, Table};
use crate::{Limits, Watch};

/// Positions between two looks at the clock and the flags: well under a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 8192;

/// What all threads of a solve share.
#[derive(Debug)]
pub(super) struct Shared<'s, J> {
    pub(super) table: &'s Table,
    pub(super) judge: &'s J,
    pub(super) salt: Salt,
    pub(super) geometry: Geometry,
    pub(super) limits: &'s Limits,
}

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// The board after it, seen from the opponent.
    pub(super) board: Board,
    /// Its key.
    pub(super) key: Key,
    pub(super) square: Square,
    /// Higher is tried earlier.
    pub(super) rank: i32,
}

/// One thread's part of a solve.
pub(super) struct Worker<'s, V, J> {
    pub(super) shared: &'s Shared<'s, J>,
    /// The count of positions, and what the last squares need.
    pub(super) ending: Ending<V>,
    /// How sure the cuts must be; see the selective module.
    pub(super) level: u8,
    /// The moves of all nodes on the path, each node's behind its parent's.
    pub(super) moves: Vec<Candidate>,
    /// Whether results are void because the search must end.
    pub(super) stopped: bool,
    next_look: u64,
    watch: Watch,
}

impl<'s, V: Variant, J: Judge> Worker<'s, V, J> {
    pub(super) fn new(shared: &'s Shared<'s, J>) -> Self {
        Self {
            shared,
            ending: Ending::new(i32::from(shared.geometry.area())),
            level: 0,
            moves: Vec::with_capacity(1024),
            stopped: false,
            next_look: 0,
            watch: Watch::start(shared.limits),
        }
    }

    /// The empty squares of a board.
    #[inline(always)]
    pub(super) fn empties(&self, board: Board) -> Bitboard {
        board.empties(self.shared.geometry)
    }

    #[inline(always)]
    pub(super) fn key(&self, board: Board) -> Key {
        Key::of(board, self.shared.salt)
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

    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
        self.next_look = limit.min(self.ending.nodes + NODES_BETWEEN_LOOKS);
        self.stopped |= self.ending.nodes >= limit || self.watch.check();
    }
}
