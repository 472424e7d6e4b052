//! Which move is tried first.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Variant};

use super::judge::Judge;
use super::lookahead::{Lookahead, WIDEST};
use super::worker::Worker;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Gives the moves from `start` on their ranks.
#[inline(always)]
pub(super) fn rank<I: Isa, V: Variant, J: Judge>(
    isa: I,
    worker: &mut Worker<'_, V, J>,
    board: Board,
    start: usize,
    n: u32,
) {
    let empties = worker.empties(board);
    let odd = super::parity::odd_quadrants(empties);
    for i in start..worker.moves.len() {
        let candidate = worker.moves[i];
        let next = candidate.board;
        let rank = if n >= 12 {
            let depth = if n >= 20 { 2 } else if n >= 15 { 1 } else { 0 };
            -isa.run(Lookahead { worker: &mut *worker, board: next, depth, alpha: -WIDEST, beta: WIDEST })
        } else {
            let left = empties & !Bitboard::of(candidate.square);
            let replies = isa.legal_moves(next, left);
            let weight = replies.count() as i32 + (replies.0 & CORNERS).count_ones() as i32 * V::SIGN;
            let bonus = if odd.contains(candidate.square) { if V::SIGN > 0 { 3 } else { 0 } } else { 0 };
            -8 * weight + bonus
        };
        worker.moves[i].rank = rank;
    }
}
