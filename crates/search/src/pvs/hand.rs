//! The solver's hand-made judge as an estimator of the midgame search.

use std::marker::PhantomData;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};
use turncoat_eval::{Estimator, UNITS};

use crate::endgame::{HandMade, Judge, PER_DISC};

/// Mobility, open neighbours, corners and what is around them, stable discs: for both games and all sizes.
#[derive(Debug, Clone, Copy)]
pub struct Hand<V> {
    geometry: Geometry,
    variant: PhantomData<V>,
}

impl<V: Variant> Hand<V> {
    /// The estimator for boards of this size.
    pub const fn new(geometry: Geometry) -> Self {
        Self { geometry, variant: PhantomData }
    }
}

impl<V: Variant> Estimator for Hand<V> {
    type State = ();

    fn begin(&self, _board: Board) {}

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline(always)]
    fn passed(&self, _state: &()) {}

    #[inline(always)]
    fn estimate<I: Isa>(&self, isa: I, board: Board, _moves: Bitboard, _state: &()) -> i32 {
        const {
            assert!(PER_DISC == UNITS, "the judge speaks in the units of estimates");
        };
        let most = (i32::from(self.geometry.area()) - 1) * UNITS;
        HandMade.judge::<I, V>(isa, board, self.geometry, &()).clamp(-most, most)
    }

    /// A number of its own: there is one hand-made judge a game.
    fn checksum(&self) -> u64 {
        0x6861_6e64_0000_0000 | u64::from(V::SIGN > 0)
    }
}
