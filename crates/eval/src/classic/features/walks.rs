//! Stable discs by the two walks from each corner (gene45's report, Algorithm 12).
//!
//! From an occupied corner the report walks down the rows while their first disc has the corner's colour,
//! marking in each row the run of that colour up to a width, and then does the same along the columns. Its
//! widths are indices of the last disc, not counts, so each row may mark one disc less than the row above
//! marked, but never less than one. That quirk is kept.

use turncoat_board::{Bitboard, Geometry, Symmetry};

/// The discs that the walks mark; each is of the colour of the corner it was reached from.
#[inline(always)]
pub fn walked_stable(own: Bitboard, opposing: Bitboard, geometry: Geometry) -> Bitboard {
    let occupied = (own | opposing) & super::corners(geometry);
    if occupied.is_empty() {
        return Bitboard::EMPTY;
    }
    walk_corners(own, opposing, geometry)
}

/// Kept out of the way: most positions of the reversed game have no corner taken.
#[cold]
#[inline(never)]
fn walk_corners(own: Bitboard, opposing: Bitboard, geometry: Geometry) -> Bitboard {
    let mut marked = Bitboard::EMPTY;
    // The first four symmetries are the flips, which bring each corner to the top left in turn.
    for symmetry in &Symmetry::ALL[..4] {
        let top_left = |set: Bitboard| symmetry.bitboard(set).0 >> (geometry.margin() * 9);
        let (own, opposing) = (top_left(own), top_left(opposing));
        let color = match (own & 1, opposing & 1) {
            (1, _) => own,
            (_, 1) => opposing,
            _ => continue,
        };
        let transpose = Symmetry::ALL[4];
        let by_columns = transpose.bitboard(Bitboard(color)).0;
        let walked = walk_rows(color) | transpose.bitboard(Bitboard(walk_rows(by_columns))).0;
        marked |= symmetry.bitboard(Bitboard(walked << (geometry.margin() * 9)));
    }
    marked
}

/// The walk down the rows from the top left corner, which has the colour.
fn walk_rows(color: u64) -> u64 {
    let run = |row: u32| ((color >> (8 * row)) as u8).trailing_ones();
    // The first row is marked whole; its width is the index of its last disc.
    let mut marked = low_bits(run(0));
    let mut width = run(0) - 1;
    for row in 0..8 {
        if run(row) == 0 {
            break;
        }
        let length = run(row).min(width);
        marked |= low_bits(length) << (8 * row);
        width = length.saturating_sub(1).max(1);
    }
    marked
}

const fn low_bits(count: u32) -> u64 {
    (1 << count) - 1
}
