//! A few plies of plain alpha-beta with the evaluation at the leaves: for move ordering and for guesses.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};
use turncoat_eval::UNITS;

use super::tuning::SolverTuning;
use super::worker::SolverWorker;
use crate::candidate::{Candidate, bring_best_forward};

/// Beyond every value.
pub(super) const WIDEST: i32 = 1 << 20;

/// The mover's prospects within a window, in [`UNITS`] of a disc.
pub(super) struct Lookahead<'w, 's, V, E: SolverTuning> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    /// The mover's legal moves.
    pub(super) moves: Bitboard,
    pub(super) state: E::State,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl<V: Variant, E: SolverTuning> Task for Lookahead<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, moves, state, depth, alpha, beta } = self;
        if depth == 0 {
            worker.ending.nodes += 1;
            return worker.evaluate(isa, board, moves, &state);
        }
        if worker.enter() {
            return 0;
        }
        let empties = worker.empties(board);
        if moves.is_empty() {
            let board = board.pass();
            let moves = isa.legal_moves(board, empties);
            if moves.is_empty() {
                return -worker.ending.final_score(board) * UNITS;
            }
            let state = worker.context.evaluation.passed(&state);
            return -isa.run(Lookahead { worker, board, moves, state, depth, alpha: -beta, beta: -alpha });
        }
        let start = worker.near_moves.len();
        for square in moves {
            let next = board.after(square, isa.flips(board, square));
            // Fewest replies first; one ply above the leaves an order costs more than it saves.
            let replies = if depth > 1 {
                isa.legal_moves(next, empties & !Bitboard::from_square(square))
            } else {
                Bitboard::EMPTY
            };
            let rank = -(replies.count() as i32);
            worker.near_moves.push(Candidate { board: next, state: replies, key: (), square, rank });
        }
        let best = best_of(isa, worker, board, &state, start, depth - 1, alpha, beta);
        worker.near_moves.truncate(start);
        best
    }
}

/// The best of the moves of a board from `start` on.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // All of it is the node's own.
fn best_of<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    state: &E::State,
    start: usize,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let mut best = -WIDEST;
    for i in start..worker.near_moves.len() {
        if depth > 0 {
            bring_best_forward(&mut worker.near_moves[i..]);
        }
        let Candidate { board: next, state: moves, square, .. } = worker.near_moves[i];
        let state = worker.state_after(isa, board, state, square, next);
        let value = if depth == 0 {
            worker.ending.nodes += 1;
            -worker.evaluate(isa, next, worker.legal_moves(isa, next), &state)
        } else {
            -isa.run(Lookahead { worker: &mut *worker, board: next, moves, state, depth, alpha: -beta, beta: -alpha })
        };
        if value > best {
            best = value;
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
    }
    best
}
