//! The final search of gene45's report (Algorithm 15): is the game won, drawn or lost with perfect play?

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, Square, VariantKind};

use crate::Watch;

/// What the search to the end has proved for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// This move wins.
    Win(Square),
    /// No move wins; this one draws.
    Draw(Square),
    /// Every move loses.
    Loss,
}

/// Searches to the end of the game: the first move in the order of squares that wins, else the first that
/// draws. `None` if the watch ended it, or there is no legal move.
pub fn prove(position: Position, variant: VariantKind, watch: &mut Watch) -> Option<Proof> {
    Backend::best().run(Prove { position, variant, watch })
}

struct Prove<'a> {
    position: Position,
    variant: VariantKind,
    watch: &'a mut Watch,
}

impl Task for Prove<'_> {
    type Output = Option<Proof>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Proof> {
        let Self { position, variant, watch } = self;
        let board = position.board();
        let geometry = position.geometry();
        let moves = isa.legal_moves(board, board.empties(geometry));
        let mut proof = (!moves.is_empty()).then_some(Proof::Loss);
        for square in moves {
            // Once a draw is in hand, only a win is of interest.
            let alpha = if matches!(proof, Some(Proof::Draw(_))) { 0 } else { -1 };
            let next = board.after(square, isa.flips(board, square));
            let outcome =
                -isa.run(ToTheEnd { board: next, geometry, variant, alpha: -1, beta: -alpha, watch: &mut *watch });
            if watch.is_over() {
                return None;
            }
            match outcome {
                1 => return Some(Proof::Win(square)),
                0 if alpha < 0 => proof = Some(Proof::Draw(square)),
                _ => {}
            }
        }
        proof
    }
}

/// A node of the search to the end: the outcome for the side to move is 1, 0 or -1.
struct ToTheEnd<'a> {
    board: Board,
    geometry: Geometry,
    variant: VariantKind,
    alpha: i32,
    beta: i32,
    watch: &'a mut Watch,
}

impl Task for ToTheEnd<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { board, geometry, variant, mut alpha, beta, watch } = self;
        if !watch.enter() {
            return 0;
        }
        let empties = board.empties(geometry);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            if isa.legal_moves(board.pass(), empties).is_empty() {
                return board.final_score_of(variant, geometry).discs().signum();
            }
            let passed = Self { board: board.pass(), alpha: -beta, beta: -alpha, geometry, variant, watch };
            return -isa.run(passed);
        }
        let mut best = -1;
        for square in moves {
            let next = board.after(square, isa.flips(board, square));
            let child = ToTheEnd { board: next, alpha: -beta, beta: -alpha, geometry, variant, watch: &mut *watch };
            best = best.max(-isa.run(child));
            alpha = alpha.max(best);
            if alpha >= beta || watch.is_over() {
                break;
            }
        }
        best
    }
}
