//! Classic evaluations for searches that think in discs.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square};

use crate::{ClassicEvaluation, Evaluation, RootView, Term, UNITS};

/// A classic evaluation with its values converted to discs, by the number of empty squares.
#[derive(Debug, Clone)]
pub struct Calibrated<E> {
    evaluation: E,
    geometry: Geometry,
    /// Units of the value in one unit of the evaluation, by empty squares.
    scale: [f64; 65],
    checksum: u64,
}

impl<E: ClassicEvaluation> Calibrated<E> {
    /// An evaluation with this many discs a unit of it at every number of empty squares.
    pub fn new(evaluation: E, geometry: Geometry, discs_by_empties: &[f64; 65], checksum: u64) -> Self {
        Self { evaluation, geometry, scale: discs_by_empties.map(|discs| discs * f64::from(UNITS)), checksum }
    }
}

impl<E: ClassicEvaluation> Evaluation for Calibrated<E> {
    type State = ();

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, _board: Board) {}

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline(always)]
    fn passed(&self, _state: &()) {}

    #[inline(always)]
    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, _state: &()) -> i32 {
        let empties = board.empties(self.geometry);
        let view = RootView {
            board,
            own_moves: moves,
            opposing_moves: isa.legal_moves(board.pass(), empties),
            root_discs: board.discs().count(),
        };
        let units = self.evaluation.value(isa, &view) * self.scale[empties.count() as usize & 63];
        // Never as good as a game that is won for certain.
        let most = f64::from((i32::from(self.geometry.area()) - 1) * UNITS);
        units.clamp(-most, most) as i32
    }

    fn checksum(&self) -> u64 {
        self.checksum
    }

    fn parts(&self, board: Board) -> Vec<Term> {
        let empties = board.empties(self.geometry).count();
        let discs = self.scale[empties as usize & 63] / f64::from(UNITS);
        let view = RootView {
            board,
            own_moves: board.legal_moves(self.geometry),
            opposing_moves: board.pass().legal_moves(self.geometry),
            root_discs: board.discs().count(),
        };
        let in_discs = |term: Term| Term { weight: term.weight * discs, ..term };
        self.evaluation.terms(&view).into_iter().map(in_discs).collect()
    }
}
