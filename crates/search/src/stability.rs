//! The bounds that stable discs put on the score of either game.
//!
//! Let `area` be the number of squares, `o` the opponent's and `m` the mover's stable
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

use turncoat_board::{Board, Geometry, Variant};
use turncoat_eval::stability::stable;

/// Some discs are hardly ever stable: where fewer than one in so many squares of the board can be spared, the stable ones are
/// not counted. That takes longer than it saves.
const SQUARES_TO_SPARE_ONE: i32 = 8;

/// The bound that the opponent's stable discs put on the mover's score, if it decides whether that score is
/// above the bar. Nothing is computed unless the number of the opponent's discs makes that possible.
#[inline(always)]
pub fn decides<V: Variant>(board: Board, geometry: Geometry, bar: i32) -> Option<i32> {
    let area = i32::from(geometry.area());
    // Reversi: at most area - 2 o, decisive below the bar. Reversed: at least 2 o - area, decisive above it.
    let needed = (area + 1 - V::SIGN * bar) / 2;
    if (board.other().count() as i32) < needed + area / SQUARES_TO_SPARE_ONE {
        return None;
    }
    let found = stable(board.other(), board.discs(), geometry).count() as i32;
    (found >= needed).then_some(V::SIGN * (area - 2 * found))
}

/// Bounds of the mover's score by the stable discs of both sides: (lower, upper).
pub fn bounds<V: Variant>(board: Board, geometry: Geometry) -> (i32, i32) {
    let area = i32::from(geometry.area());
    let count = |own| stable(own, board.discs(), geometry).count() as i32;
    let (least, most) = (2 * count(board.mover()) - area, area - 2 * count(board.other()));
    if V::SIGN > 0 { (least, most) } else { (-most, -least) }
}
