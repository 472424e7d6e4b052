//! The last plies above the leaves: no table, and no ordering but what refuted a sibling.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Board, Variant};
use turncoat_eval::Evaluation;

use super::INFINITE;
use super::searcher::Searcher;

/// Up to this depth null-window nodes are searched here.
pub(super) const SHALLOW: u32 = 2;

pub(super) struct ShallowSearch<'t, 'a, V, E: Evaluation> {
    pub(super) searcher: &'t mut Searcher<'a, V, E>,
    pub(super) board: Board,
    pub(super) state: E::State,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: u32,
}

impl<V: Variant, E: Evaluation> Task for ShallowSearch<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { searcher, board, state, mut alpha, beta, depth } = self;
        if !searcher.watch.enter() {
            return 0;
        }
        let empties = searcher.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return searcher.final_value(board);
            }
            let state = searcher.evaluation.passed(&state);
            return -isa.run(ShallowSearch { searcher, board: passed, state, alpha: -beta, beta: -alpha, depth });
        }
        if depth == 0 {
            return searcher.evaluation.evaluate(isa, board, moves, &state);
        }
        let mut best = -INFINITE;
        // What refuted the last such position often refutes this one.
        let refutation = searcher.refutations[depth as usize];
        let (first, others) = (moves & refutation, moves & !refutation);
        for square in first.into_iter().chain(others) {
            let flips = isa.flips(board, square);
            let next = board.after(square, flips);
            let state = searcher.evaluation.after(isa, &state, square, flips);
            let value = -isa.run(ShallowSearch {
                searcher: &mut *searcher,
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
                    searcher.refutations[depth as usize] = square.into();
                    break;
                }
            }
        }
        best
    }
}
