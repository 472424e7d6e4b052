//! The squares near held corners, whose worth changes with them (shifting-weights' report, "stator").

use turncoat_board::{Bitboard, Geometry, Square};

use super::corners;

/// A bit for each corner that is in the set, in the order of their squares.
#[inline(always)]
pub const fn held_corners(own: Bitboard, geometry: Geometry) -> usize {
    let held = own.0 & corners(geometry).0;
    let (low, side) = (geometry.margin() as u32 * 9, geometry.side() as u32 - 1);
    let held = held >> low;
    (held & 1 | (held >> side & 1) << 1 | (held >> (8 * side) & 1) << 2 | (held >> (9 * side) & 1) << 3) as usize
}

/// For each of the sixteen sets of held corners the squares near them: the neighbours along the edges and along the
/// diagonals, the fourth squares of the edges, and the fifth ones unless they are fourth ones of another held corner.
pub fn near_corners(geometry: Geometry) -> [[Bitboard; 4]; 16] {
    std::array::from_fn(|held| {
        let mut near = [Bitboard::EMPTY; 4];
        for corner in (0..4).filter(|corner| held >> corner & 1 == 1) {
            let steps = [(0, 1, 0), (0, 0, 1), (1, 1, 1), (2, 3, 0), (2, 0, 3), (3, 4, 0), (3, 0, 4)];
            for (kind, rows, columns) in steps {
                let from = |is_far: bool, steps: u8| {
                    let last = geometry.side() - 1;
                    let at = if is_far { last.checked_sub(steps) } else { Some(steps).filter(|&at| at <= last) };
                    at.map(|at| at + geometry.margin())
                };
                let place = from(corner & 2 != 0, rows).zip(from(corner & 1 != 0, columns));
                if let Some(square) = place.and_then(|(row, column)| Square::from_coordinates(row, column)) {
                    near[kind] |= Bitboard::from_square(square);
                }
            }
        }
        near[3] &= !near[2];
        near
    })
}
