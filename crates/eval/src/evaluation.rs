//! What every search that thinks in discs asks of an evaluation.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Position, Square};

use crate::Term;

/// Units of a value in one disc: fine enough that rounding does not blur it.
pub const UNITS: i32 = 64;

/// An estimate of the final score of a board for its mover, in [`UNITS`] of a disc.
///
/// An evaluation may keep a state of the board along the path of a search, so that it need not look at every square
/// at each leaf.
pub trait Evaluation: Send + Sync {
    /// What it keeps of a board.
    type State: Copy + Send + Sync;

    /// The state of a board from which a search begins.
    fn begin<I: Isa>(&self, isa: I, board: Board) -> Self::State;

    /// The state after a move of the mover, seen from the opponent.
    fn after<I: Isa>(&self, isa: I, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state of the same board with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value of a board on which the mover has these legal moves, less than that of a game that is won by all
    /// discs. Must be `#[inline(always)]` to be compiled for the instruction set.
    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &Self::State) -> i32;

    /// A number that tells its parameters from all others: what was fitted to an evaluation fits no other.
    fn checksum(&self) -> u64;

    /// The value of a board part by part, in discs. The products add up to what [`Self::evaluate`] gives, but for its
    /// bounds and for rounding, which [`Self::explain`] adds.
    fn parts(&self, board: Board) -> Vec<Term>;

    /// The value of a position by the best instruction set of this machine, in [`UNITS`] of a disc.
    fn estimate(&self, position: Position) -> i32
    where
        Self: Sized,
    {
        estimate(self, position.board(), position.geometry())
    }

    /// The value of a position in discs, and its parts, which add up to it.
    fn explain(&self, position: Position) -> (f64, Vec<Term>)
    where
        Self: Sized,
    {
        let value = f64::from(self.estimate(position)) / f64::from(UNITS);
        let mut parts = self.parts(position.board());
        let rest = value - parts.iter().map(Term::product).sum::<f64>();
        if rest != 0.0 {
            parts.push(Term::new("rounding and bounds", 1, rest));
        }
        (value, parts)
    }
}

/// The value of a board by the best instruction set of this machine, in [`UNITS`] of a disc.
pub(crate) fn estimate<E: Evaluation>(evaluation: &E, board: Board, geometry: Geometry) -> i32 {
    Backend::best().run(Estimate { evaluation, board, geometry })
}

struct Estimate<'a, E> {
    evaluation: &'a E,
    board: Board,
    geometry: Geometry,
}

impl<E: Evaluation> Task for Estimate<'_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { evaluation, board, geometry } = self;
        let moves = isa.legal_moves(board, board.empties(geometry));
        let state = evaluation.begin(isa, board);
        evaluation.evaluate(isa, board, moves, &state)
    }
}
