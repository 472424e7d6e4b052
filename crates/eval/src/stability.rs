//! Stable discs, which no play can flip.
//!
//! A disc is flipped along a line when discs of the opponent bound its run on both
//! sides. Along one direction it is therefore safe for ever if
//! - the whole line is occupied (nobody can play into it), or
//! - on one side of it lies the rim of the board (nothing can bound it there), or
//! - on one side of it lies a stable disc of its own colour (a run that holds both would flip a disc that
//!   cannot be flipped).
//!
//! A disc that is safe along all four directions is stable. Applying this until nothing changes finds discs
//! that are stable by induction; it may miss some, which only weakens the bounds.

use turncoat_board::{Bitboard, Geometry};

/// Squares off a small board, which are like the rim.
#[inline(always)]
const fn outside(geometry: Geometry) -> u64 {
    !geometry.squares().0
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const TOP: u64 = 0xff;
const BOTTOM: u64 = TOP << 56;

/// The lines through each square: its row, its column, its falling and its rising diagonal.
#[repr(align(32))]
struct Lines([u64; 4]);

static LINES: [Lines; 64] = {
    let mut all = [const { Lines([0; 4]) }; 64];
    let mut square = 0_i32;
    while square < 64 {
        let mut other = 0_i32;
        while other < 64 {
            let (rows, columns) = (other / 8 - square / 8, other % 8 - square % 8);
            let on = [rows == 0, columns == 0, rows == columns, rows == -columns];
            let mut direction = 0;
            while direction < 4 {
                all[square as usize].0[direction] |= (on[direction] as u64) << other;
                direction += 1;
            }
            other += 1;
        }
        square += 1;
    }
    all
};

/// The squares whose lines are fully occupied, by direction: rows, columns, falling and rising diagonals.
#[inline(always)]
fn full_lines(empties: Bitboard) -> [u64; 4] {
    let mut open = [0; 4];
    for empty in empties {
        for (open, line) in open.iter_mut().zip(LINES[empty.index()].0) {
            *open |= line;
        }
    }
    open.map(|line| !line)
}

/// Discs of `own` that no play can flip, `discs` being those of both sides.
#[inline(always)]
pub fn stable(own: Bitboard, discs: Bitboard, geometry: Geometry) -> Bitboard {
    let own = own.0;
    let off = outside(geometry);
    let [rows, columns, falling, rising] = full_lines(geometry.squares() & !discs);
    let rows = rows | LEFT | RIGHT;
    let columns = columns | TOP | BOTTOM;
    let falling = falling | LEFT | RIGHT | TOP | BOTTOM;
    let rising = rising | LEFT | RIGHT | TOP | BOTTOM;
    let first = own & rows & columns & falling & rising;
    Bitboard(spread(own, first, off, [rows, columns, falling, rising]))
}

/// Discs of `own` that are stable because they are anchored to a corner of their colour: fewer than [`stable`] finds,
/// in less time when no corner is taken.
#[inline(always)]
pub fn anchored(own: Bitboard, corners: Bitboard, geometry: Geometry) -> Bitboard {
    let first = own & corners;
    if first.is_empty() {
        return first;
    }
    let sides = LEFT | RIGHT | TOP | BOTTOM;
    let safe = [LEFT | RIGHT, TOP | BOTTOM, sides, sides];
    Bitboard(spread(own.0, first.0, outside(geometry), safe))
}

/// Adds discs that are safe along all directions until there are no more, given the squares that are safe
/// along each without any help.
#[inline(always)]
fn spread(own: u64, mut stable: u64, off: u64, safe: [u64; 4]) -> u64 {
    let [rows, columns, falling, rising] = safe;
    loop {
        // Shifts wrap around only onto the rim's squares, which are safe along those directions anyway.
        let wall = stable | off;
        let next = own
            & (rows | wall << 1 | wall >> 1)
            & (columns | wall << 8 | wall >> 8)
            & (falling | wall << 9 | wall >> 9)
            & (rising | wall << 7 | wall >> 7);
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use turncoat_board::Square;

    /// Whether the line through a square in a direction is full, cell by cell.
    fn is_full(discs: u64, geometry: Geometry, square: Square, step: (i32, i32)) -> bool {
        let on = |row: i32, column: i32| {
            Square::from_coordinates(u8::try_from(row).ok()?, u8::try_from(column).ok()?)
                .filter(|&s| geometry.squares().contains(s))
        };
        [1, -1].into_iter().all(|sign| {
            let (mut row, mut column) = (i32::from(square.row()), i32::from(square.column()));
            while let Some(s) = on(row, column) {
                if !Bitboard(discs).contains(s) {
                    return false;
                }
                (row, column) = (row + sign * step.0, column + sign * step.1);
            }
            true
        })
    }

    proptest! {
        #[test]
        fn full_lines_are_full(a: u64, b: u64, c: u64, side in prop::sample::select(vec![8u8, 6, 4])) {
            let geometry = Geometry::from_side(side).unwrap();
            let discs = (a | b | c) & geometry.squares().0;
            let full = full_lines(geometry.squares() & !Bitboard(discs));
            for square in geometry.cells() {
                for (direction, step) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
                    prop_assert_eq!(
                        Bitboard(full[direction]).contains(square),
                        is_full(discs, geometry, square, step),
                        "{:?} {}", square, direction
                    );
                }
            }
        }
    }
}
