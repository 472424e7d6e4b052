//! Discs tied to a held corner, and edge discs clamped between opposing ones (six-stage's report).

use turncoat_board::{Bitboard, Geometry, Symmetry};

/// The discs of one side that hang on one of its corners by rows that never widen: row after row from the
/// corner, the run from the edge, no longer than the run of the row before.
#[inline(always)]
pub fn tied_to_corners(discs: Bitboard, geometry: Geometry) -> Bitboard {
    if (discs & super::corners(geometry)).is_empty() {
        return Bitboard::EMPTY;
    }
    tie_corners(discs, geometry)
}

#[cold]
#[inline(never)]
fn tie_corners(discs: Bitboard, geometry: Geometry) -> Bitboard {
    let mut tied = Bitboard::EMPTY;
    for symmetry in &Symmetry::ALL[..4] {
        let top_left = symmetry.bitboard(discs).0 >> (geometry.margin() * 9);
        let (mut width, mut from_corner) = (8, 0);
        for row in 0..8 {
            width = width.min(((top_left >> (8 * row)) as u8).trailing_ones());
            if width == 0 {
                break;
            }
            from_corner |= ((1u64 << width) - 1) << (8 * row);
        }
        tied |= symmetry.bitboard(Bitboard(from_corner << (geometry.margin() * 9)));
    }
    tied
}

/// The discs of a side in runs along an edge that have an opposing disc at both ends.
#[inline(always)]
pub const fn clamped_edges(discs: Bitboard, opposing: Bitboard, geometry: Geometry) -> Bitboard {
    let first = geometry.margin();
    let last = 7 - first;
    let rows = (0xff << (8 * first) | 0xff << (8 * last)) & geometry.squares().0;
    let columns = (0x0101_0101_0101_0101 << first | 0x0101_0101_0101_0101 << last) & geometry.squares().0;
    Bitboard(clamped(discs.0 & rows, opposing.0 & rows, 1) | clamped(discs.0 & columns, opposing.0 & columns, 8))
}

/// Runs in steps of `step` with an opposing disc at both ends. The two edges in the masks are too far apart
/// for a step to cross from one to the other.
#[inline(always)]
const fn clamped(discs: u64, opposing: u64, step: u32) -> u64 {
    let mut from_low = discs & (opposing << step);
    let mut from_high = discs & (opposing >> step);
    let mut grown = 0;
    // At most six discs lie between two opposing ones.
    while grown < 5 {
        from_low |= discs & (from_low << step);
        from_high |= discs & (from_high >> step);
        grown += 1;
    }
    from_low & from_high
}
