//! The parity of the empty squares in the four quadrants of the board.

use turncoat_board::Bitboard;

/// The quadrants, around the board: top left, top right, bottom right, bottom left.
pub const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0xf0f0_f0f0_0000_0000, 0x0f0f_0f0f_0000_0000];

/// The quadrants with an odd number of these empty squares: a bit for each, in the order of [`QUADRANTS`].
#[inline(always)]
pub const fn odd_quadrants(empties: Bitboard) -> usize {
    let (mut odd, mut i) = (0, 0);
    while i < 4 {
        odd |= ((empties.0 & QUADRANTS[i]).count_ones() as usize & 1) << i;
        i += 1;
    }
    odd
}
