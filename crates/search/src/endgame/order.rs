//! Which move is tried first.
//!
//! The table's moves come first, before any other is ranked. Then, with many empties, moves are ranked by a short lookahead;
//! with few, by the replies that they leave.

use std::marker::PhantomData;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};
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
pub(super) fn remembered<S>(moves: &mut [Candidate<S>], known: Option<Entry>) -> usize {
    let Some(Entry { best, second, .. }) = known else {
        return 0;
    };
    let mut count = 0;
    for square in [best, second].into_iter().flatten() {
        let is_it = |candidate: &Candidate<S>| candidate.square == square;
        if let Some(place) = moves[count..].iter().position(is_it) {
            moves.swap(count, count + place);
            count += 1;
        }
    }
    count
}

/// Gives the moves from `start` on their ranks, with less care if it is doubtful that any is good enough.
#[inline(always)]
pub(super) fn rank<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    start: usize,
    n: u32,
    is_doubtful: bool,
) {
    let geometry = worker.context.geometry;
    let by_replies = ByReplies::<V>::new(board.empties(geometry), geometry);
    for candidate in &mut worker.moves[start..] {
        // Its own empties: near the start it may have another orientation.
        let empties = candidate.board.empties(geometry);
        candidate.state = isa.legal_moves(candidate.board, empties);
        candidate.rank = by_replies.rank(candidate.board, candidate.state, candidate.square);
    }
    let ranking = worker.context.evaluation.ranking::<V>();
    if n >= ranking.fewest && worker.moves.len() > start + 1 {
        by_prospects(isa, worker, board, start, n, is_doubtful, &ranking);
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
    is_doubtful: bool,
    ranking: &Ranking,
) {
    let geometry = worker.context.geometry;
    let depth = depth(ranking, n, geometry).saturating_sub(u32::from(is_doubtful));
    for candidate in &mut worker.moves[start..] {
        candidate.rank = -(candidate.state.count() as i32);
    }
    let mut best = -WIDEST;
    let parent_state = worker.context.evaluation.begin(isa, parent);
    for i in start..worker.moves.len() {
        // A good move first makes the others' windows narrow.
        if depth > 0 {
            bring_best_forward(&mut worker.moves[i..]);
        }
        let Candidate { board, state: moves, square, .. } = worker.moves[i];
        let state = if worker.is_oriented(n - 1) {
            worker.context.evaluation.begin(isa, board)
        } else {
            worker.state_after(isa, parent, &parent_state, square, board)
        };
        let prospects = -isa.run(Lookahead {
            worker: &mut *worker,
            board,
            moves,
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
pub(super) struct ByReplies<V> {
    /// The squares of quadrants with an odd number of empties.
    odd: Bitboard,
    corners: Bitboard,
    variant: PhantomData<V>,
}

impl<V: Variant> ByReplies<V> {
    /// The order of the moves of a board with these empties.
    #[inline(always)]
    pub(super) fn new(empties: Bitboard, geometry: Geometry) -> Self {
        let corners = Bitboard(Zones::new(geometry).corners);
        Self { odd: parity::odd_squares(empties), corners, variant: PhantomData }
    }

    /// The rank of a move that leads to this board with these replies.
    #[inline(always)]
    pub(super) fn rank(&self, board: Board, replies: Bitboard, square: Square) -> i32 {
        let count = replies.count() as i32;
        let corner_replies = (replies & self.corners).count() as i32;
        if parity::pays::<V>() {
            -16 * (count + corner_replies) + if self.odd.contains(square) { 8 } else { 0 }
        } else {
            // Fewer own discs after the move are fewer flips.
            let discs = board.other().count() as i32;
            -16 * count - 4 * discs - if self.corners.contains(square) { 16 } else { 0 }
        }
    }
}
