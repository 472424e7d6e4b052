//! The hand-made evaluation: mobility, open neighbours, corners and the squares around them, anchored discs. It serves
//! both games and all sizes.

mod terms;
mod weights;
mod zones;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};

pub use self::terms::{MOST_MOVES, TERMS, Terms};
use self::weights::weights;
pub use self::zones::Zones;
use crate::{Evaluation, UNITS};

/// The hand-made evaluation of one game and size.
#[derive(Debug, Clone, Copy)]
pub struct HandMade {
    variant: VariantKind,
    geometry: Geometry,
}

impl HandMade {
    /// The evaluation for this game on boards of this size.
    pub const fn new(variant: VariantKind, geometry: Geometry) -> Self {
        Self { variant, geometry }
    }
}

impl Evaluation for HandMade {
    type State = ();

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, _board: Board) {}

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline(always)]
    fn passed(&self, _state: &()) {}

    #[inline(always)]
    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, _state: &()) -> i32 {
        let terms = Terms::new(isa, board, moves, self.geometry);
        let weights = weights(self.variant, board.empties(self.geometry).count());
        let [own, other] = terms.moves.map(|moves| moves.min(MOST_MOVES));
        let mut value = weights.moves[0][own] + weights.moves[1][other];
        for i in 0..TERMS {
            value += weights.counts[i] * terms.counts[i];
        }
        // Never as good as a game that is won for certain.
        let most = (i32::from(self.geometry.area()) - 1) * UNITS;
        value.clamp(-most, most)
    }

    /// A number of its own: each game has one hand-made evaluation.
    fn checksum(&self) -> u64 {
        0x6861_6e64_0000_0000 | u64::from(self.variant == VariantKind::Reversi)
    }
}
