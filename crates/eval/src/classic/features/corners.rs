//! Corners and what surrounds them.

use turncoat_board::{Bitboard, Geometry};

use super::frontier::neighbours;

/// The four corners of a board.
#[inline(always)]
pub const fn corners(geometry: Geometry) -> Bitboard {
    let margin = geometry.margin() as u32;
    let last = 7 - margin;
    Bitboard(1 << (margin * 9) | 1 << (margin * 8 + last) | 1 << (last * 8 + margin) | 1 << (last * 9))
}

/// Empty corners whose three neighbours all belong to `discs` (top-six's report, "conquer 3 corners"): the
/// opponent will have to take them in the end.
#[inline(always)]
pub const fn conquered_corners(discs: Bitboard, empties: Bitboard, geometry: Geometry) -> u32 {
    let corners = corners(geometry).0 & empties.0;
    // A corner is lost to the set if any of its neighbours on the board is not in it.
    let missing = Bitboard(geometry.squares().0 & !discs.0 & !corners);
    Bitboard(corners & !neighbours(missing).0).count()
}
