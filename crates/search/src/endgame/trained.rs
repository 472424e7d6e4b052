//! The trained patterns as a judge of the solver: better ordered moves make a smaller tree.

use std::sync::Arc;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};
use turncoat_eval::UNITS;
use turncoat_eval::patterns::{Indices, Patterns};

use super::judge::{Judge, PER_DISC, Ranking};

impl Judge for Arc<Patterns> {
    type State = Indices;

    /// Its opinion is dearer than the hand-made one and better, so that it looks less far ahead.
    #[inline(always)]
    fn ranking<V: Variant>() -> Ranking {
        Ranking {
            fewest: 12,
            deeper: [14, 17, 20, 23],
            margin: 6 * PER_DISC,
            per_reply: if V::SIGN > 0 { 170 } else { 100 },
        }
    }

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, board: Board) -> Indices {
        Indices::of(board)
    }

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.after(square, flips)
    }

    #[inline(always)]
    fn passed(&self, state: &Indices) -> Indices {
        state.passed()
    }

    #[inline(always)]
    fn judge<I: Isa, V: Variant>(&self, isa: I, board: Board, geometry: Geometry, state: &Indices) -> i32 {
        const {
            assert!(PER_DISC == UNITS, "the judge speaks in the units of estimates");
        }
        let moves = isa.legal_moves(board, board.empties(geometry));
        self.value(isa, board, moves, state)
    }

    /// Measured by `turncoat train measure`: at sight 4 discs in Reversed Reversi and 8 in Reversi, less with
    /// every ply.
    #[inline(always)]
    fn error<V: Variant>(&self, _empties: u32, depth: u32) -> i32 {
        let depth = depth as i32;
        if V::SIGN > 0 { PER_DISC * (80 - 6 * depth) / 10 } else { PER_DISC * (40 - 2 * depth) / 10 }
    }
}
