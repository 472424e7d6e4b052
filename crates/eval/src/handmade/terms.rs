//! The terms of the hand-made evaluation.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry};

use super::zones::{Zones, around};
use crate::stability::anchored;

/// Mobilities above this are counted as this.
pub const MOST_MOVES: usize = 14;
/// How many terms [`Terms::counts`] has.
pub const TERMS: usize = 13;

/// What [`Terms::counts`] count; differences are the mover's less the opponent's.
pub(super) const COUNT_NAMES: [&str; TERMS] = [
    "being the mover",
    "empties beside opposing discs",
    "empties beside own discs",
    "corners",
    "X squares of empty corners",
    "C squares of empty corners",
    "other edge squares",
    "discs anchored in corners",
    "discs",
    "own moves to corners",
    "opposing moves to corners",
    "own moves to X squares",
    "opposing moves to X squares",
];

/// What the hand-made evaluation sees of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The mover's and the opponent's legal moves.
    pub moves: [usize; 2],
    /// Everything that has one weight.
    pub counts: [i32; TERMS],
}

impl Terms {
    /// The terms of a board on which the mover has these legal moves.
    #[inline(always)]
    pub fn new<I: Isa>(isa: I, board: Board, own_moves: Bitboard, geometry: Geometry) -> Self {
        let zones = Zones::new(geometry);
        let corners = Bitboard(zones.corners);
        let empties = board.empties(geometry);
        let (mover, other) = (board.mover().0, board.other().0);
        let other_moves = isa.legal_moves(board.pass(), empties);
        let count = |set: u64| set.count_ones() as i32;
        let difference = |zone: u64| count(mover & zone) - count(other & zone);
        // Beside an empty corner a disc is a risk, beside a taken one it is a gain.
        let open = around(empties.0 & zones.corners);
        Self {
            moves: [own_moves.count() as usize, other_moves.count() as usize],
            counts: [
                1,
                count(around(other) & empties.0),
                count(around(mover) & empties.0),
                difference(zones.corners),
                difference(zones.x & open),
                difference(zones.c & open),
                difference(zones.edges),
                anchored(board.mover(), corners, geometry).count() as i32
                    - anchored(board.other(), corners, geometry).count() as i32,
                difference(!0),
                count(own_moves.0 & zones.corners),
                count(other_moves.0 & zones.corners),
                count(own_moves.0 & zones.x & open),
                count(other_moves.0 & zones.x & open),
            ],
        }
    }
}
