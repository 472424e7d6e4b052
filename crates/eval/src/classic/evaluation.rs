//! What every classic evaluation answers.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Position};

use crate::Term;

/// A board as the root side sees it, with both sides' legal moves, which most evaluations need and the
/// search has at hand.
#[derive(Debug, Clone, Copy)]
pub struct RootView {
    /// The discs; its mover is the root side, even where the opponent moves next.
    pub board: Board,
    /// The root side's legal moves.
    pub own_moves: Bitboard,
    /// The opponent's legal moves.
    pub opposing_moves: Bitboard,
    /// Discs on the board at the root of the search: some evaluations choose their stage by it.
    pub root_discs: u32,
}

impl RootView {
    /// A position as its mover sees it, taken as the root.
    pub fn from_root(position: Position) -> Self {
        Self {
            board: position.board(),
            own_moves: position.legal_moves(),
            opposing_moves: position.pass().legal_moves(),
            root_discs: position.board().discs().count(),
        }
    }

    /// The root side's discs.
    #[inline(always)]
    pub const fn own(&self) -> Bitboard {
        self.board.mover()
    }

    /// The opponent's discs.
    #[inline(always)]
    pub const fn opposing(&self) -> Bitboard {
        self.board.other()
    }
}

/// An evaluation of a course report: the value of a board for the root side, in a unit of its own; higher is better.
pub trait ClassicEvaluation: Send + Sync {
    /// The value of a board. Must be `#[inline(always)]` to be compiled for the instruction set.
    fn value<I: Isa>(&self, isa: I, view: &RootView) -> f64;

    /// The value feature by feature; the products add up to [`Self::value`].
    fn terms(&self, view: &RootView) -> Vec<Term>;

    /// The value by the best instruction set of this machine.
    fn evaluate(&self, view: &RootView) -> f64
    where
        Self: Sized,
    {
        Backend::best().run(EvaluateView { evaluation: self, view })
    }
}

struct EvaluateView<'a, E> {
    evaluation: &'a E,
    view: &'a RootView,
}

impl<E: ClassicEvaluation> Task for EvaluateView<'_, E> {
    type Output = f64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> f64 {
        self.evaluation.value(isa, self.view)
    }
}
