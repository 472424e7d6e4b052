//! What every search that thinks in discs asks of an evaluation.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Square};

/// Units of a value in one disc: fine enough that rounding does not blur it.
pub const UNITS: i32 = 64;

/// An estimate of the final score of a board for its mover, in [`UNITS`] of a disc.
///
/// An evaluation may keep a state of the board along the path of a search, so that it need not look at every square
/// at each leaf.
pub trait Evaluation: Send + Sync {
    /// What it keeps of a board.
    type State: Copy + Send + Sync;

    /// The state of a board from which a search begins.
    fn begin<I: Isa>(&self, isa: I, board: Board) -> Self::State;

    /// The state after a move of the mover, seen from the opponent.
    fn after<I: Isa>(&self, isa: I, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state of the same board with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value of a board on which the mover has these legal moves, less than that of a game that is won by all
    /// discs. Must be `#[inline(always)]` to be compiled for the instruction set.
    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &Self::State) -> i32;

    /// A number that tells its parameters from all others: what was fitted to an evaluation fits no other.
    fn checksum(&self) -> u64;
}
