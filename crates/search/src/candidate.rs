//! The moves of a node, and the one that is tried next.

use turncoat_board::{Board, Square};

use crate::transposition::Key;

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<S = ()> {
    /// The board after it, seen from the opponent.
    pub(crate) board: Board,
    /// The state that the evaluation keeps of that board.
    pub(crate) state: S,
    pub(crate) key: Key,
    pub(crate) square: Square,
    /// Higher is tried earlier.
    pub(crate) rank: i32,
}

/// Brings the candidate of the highest rank to the front, in exchange for the one there.
#[inline(always)]
pub(crate) fn bring_best_forward<S>(moves: &mut [Candidate<S>]) {
    let mut best = 0;
    for i in 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    moves.swap(0, best);
}
