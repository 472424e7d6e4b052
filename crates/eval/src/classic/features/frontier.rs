//! Discs beside empty squares.

use turncoat_board::Bitboard;

const NOT_FIRST_COLUMN: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_COLUMN: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The set moved by one step in each of the eight directions.
#[inline(always)]
const fn shifted(set: Bitboard) -> [u64; 8] {
    let bits = set.0;
    let (right, left) = ((bits << 1) & NOT_FIRST_COLUMN, (bits >> 1) & NOT_LAST_COLUMN);
    [right, left, bits << 8, bits >> 8, right << 8, right >> 8, left << 8, left >> 8]
}

/// The squares beside a set, diagonals included.
#[inline(always)]
pub const fn neighbours(set: Bitboard) -> Bitboard {
    let shifted = shifted(set);
    let mut beside = 0;
    let mut direction = 0;
    while direction < 8 {
        beside |= shifted[direction];
        direction += 1;
    }
    Bitboard(beside)
}

/// The discs that are beside an empty square (the report of nine-weights, "frontier disc").
#[inline(always)]
pub const fn frontier_discs(discs: Bitboard, empties: Bitboard) -> u32 {
    Bitboard(discs.0 & neighbours(empties).0).count()
}

/// Own minus opposing pairs of a disc and an empty square beside it (gene45's report, Algorithm 9): a disc counts
/// once for each empty square it touches.
#[inline(always)]
pub fn frontier_pairs(own: Bitboard, opposing: Bitboard, empties: Bitboard) -> i32 {
    let mut lead = 0;
    for touched in shifted(empties) {
        lead += (own.0 & touched).count_ones() as i32 - (opposing.0 & touched).count_ones() as i32;
    }
    lead
}
