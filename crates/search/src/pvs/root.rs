//! The root: iterations, aspiration windows, several best moves.

use std::collections::VecDeque;
use std::iter;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Move, Position, Square, Variant};
use turncoat_eval::Evaluation;

use super::INFINITE;
use super::node::PvsNode;
use super::probcut::Selectivity;
use super::searcher::Searcher;
use super::team::{Asked, RootTask};

/// A move of the root and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub square: Square,
    /// Its value for the mover, in [`UNITS`](turncoat_eval::UNITS) of a disc.
    pub value: i32,
    /// How deep it was searched.
    pub depth: u32,
    /// Whether the value is proven to be that of the best move (of those that do not come before it).
    pub exact: bool,
    /// The expected line, the move itself first.
    pub line: Vec<Move>,
}

/// Called with every better move as it is found, and with the positions entered so far.
pub type OnBetter<'a> = &'a mut dyn FnMut(&RootMove, u64);

impl<V: Variant, E: Evaluation> Searcher<'_, V, E> {
    /// The moves of a position, not searched yet.
    pub fn root_moves(position: Position) -> Vec<RootMove> {
        let unknown = |square| RootMove { square, value: 0, depth: 0, exact: false, line: vec![Move::Place(square)] };
        position.legal_moves().into_iter().map(unknown).collect()
    }

    /// One iteration: searches to this depth for the `count` best moves, which come first in `moves`
    /// afterwards, best first. `false` if the watch ended it; what was found until then stands.
    pub fn iterate(
        &mut self,
        position: Position,
        depth: u32,
        selectivity: Selectivity,
        count: usize,
        moves: &mut [RootMove],
        better: OnBetter<'_>,
    ) -> bool {
        self.selectivity = if self.error_model.is_some() { selectivity } else { Selectivity::FULL_WIDTH };
        for rank in 0..count.min(moves.len()) {
            // The first window is around what is known of the move that was best so far.
            let guess = moves[rank].value;
            let mut reach = self.constants.aspiration;
            let (mut alpha, mut beta) = match moves[rank].depth {
                _ if !self.techniques.aspiration => (-INFINITE, INFINITE),
                0 => (-INFINITE, INFINITE),
                _ => ((guess - reach).max(-INFINITE), (guess + reach).min(INFINITE)),
            };
            loop {
                let selectivity = self.selectivity;
                self.share(|| {
                    let moves = moves.to_vec();
                    (depth >= self.shared_from).then_some(RootTask {
                        position,
                        depth,
                        selectivity,
                        alpha,
                        beta,
                        rank,
                        moves,
                    })
                });
                let task = PvsRoot {
                    searcher: &mut *self,
                    position,
                    depth,
                    alpha,
                    beta,
                    rank,
                    moves: &mut *moves,
                    better: &mut *better,
                };
                let value = Backend::best().run(task);
                self.share(|| None);
                if self.watch.is_over() {
                    return false;
                }
                reach *= 3;
                if value <= alpha && alpha > -INFINITE {
                    alpha = (value - reach).max(-INFINITE);
                } else if value >= beta && beta < INFINITE {
                    beta = (value + reach).min(INFINITE);
                } else {
                    break;
                }
            }
            // Not before all moves have been searched within a window: until then the value is a bound.
            moves[rank].exact = self.selectivity == Selectivity::FULL_WIDTH && depth >= position.empties();
        }
        true
    }
}

pub(super) struct PvsRoot<'t, 'a, 'r, V, E: Evaluation> {
    pub(super) searcher: &'t mut Searcher<'a, V, E>,
    pub(super) position: Position,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Moves before this place have been searched in this iteration and are left out.
    pub(super) rank: usize,
    pub(super) moves: &'t mut [RootMove],
    pub(super) better: &'t mut (dyn FnMut(&RootMove, u64) + 'r),
}

impl<V: Variant, E: Evaluation> Task for PvsRoot<'_, '_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { searcher, position, depth, mut alpha, beta, rank, moves, better } = self;
        let board = position.board();
        let state = searcher.evaluation.begin(isa, board);
        let mut best = -INFINITE;
        let mut open: VecDeque<(Square, bool)> = moves[rank..].iter().map(|found| (found.square, false)).collect();
        while let Some((square, was_put_off)) = open.pop_front() {
            let Some(i) = moves.iter().position(|found| found.square == square) else { continue };
            let flips = isa.flips(board, square);
            let board = board.after(square, flips);
            let state = searcher.evaluation.after(isa, &state, square, flips);
            let key = searcher.key(board);
            let is_first = best == -INFINITE;
            let mut claim = None;
            if !is_first && searcher.is_shared(depth) {
                claim = searcher.claim(key, depth, was_put_off);
                if claim.is_none() {
                    open.push_back((square, true));
                    continue;
                }
            }
            searcher.variations[1].clear();
            let mut value = alpha + 1;
            if !is_first {
                let (alpha, beta, depth, ply) = (-alpha - 1, -alpha, depth - 1, 1);
                value = -searcher.unless_settled(Asked { key, alpha, depth }, |searcher| {
                    isa.run(PvsNode::<false, V, E> { searcher, board, state, key, alpha, beta, depth, ply })
                });
            }
            if value > alpha && !searcher.is_over() {
                value = -isa.run(PvsNode::<true, V, E> {
                    searcher: &mut *searcher,
                    board,
                    state,
                    key,
                    alpha: -beta,
                    beta: -alpha,
                    depth: depth - 1,
                    ply: 1,
                });
            }
            if let Some(claim) = claim {
                searcher.release(claim);
            }
            if searcher.is_over() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha || is_first {
                    keep(moves, rank, i, value, depth, &searcher.variations[1]);
                }
                if value > alpha {
                    alpha = value;
                    better(&moves[rank], searcher.watch.nodes());
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// Notes the value and the line of the move at `place`, and puts it first; the others keep their order.
fn keep(moves: &mut [RootMove], rank: usize, place: usize, value: i32, depth: u32, rest: &[Move]) {
    let square = moves[place].square;
    let line = iter::once(Move::Place(square)).chain(rest.iter().copied()).collect();
    moves[place] = RootMove { square, value, depth, exact: false, line };
    moves[rank..=place].rotate_right(1);
}
