//! Stable discs, and the bounds that they put on the score of either game.
//!
//! **Which discs are stable.** A disc is flipped along a line when discs of the opponent bound its run on both
//! sides. Along one direction it is therefore safe for ever if
//! - the whole line is occupied (nobody can play into it), or
//! - on one side of it lies the rim of the board (nothing can bound it there), or
//! - on one side of it lies a stable disc of its own colour (a run that holds both would flip a disc that
//!   cannot be flipped).
//!
//! A disc that is safe along all four directions is stable. Applying this until nothing changes finds discs
//! that are stable by induction; it may miss some, which only weakens the bounds.
//!
//! **What they prove.** Let `area` be the number of squares, `o` the opponent's and `m` the mover's stable
//! discs. In any final board the opponent has at least `o` discs. The Othello margin `N` counts the unplayed
//! squares for the winner, so the mover's discs and squares are at most `area - o`, and those of the
//! opponent at least `o`: `N <= area - 2 o`. By the same argument for the mover, `N >= 2 m - area`. (With a
//! draw `N` is 0 and both sides have at most half of the area, so both inequalities hold.) The Reversi score is
//! `N` and the Reversed score is `-N`, hence
//!
//! | | lower bound | upper bound |
//! |---|---|---|
//! | Reversi | `2 m - area` | `area - 2 o` |
//! | Reversed | `2 o - area` | `area - 2 m` |
//!
//! In both games the bound by the opponent's discs is the useful one, since the opponent has just moved: in
//! Reversi it refutes, in Reversed it proves.

use turncoat_board::{Bitboard, Board, Geometry, Variant};

/// Squares off a small board, which are like the rim.
#[inline(always)]
const fn outside(geometry: Geometry) -> u64 {
    !geometry.squares().0
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const TOP: u64 = 0xff;
const BOTTOM: u64 = TOP << 56;

/// The first rows, as many as there are steps.
const fn top(steps: u32) -> u64 {
    (1 << (8 * steps)) - 1
}

/// The first columns.
const fn left(steps: u32) -> u64 {
    LEFT * ((1 << steps) - 1)
}

/// The last columns.
const fn right(steps: u32) -> u64 {
    left(steps) << (8 - steps)
}

/// The squares whose lines are fully occupied, by direction: rows, columns, falling and rising diagonals.
#[inline(always)]
fn full_lines(filled: u64) -> [u64; 4] {
    let mut row = filled & filled >> 4;
    row &= row >> 2;
    row &= row >> 1;
    let row = (row & LEFT) * 0xff;

    let mut column = filled;
    column &= column.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);

    // Towards both ends of the line: occupied as far as the rim. Beyond the rim counts as occupied.
    let (mut falling_up, mut falling_down) = (filled, filled);
    let (mut rising_up, mut rising_down) = (filled, filled);
    macro_rules! steps {
        ($steps:literal) => {
            let rim_up = const { top($steps) };
            let rim_down = const { top($steps) << (64 - 8 * $steps) };
            falling_up &= falling_up << (9 * $steps) | rim_up | const { left($steps) };
            falling_down &= falling_down >> (9 * $steps) | rim_down | const { right($steps) };
            rising_up &= rising_up << (7 * $steps) | rim_up | const { right($steps) };
            rising_down &= rising_down >> (7 * $steps) | rim_down | const { left($steps) };
        };
    }
    steps!(1);
    steps!(2);
    steps!(4);
    [row, column, falling_up & falling_down, rising_up & rising_down]
}

/// Discs of `own` that no play can flip, `discs` being those of both sides.
#[inline(always)]
pub fn stable(own: Bitboard, discs: Bitboard, geometry: Geometry) -> Bitboard {
    let own = own.0;
    let off = outside(geometry);
    let [rows, columns, falling, rising] = full_lines(discs.0 | off);
    let rows = rows | LEFT | RIGHT;
    let columns = columns | TOP | BOTTOM;
    let falling = falling | LEFT | RIGHT | TOP | BOTTOM;
    let rising = rising | LEFT | RIGHT | TOP | BOTTOM;
    let first = own & rows & columns & falling & rising;
    Bitboard(spread(own, first, off, [rows, columns, falling, rising]))
}

/// Discs of `own` that are stable because a corner of their colour holds them: fewer than [`stable`] finds,
/// in less time when no corner is taken.
#[inline(always)]
pub fn held(own: Bitboard, corners: Bitboard, geometry: Geometry) -> Bitboard {
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

/// The bound that the opponent's stable discs put on the mover's score, if it decides whether that score is
/// above the bar. Nothing is computed unless the number of the opponent's discs makes that possible.
#[inline(always)]
pub fn decides<V: Variant>(board: Board, geometry: Geometry, bar: i32) -> Option<i32> {
    let area = i32::from(geometry.area());
    // Reversi: at most area - 2 o, decisive below the bar. Reversed: at least 2 o - area, decisive above it.
    let bound = |discs: Bitboard| V::SIGN * (area - 2 * discs.count() as i32);
    let decisive = |bound: i32| V::SIGN * (bar - bound) > 0;
    if !decisive(bound(board.other())) {
        return None;
    }
    let bound = bound(stable(board.other(), board.discs(), geometry));
    decisive(bound).then_some(bound)
}

/// Bounds of the mover's score by the stable discs of both sides: (lower, upper).
pub fn bounds<V: Variant>(board: Board, geometry: Geometry) -> (i32, i32) {
    let area = i32::from(geometry.area());
    let count = |own| stable(own, board.discs(), geometry).count() as i32;
    let (least, most) = (2 * count(board.mover()) - area, area - 2 * count(board.other()));
    if V::SIGN > 0 { (least, most) } else { (-most, -least) }
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
            let full = full_lines(discs | outside(geometry));
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
