//! The evaluation that orders moves: a parameter of the solver.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Variant};

/// Units of an estimate in one disc.
pub const PER_DISC: i32 = 64;

/// Estimates the score of a position, to order moves and to guess where the score lies. It never decides a
/// result: a bad one only costs time.
pub trait Judge: Sync {
    /// The probable score for the mover, in parts of a disc ([`PER_DISC`]).
    fn judge<I: Isa, V: Variant>(&self, isa: I, board: Board, geometry: Geometry) -> i32;
}

/// A hand-made judge: mobility, open neighbours, corners and the squares around them.
#[derive(Debug, Clone, Copy, Default)]
pub struct HandMade;

/// Squares beside some of these, the squares themselves not left out.
#[inline(always)]
pub(super) const fn around(set: u64) -> u64 {
    const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    let _ = INNER;
    let sides = set | (set & !(0x0101_0101_0101_0101 << 7)) << 1 | (set & !0x0101_0101_0101_0101) >> 1;
    sides | sides << 8 | sides >> 8
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Judge for HandMade {
    #[inline(always)]
    fn judge<I: Isa, V: Variant>(&self, isa: I, board: Board, geometry: Geometry) -> i32 {
        let empties = board.empties(geometry);
        let own = isa.legal_moves(board, empties).count() as i32;
        let other = isa.legal_moves(board.pass(), empties).count() as i32;
        let open_own = (Bitboard(around(board.other().0)) & empties).count() as i32;
        let open_other = (Bitboard(around(board.mover().0)) & empties).count() as i32;
        let corners = (board.mover().0 & CORNERS).count_ones() as i32
            - (board.other().0 & CORNERS).count_ones() as i32;
        (own - other) * 100 + (open_own - open_other) * 50 + V::SIGN * corners * 600
    }
}
