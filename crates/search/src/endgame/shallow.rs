//! A few more empties than the last four: too few for the table to pay.
//!
//! In Reversi the moves are tried by parity, which costs next to nothing; in Reversed, where parity says
//! nothing, by the replies that they leave, down to where counting those costs more than it saves.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};
use turncoat_eval::handmade::Zones;

use super::NO_SCORE;
use super::order;
use super::parity;
use super::question::few;
use super::tuning::SolverTuning;
use super::worker::SolverWorker;
use crate::candidate::{Candidate, bring_best_forward};
use crate::stability;
use crate::transposition::Key;

/// At most this many empties are searched without the table. Six and seven take the same time; the nodes differ.
#[inline(always)]
pub(super) const fn most_without_table<V: Variant>() -> u32 {
    if V::SIGN > 0 { 7 } else { 6 }
}

/// Whether the mover's score is above the bar, with five or more empties.
pub(super) struct FewEmpties<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    pub(super) bar: i32,
}

impl<V: Variant, E: SolverTuning> Task for FewEmpties<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, bar } = self;
        worker.ending.nodes += 1;
        let empties = worker.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return worker.ending.final_score(board);
            }
            return -isa.run(FewEmpties { worker, board: passed, bar: -bar });
        }
        if let Some(bound) = stability::decides::<V>(board, worker.context.geometry, bar) {
            return bound;
        }
        if parity::pays::<V>() {
            let odd = moves & parity::odd_squares(empties);
            return in_turn(isa, worker, board, empties, [odd, moves & !odd], bar);
        }
        if empties.count() > 5 {
            return by_replies(isa, worker, board, moves, bar);
        }
        let corners = Bitboard(Zones::new(worker.context.geometry).corners);
        let parts = [moves & !corners, moves & corners];
        in_turn(isa, worker, board, empties, parts, bar)
    }
}

/// The best move, one set of moves tried after the other.
#[inline(always)]
fn in_turn<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    parts: [Bitboard; 2],
    bar: i32,
) -> i32 {
    let mut best = NO_SCORE;
    for part in parts {
        for square in part {
            let next = board.after(square, isa.flips(board, square));
            let rest = empties & !Bitboard::from_square(square);
            let score = -few(isa, worker, next, rest, -bar);
            if score > bar {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// The best move, those that leave the fewest replies tried first.
#[inline(always)]
fn by_replies<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    moves: Bitboard,
    bar: i32,
) -> i32 {
    let start = worker.moves.len();
    for square in moves {
        let next = board.after(square, isa.flips(board, square));
        worker.moves.push(Candidate { board: next, state: (), key: Key::NONE, square, rank: 0 });
    }
    if worker.moves.len() > start + 1 {
        order::by_replies(isa, worker, board, start);
    }
    let mut best = NO_SCORE;
    for i in start..worker.moves.len() {
        bring_best_forward(&mut worker.moves[i..]);
        let next = worker.moves[i].board;
        let rest = worker.empties(next);
        let score = -few(isa, worker, next, rest, -bar);
        best = best.max(score);
        if score > bar {
            break;
        }
    }
    worker.moves.truncate(start);
    best
}
