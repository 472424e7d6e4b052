//! Which move is tried first.
//!
//! The table's moves come first, before any other is ranked. Then, with many empties, moves are ranked by a short lookahead;
//! with few, by the replies that they leave.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Variant};
use turncoat_eval::handmade::Zones;

use super::lookahead::{Lookahead, WIDEST};
use super::parity;
use super::tuning::{Ranking, SolverTuning};
use super::worker::SolverWorker;
use crate::candidate::{Candidate, bring_best_forward};
use crate::transposition::Entry;

/// How many plies are looked ahead with this many empties. Trees of small boards are narrower, so that the same
/// effort pays a little farther from the end.
#[inline(always)]
fn depth(ranking: &Ranking, n: u32, geometry: Geometry) -> u32 {
    let n = if geometry == Geometry::EIGHT { n } else { n - n / 6 };
    let reached = |from| u32::from(n >= from);
    ranking.deeper.into_iter().map(reached).sum()
}

/// Brings the moves that the table remembers to the front, the best one first: how many they are.
#[inline(always)]
pub(super) fn remembered(moves: &mut [Candidate], known: Option<Entry>) -> usize {
    let Some(Entry { best, second, .. }) = known else {
        return 0;
    };
    let mut count = 0;
    for square in [best, second].into_iter().flatten() {
        let is_it = |candidate: &Candidate| candidate.square == square;
        if let Some(place) = moves[count..].iter().position(is_it) {
            moves.swap(count, count + place);
            count += 1;
        }
    }
    count
}

/// Gives the moves from `start` on their ranks.
#[inline(always)]
pub(super) fn rank<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    start: usize,
    n: u32,
) {
    let ranking = E::ranking::<V>();
    if n >= ranking.fewest {
        by_prospects(isa, worker, board, start, n, &ranking);
    } else {
        by_replies(isa, worker, board, start);
    }
}

/// Ranks by what a short lookahead promises.
#[inline(always)]
fn by_prospects<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    parent: Board,
    start: usize,
    n: u32,
    ranking: &Ranking,
) {
    let geometry = worker.context.geometry;
    let depth = depth(ranking, n, geometry);
    for candidate in &mut worker.moves[start..] {
        // Its own empties: near the start it may have another orientation.
        let replies = isa.legal_moves(candidate.board, candidate.board.empties(geometry));
        candidate.rank = -(replies.count() as i32);
    }
    let mut best = -WIDEST;
    let parent_state = worker.context.evaluation.begin(isa, parent);
    for i in start..worker.moves.len() {
        // A good move first makes the others' windows narrow.
        if depth > 0 {
            bring_best_forward(&mut worker.moves[i..]);
        }
        let Candidate { board, square, .. } = worker.moves[i];
        let state = if worker.is_oriented(n - 1) {
            worker.context.evaluation.begin(isa, board)
        } else {
            worker.state_after(isa, parent, &parent_state, square, board)
        };
        let prospects = -isa.run(Lookahead {
            worker: &mut *worker,
            board,
            state,
            depth,
            alpha: -WIDEST,
            beta: ranking.margin - best,
        });
        best = best.max(prospects);
        let rank = &mut worker.moves[i].rank;
        *rank = prospects + ranking.per_reply * *rank;
    }
}

/// Ranks by replies: the fewer the opponent has, the fewer positions follow, and the better the move tends
/// to be in both games.
#[inline(always)]
pub(super) fn by_replies<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    start: usize,
) {
    let geometry = worker.context.geometry;
    let odd = parity::odd_squares(board.empties(geometry));
    let corners = Zones::new(geometry).corners;
    for candidate in &mut worker.moves[start..] {
        // Its own empties: it may have another orientation.
        let replies = isa.legal_moves(candidate.board, candidate.board.empties(geometry));
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
