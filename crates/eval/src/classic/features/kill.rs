//! How many discs could be flipped.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board};

/// The discs that the mover's moves would flip, summed over the moves (top-six's report, "kill value").
#[inline(always)]
pub fn kill<I: Isa>(isa: I, board: Board, moves: Bitboard) -> u32 {
    let mut flipped = 0;
    for square in moves {
        flipped += isa.flips(board, square).count();
    }
    flipped
}
