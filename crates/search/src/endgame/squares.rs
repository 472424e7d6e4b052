//! The neighbours of a square, for a quick test of moves.

use turncoat_board::{Bitboard, Square};

/// The squares beside each square.
static BESIDE: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (rows, columns) = (other / 8 - square / 8, other % 8 - square % 8);
            if rows >= -1 && rows <= 1 && columns >= -1 && columns <= 1 && other != square {
                table[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1i32;
    }
    table
};

/// Whether some of these discs lie beside the square: else a move there flips nothing.
#[inline(always)]
pub(super) fn beside(square: Square, discs: Bitboard) -> bool {
    BESIDE[square.index()] & discs.0 != 0
}
