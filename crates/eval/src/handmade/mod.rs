//! The hand-made evaluation: mobility, open neighbours, corners and the squares around them, anchored discs. It serves
//! both games and all sizes.

mod terms;
mod weights;
mod zones;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};

use self::terms::COUNT_NAMES;
pub use self::terms::{MOST_MOVES, TERMS, Terms};
use self::weights::weights;
pub use self::zones::Zones;
use crate::{Evaluation, Term, UNITS};

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

    fn parts(&self, board: Board) -> Vec<Term> {
        let terms = Backend::best().run(ReadTerms { board, geometry: self.geometry });
        let weights = weights(self.variant, board.empties(self.geometry).count());
        let discs = |weight: i32| f64::from(weight) / f64::from(UNITS);
        let mut parts = Vec::new();
        for (side, name) in ["own moves", "opposing moves"].into_iter().enumerate() {
            let moves = terms.moves[side];
            let weight = weights.moves[side][moves.min(MOST_MOVES)];
            parts.push(Term::chosen(name, moves.to_string(), discs(weight)));
        }
        for ((name, count), weight) in COUNT_NAMES.into_iter().zip(terms.counts).zip(weights.counts) {
            parts.push(Term::new(name, count, discs(weight)));
        }
        parts
    }
}

struct ReadTerms {
    board: Board,
    geometry: Geometry,
}

impl Task for ReadTerms {
    type Output = Terms;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Terms {
        let moves = isa.legal_moves(self.board, self.board.empties(self.geometry));
        Terms::new(isa, self.board, moves, self.geometry)
    }
}
