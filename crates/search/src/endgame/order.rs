//! Which move is tried first.
//!
//! The table's moves come first, whatever they look like here. Then, with many empties, what a short look
//! ahead promises; with few, the move that leaves the fewest replies.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Variant};

use super::judge::{Judge, PER_DISC};
use super::lookahead::{Lookahead, WIDEST};
use super::parity;
use super::squares::Zones;
use super::worker::{Worker, tune};
use crate::table::Entry;

/// With fewer empties moves are ordered by the replies that they leave.
const LOOK: u32 = 11;

/// How many plies are looked ahead with this many empties.
fn depth(n: u32) -> u32 {
    if n < tune(0, 13) as u32 { 0 } else if n < tune(1, 15) as u32 { 1 } else if n < tune(2, 17) as u32 { 2 } else if n < tune(3, 19) as u32 { 3 } else { tune(4, 4) as u32 }
}

/// Gives the moves from `start` on their ranks.
#[inline(always)]
pub(super) fn rank<I: Isa, V: Variant, J: Judge>(
    isa: I,
    worker: &mut Worker<'_, V, J>,
    board: Board,
    start: usize,
    n: u32,
    known: Option<Entry>,
) {
    if n >= tune(5, LOOK as i32) as u32 {
        by_prospects(isa, worker, start, depth(n));
    } else {
        by_replies(isa, worker, board, start);
    }
    let Some(Entry { best, second, .. }) = known else {
        return;
    };
    for candidate in &mut worker.moves[start..] {
        if Some(candidate.square) == best {
            candidate.rank = i32::MAX;
        } else if Some(candidate.square) == second {
            candidate.rank = i32::MAX - 1;
        }
    }
}

/// Ranks by what a short look ahead promises.
#[inline(always)]
fn by_prospects<I: Isa, V: Variant, J: Judge>(
    isa: I,
    worker: &mut Worker<'_, V, J>,
    start: usize,
    depth: u32,
) {
    // Moves that are worse than the best one by more than this need no order among themselves.
    let margin: i32 = tune(6, 8) * PER_DISC;
    let mut best = -WIDEST;
    for i in start..worker.moves.len() {
        let board = worker.moves[i].board;
        let rank = -isa.run(Lookahead {
            worker: &mut *worker,
            board,
            depth,
            alpha: -WIDEST,
            beta: margin - best,
        });
        best = best.max(rank);
        let replies = isa.legal_moves(board, worker.empties(board));
        worker.moves[i].rank = rank - tune(10, 75) * replies.count() as i32;
    }
}

/// Ranks by replies: the fewer the opponent has, the fewer positions follow, and the better the move tends
/// to be in both games.
#[inline(always)]
fn by_replies<I: Isa, V: Variant, J: Judge>(
    isa: I,
    worker: &mut Worker<'_, V, J>,
    board: Board,
    start: usize,
) {
    let empties = worker.empties(board);
    let odd = parity::odd_quadrants(empties);
    let corners = Zones::of(worker.shared.geometry).corners;
    for candidate in &mut worker.moves[start..] {
        let left = empties & !Bitboard::of(candidate.square);
        let replies = isa.legal_moves(candidate.board, left);
        let corner_replies = (replies.0 & corners).count_ones() as i32;
        let count = replies.count() as i32;
        candidate.rank = if parity::pays::<V>() {
            -tune(7,16) * (count + corner_replies) + i32::from(odd.contains(candidate.square)) * tune(8, 8)
        } else {
            let flips = candidate.board.other().count() as i32;
            let corner = Bitboard(corners).contains(candidate.square);
            -tune(7,16) * count - tune(8,4) * flips - i32::from(corner) * tune(9,16)
        };
    }
}
