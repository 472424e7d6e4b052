//! The moves of a node, and the one that is tried next.

use turncoat_board::{Board, Square};

use crate::transposition::Key;

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<S, K = Key> {
    /// The board after it, seen from the opponent.
    pub(crate) board: Board,
    /// What the search keeps of that board.
    pub(crate) state: S,
    pub(crate) key: K,
    pub(crate) square: Square,
    /// Higher is tried earlier.
    pub(crate) rank: i32,
}

/// Brings the candidate of the highest rank to the front, in exchange for the one there.
#[inline(always)]
pub(crate) fn bring_best_forward<S, K>(moves: &mut [Candidate<S, K>]) {
    let mut best = 0;
    for i in 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    moves.swap(0, best);
}
