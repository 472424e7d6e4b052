//! The last plies above the leaves: no table, no looking ahead, a cheap order.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Board, Variant};
use turncoat_eval::Evaluation;

use super::INFINITE;
use super::thinker::Thinker;

/// Up to this depth nodes are searched here.
pub(super) const SHALLOW: u32 = 2;

pub(super) struct Shallow<'t, 'a, V, E: Evaluation> {
    pub(super) thinker: &'t mut Thinker<'a, V, E>,
    pub(super) board: Board,
    pub(super) state: E::State,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: u32,
}

impl<V: Variant, E: Evaluation> Task for Shallow<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { thinker, board, state, mut alpha, beta, depth } = self;
        if !thinker.watch.enter() {
            return 0;
        }
        let empties = thinker.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return thinker.final_value(board);
            }
            let state = thinker.evaluation.passed(&state);
            return -isa.run(Shallow { thinker, board: passed, state, alpha: -beta, beta: -alpha, depth });
        }
        if depth == 0 {
            return thinker.evaluation.evaluate(isa, board, moves, &state);
        }
        let mut best = -INFINITE;
        for square in moves {
            let flips = isa.flips(board, square);
            let next = board.after(square, flips);
            let state = thinker.evaluation.after(isa, &state, square, flips);
            let value = -isa.run(Shallow {
                thinker: &mut *thinker,
                board: next,
                state,
                alpha: -beta,
                beta: -alpha,
                depth: depth - 1,
            });
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
