//! A few more empties than the last four: too few for the table to pay.
//!
//! The moves are tried by the replies that they leave, down to where counting those costs more than it saves. Below, they
//! are tried by parity in Reversi; in Reversed, where parity says nothing, corners come last.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Square, Variant};
use turncoat_eval::handmade::Zones;

use super::NO_SCORE;
use super::order::ByReplies;
use super::parity;
use super::question::near;
use super::tuning::SolverTuning;
use super::worker::SolverWorker;
use crate::candidate::{Candidate, bring_best_forward};
use crate::stability;

/// At most this many empties are searched without the table. Six and seven take the same time; the nodes differ.
#[inline(always)]
pub(super) const fn most_without_table<V: Variant>() -> u32 {
    if V::SIGN > 0 { 7 } else { 6 }
}

/// With fewer empties counting the replies costs more than it saves.
const FEWEST_BY_REPLIES: u32 = 6;

/// Whether the mover's score is above the bar, with five or more empties.
pub(super) struct FewEmpties<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    /// The mover's legal moves.
    pub(super) moves: Bitboard,
    pub(super) bar: i32,
}

impl<V: Variant, E: SolverTuning> Task for FewEmpties<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, moves, bar } = self;
        worker.ending.nodes += 1;
        let empties = worker.empties(board);
        if moves.is_empty() {
            let passed = board.pass();
            let moves = isa.legal_moves(passed, empties);
            if moves.is_empty() {
                return worker.ending.final_score(board);
            }
            return -isa.run(FewEmpties { worker, board: passed, moves, bar: -bar });
        }
        if let Some(bound) = stability::decides::<V>(board, worker.context.geometry, bar) {
            return bound;
        }
        if empties.count() >= FEWEST_BY_REPLIES {
            return best_by_replies(isa, worker, board, empties, moves, bar).0;
        }
        let first = if parity::pays::<V>() {
            parity::odd_squares(empties)
        } else {
            !Bitboard(Zones::new(worker.context.geometry).corners)
        };
        best_in_turn(isa, worker, board, empties, [moves & first, moves & !first], bar)
    }
}

/// The best move, one set of moves tried after the other.
#[inline(always)]
fn best_in_turn<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    parts: [Bitboard; 2],
    bar: i32,
) -> i32 {
    let mut best = NO_SCORE;
    let is_last_five = empties.count() == 5;
    for part in parts {
        for square in part {
            let next = board.after(square, isa.flips(board, square));
            let left = empties & !Bitboard::from_square(square);
            let replies = if is_last_five { Bitboard::EMPTY } else { isa.legal_moves(next, left) };
            let score = -near(isa, worker, next, left, replies, -bar);
            if score > bar {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// The score and the square of the best of these moves, those that leave the fewest replies tried first.
#[inline(always)]
pub(super) fn best_by_replies<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    moves: Bitboard,
    bar: i32,
) -> (i32, Option<Square>) {
    let start = worker.near_moves.len();
    let order = ByReplies::<V>::new(empties, worker.context.geometry);
    for square in moves {
        let next = board.after(square, isa.flips(board, square));
        let left = empties & !Bitboard::from_square(square);
        let replies = isa.legal_moves(next, left);
        let rank = order.rank(next, replies, square);
        worker.near_moves.push(Candidate { board: next, state: replies, key: (), square, rank });
    }
    let (mut best, mut best_square) = (NO_SCORE, None);
    for i in start..worker.near_moves.len() {
        bring_best_forward(&mut worker.near_moves[i..]);
        let Candidate { board: next, state: replies, square, .. } = worker.near_moves[i];
        let left = empties & !Bitboard::from_square(square);
        let score = -near(isa, worker, next, left, replies, -bar);
        if worker.stopped {
            break;
        }
        if score > best {
            (best, best_square) = (score, Some(square));
            if best > bar {
                break;
            }
        }
    }
    worker.near_moves.truncate(start);
    (best, best_square)
}
