//! The root: iterations, aspiration windows, several best moves.

use std::iter;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Move, Position, Square, Variant};
use turncoat_eval::Evaluation;

use super::INFINITE;
use super::node::PvsNode;
use super::probcut::Selectivity;
use super::searcher::Searcher;
use super::team::{Round, SPLIT};
use crate::candidate::Candidate;

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

struct PvsRoot<'t, 'a, 'r, V, E: Evaluation> {
    searcher: &'t mut Searcher<'a, V, E>,
    position: Position,
    depth: u32,
    alpha: i32,
    beta: i32,
    /// Moves before this place have been searched in this iteration and are left out.
    rank: usize,
    moves: &'t mut [RootMove],
    better: &'t mut (dyn FnMut(&RootMove, u64) + 'r),
}

impl<V: Variant, E: Evaluation> Task for PvsRoot<'_, '_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> i32 {
        let board = self.position.board();
        let state = self.searcher.evaluation.begin(isa, board);
        if self.searcher.member.is_some() && self.depth >= SPLIT {
            return self.shared(isa, board, &state);
        }
        let Self { searcher, depth, mut alpha, beta, rank, moves, better, .. } = self;
        let mut best = -INFINITE;
        for i in rank..moves.len() {
            let square = moves[i].square;
            let flips = isa.flips(board, square);
            let board = board.after(square, flips);
            let state = searcher.evaluation.after(isa, &state, square, flips);
            let key = searcher.key(board);
            searcher.variations[1].clear();
            let mut value = alpha + 1;
            if i > rank {
                let window = (-alpha - 1, -alpha);
                value = -isa.run(PvsNode::<false, V, E> {
                    searcher: &mut *searcher,
                    board,
                    state,
                    key,
                    alpha: window.0,
                    beta: window.1,
                    depth: depth - 1,
                    ply: 1,
                });
            }
            if value > alpha && !searcher.watch.is_over() {
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
            if searcher.watch.is_over() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha || i == rank {
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

impl<V: Variant, E: Evaluation> PvsRoot<'_, '_, '_, V, E> {
    /// The same with the help of other threads: the first move alone, the others in rounds.
    #[cold]
    fn shared<I: Isa>(&mut self, isa: I, board: Board, state: &E::State) -> i32 {
        let start = self.searcher.moves.len();
        for found in &self.moves[self.rank..] {
            let square = found.square;
            let flips = isa.flips(board, square);
            let board = board.after(square, flips);
            let state = self.searcher.evaluation.after(isa, state, square, flips);
            let key = self.searcher.key(board);
            self.searcher.moves.push(Candidate { board, state, key, square, rank: 0 });
        }
        let (mut best, mut next, mut place) = (-INFINITE, start, start);
        loop {
            let square = self.searcher.moves[place].square;
            let value = self.principal(isa, place);
            if self.searcher.is_over() {
                break;
            }
            self.searcher.put_before(&mut next, square);
            if value > best {
                best = value;
                let known = self.moves.iter().position(|found| found.square == square);
                if let Some(known) = known.filter(|_| value > self.alpha || next == start + 1) {
                    keep(self.moves, self.rank, known, value, self.depth, &self.searcher.variations[1]);
                }
            }
            if value > self.alpha {
                self.alpha = value;
                (self.better)(&self.moves[self.rank], self.searcher.watch.nodes());
            }
            if self.alpha >= self.beta {
                break;
            }
            match self.searcher.round(isa, &mut next, self.alpha, self.depth - 1, 1, &mut best) {
                Round::Better(better, _) => place = better,
                Round::Over | Round::Refuted => break,
            }
        }
        self.searcher.moves.truncate(start);
        best
    }

    /// The value of a move with the whole window.
    fn principal<I: Isa>(&mut self, isa: I, place: usize) -> i32 {
        let Candidate { board, state, key, .. } = self.searcher.moves[place];
        let (alpha, beta, depth) = (-self.beta, -self.alpha, self.depth - 1);
        self.searcher.variations[1].clear();
        let searcher = &mut *self.searcher;
        -isa.run(PvsNode::<true, V, E> { searcher, board, state, key, alpha, beta, depth, ply: 1 })
    }
}
