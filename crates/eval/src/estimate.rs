//! Estimates of the final score, for searches that think in discs.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square};

use crate::{Evaluator, Seen};

/// Units of an estimate in one disc: fine enough that rounding does not blur it.
pub const UNITS: i32 = 64;

/// Estimates the final score of a board for its mover, in [`UNITS`] of a disc.
///
/// An estimator may keep something of a board along the path of the search ([`Self::State`]), so that it
/// need not look at everything anew at each leaf.
pub trait Estimator: Send + Sync {
    /// What it keeps of a board.
    type State: Copy + Send + Sync;

    /// What it keeps of the board at the root.
    fn begin(&self, board: Board) -> Self::State;

    /// What it keeps of the board after a move of the mover, seen from the opponent.
    fn after<I: Isa>(&self, isa: I, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// What it keeps of the same board with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The estimate. Must be `#[inline(always)]` to be compiled for the instruction set. `moves` are the
    /// mover's legal moves.
    fn estimate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &Self::State) -> i32;

    /// Tells its parameters from all others: what was fitted to an estimator does not fit another one.
    fn checksum(&self) -> u64;
}

/// A classic evaluation with its values turned into discs, by the number of empty squares.
#[derive(Debug, Clone)]
pub struct Calibrated<E> {
    evaluator: E,
    geometry: Geometry,
    /// Units of an estimate in one unit of the evaluation, by empty squares.
    scale: [f64; 65],
    checksum: u64,
}

impl<E: Evaluator> Calibrated<E> {
    /// An evaluation with this many discs a unit of it at every number of empty squares.
    pub fn new(evaluator: E, geometry: Geometry, discs_by_empties: &[f64; 65], checksum: u64) -> Self {
        Self { evaluator, geometry, scale: discs_by_empties.map(|discs| discs * f64::from(UNITS)), checksum }
    }

    /// The evaluation itself.
    pub const fn evaluator(&self) -> &E {
        &self.evaluator
    }
}

impl<E: Evaluator> Estimator for Calibrated<E> {
    type State = ();

    fn begin(&self, _board: Board) {}

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline(always)]
    fn passed(&self, _state: &()) {}

    #[inline(always)]
    fn estimate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, _state: &()) -> i32 {
        let empties = board.empties(self.geometry);
        let seen = Seen {
            board,
            own_moves: moves,
            opposing_moves: isa.legal_moves(board.pass(), empties),
            root_discs: board.discs().count(),
        };
        let units = self.evaluator.value(isa, &seen) * self.scale[empties.count() as usize & 63];
        // Never as good as a game that is won for certain.
        let most = f64::from((i32::from(self.geometry.area()) - 1) * UNITS);
        units.clamp(-most, most) as i32
    }

    fn checksum(&self) -> u64 {
        self.checksum
    }
}
