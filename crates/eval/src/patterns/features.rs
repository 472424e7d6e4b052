//! The features of a board: the slots whose weights are added up.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry};

use super::indices::{Indices, WIDTH};
use super::layout::{
    BOTH_MOVES, COUNTS, MIDDLES, MOST_JOINT, MOST_MOVES, ODD_QUADRANTS, OTHER_MOVES, OWN_MOVES, TEMPO,
};
use super::shapes::LANES;
use crate::odd_quadrants;

/// How many weights are added up on every board.
pub const FEATURES: usize = LANES + COUNTS.len();

/// What a board adds up, packed for training: the lanes' indices, then the counts' slots from the first one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row([i16; WIDTH]);

impl Row {
    /// The row of a board of this size. `moves` are the mover's legal moves.
    #[inline(always)]
    pub fn new<I: Isa>(isa: I, board: Board, geometry: Geometry, moves: Bitboard) -> Self {
        let mut row = Indices::new(board, geometry).contents();
        for (lane, slot) in row[LANES..].iter_mut().zip(counts(isa, board, geometry, moves)) {
            *lane = (slot - OWN_MOVES) as i16;
        }
        Self(row)
    }

    /// The slots of a stage's table that are added up.
    #[inline(always)]
    pub fn slots(&self) -> [u32; FEATURES] {
        let mut slots = [0; FEATURES];
        for (lane, slot) in slots.iter_mut().enumerate() {
            let from = if lane < LANES { MIDDLES[lane] } else { OWN_MOVES as i32 };
            *slot = (from + i32::from(self.0[lane])) as u32;
        }
        slots
    }
}

/// The slots that are not patterns.
#[inline(always)]
pub(crate) fn counts<I: Isa>(isa: I, board: Board, geometry: Geometry, moves: Bitboard) -> [usize; COUNTS.len()] {
    let empties = board.empties(geometry);
    let own = moves.count() as usize;
    let other = isa.legal_moves(board.pass(), empties).count() as usize;
    let joint = own.min(MOST_JOINT) * (MOST_JOINT + 1) + other.min(MOST_JOINT);
    [
        OWN_MOVES + own.min(MOST_MOVES),
        OTHER_MOVES + other.min(MOST_MOVES),
        BOTH_MOVES + joint,
        ODD_QUADRANTS + odd_quadrants(empties),
        TEMPO + empties.count() as usize % 64,
    ]
}
