//! Which move is tried first.
//!
//! The table's moves come first, whatever they look like here. Then, with many empties, what a short look
//! ahead promises; with few, the move that leaves the fewest replies.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Variant};

use super::judge::{Judge, PER_DISC};
use super::lookahead::{Lookahead, WIDEST};
use super::parity;
use super::squares::Zones;
use super::worker::{Candidate, Worker};
use crate::table::Entry;

/// From how many empties on one, two, three and four plies are looked ahead.
const DEEPER: [u32; 4] = [13, 15, 17, 19];

/// Moves that are worse than the best one by more than this need no order among themselves.
const MARGIN: i32 = 8 * PER_DISC;

/// What a reply of the opponent costs beside the prospects: few replies make a small tree.
const PER_REPLY: i32 = 75;

/// How many plies are looked ahead with this many empties. Trees of small boards are narrower, so that the same
/// effort pays a little farther from the end.
#[inline(always)]
fn depth(n: u32, geometry: Geometry) -> u32 {
    let n = if geometry == Geometry::EIGHT {
        n
    } else {
        n - n / 6
    };
    DEEPER.into_iter().map(|from| u32::from(n >= from)).sum()
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
    if n >= J::FEWEST {
        let depth = depth(n, worker.shared.geometry);
        by_prospects(isa, worker, board, start, depth);
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
    parent: Board,
    start: usize,
    depth: u32,
) {
    let mut best = -WIDEST;
    let kept = worker.shared.judge.begin(isa, parent);
    for i in start..worker.moves.len() {
        let Candidate { board, square, .. } = worker.moves[i];
        let state = worker.state_after(isa, parent, &kept, square, board);
        let rank = -isa.run(Lookahead {
            worker: &mut *worker,
            board,
            state,
            depth,
            alpha: -WIDEST,
            beta: MARGIN - best,
        });
        best = best.max(rank);
        let replies = isa.legal_moves(board, worker.empties(board));
        worker.moves[i].rank = rank - PER_REPLY * replies.count() as i32;
    }
}

/// Ranks by replies: the fewer the opponent has, the fewer positions follow, and the better the move tends
/// to be in both games.
#[inline(always)]
pub(super) fn by_replies<I: Isa, V: Variant, J: Judge>(
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
            let is_odd = odd.contains(candidate.square);
            -16 * (count + corner_replies) + if is_odd { 8 } else { 0 }
        } else {
            // Fewer own discs after the move are fewer flips.
            let discs = candidate.board.other().count() as i32;
            let is_corner = Bitboard(corners).contains(candidate.square);
            -16 * count - 4 * discs - if is_corner { 16 } else { 0 }
        };
    }
}
