//! The neighbours of a square, for a quick test of moves, and the squares of small sets.

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

/// The first squares of a set.
#[inline(always)]
pub(super) fn squares_of<const N: usize>(set: Bitboard) -> [Square; N] {
    let (mut squares, mut left) = ([Square::ALL[0]; N], set.0);
    for square in &mut squares {
        // Without a branch for a set that has fewer, which none has.
        *square = Square::new(left.trailing_zeros() as u8 % 64).unwrap_or(*square);
        left &= left.wrapping_sub(1);
    }
    squares
}
