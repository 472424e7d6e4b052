//! The root: iterations, aspiration windows, several best lines.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Move, Position, Square, Variant};
use turncoat_eval::{Evaluation, UNITS};

use super::INFINITE;
use super::node::Node;
use super::probcut::Level;
use super::thinker::Thinker;

/// A move of the root and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub square: Square,
    /// Its value for the mover, in units of a disc.
    pub value: i32,
    /// How deep it was searched.
    pub depth: u32,
    /// Whether the value is proven to be that of the best move (of those that do not come before it).
    pub exact: bool,
    /// The expected line, the move itself first.
    pub moves: Vec<Move>,
}

/// Hears of every better line as it is found: the line and the positions entered so far.
pub type Report<'a> = &'a mut dyn FnMut(&Line, u64);

/// The first window reaches this far to both sides of the value of the iteration before.
const ASPIRATION: i32 = 8 * UNITS;

impl<V: Variant, E: Evaluation> Thinker<'_, V, E> {
    /// The moves of a position, not searched yet.
    pub fn lines(position: Position) -> Vec<Line> {
        let unknown = |square| Line { square, value: 0, depth: 0, exact: false, moves: vec![Move::Place(square)] };
        position.legal_moves().into_iter().map(unknown).collect()
    }

    /// One iteration: searches to this depth for the `count` best moves, which come first in `lines`
    /// afterwards, best first. `false` if the watch ended it; the lines found until then stand.
    pub fn iterate(
        &mut self,
        position: Position,
        depth: u32,
        level: Level,
        count: usize,
        lines: &mut [Line],
        report: Report<'_>,
    ) -> bool {
        self.level = if self.fit.is_some() { level } else { Level::FULL };
        for rank in 0..count.min(lines.len()) {
            // The first window is around what is known of the move that was best so far.
            let guess = lines[rank].value;
            let mut reach = ASPIRATION;
            let (mut alpha, mut beta) = match lines[rank].depth {
                _ if !self.techniques.aspiration => (-INFINITE, INFINITE),
                0 => (-INFINITE, INFINITE),
                _ => ((guess - reach).max(-INFINITE), (guess + reach).min(INFINITE)),
            };
            loop {
                let task = Root {
                    thinker: &mut *self,
                    position,
                    depth,
                    alpha,
                    beta,
                    rank,
                    lines: &mut *lines,
                    report: &mut *report,
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
            lines[rank].exact = self.level == Level::FULL && depth >= position.empties();
        }
        true
    }
}

struct Root<'t, 'a, 'r, V, E: Evaluation> {
    thinker: &'t mut Thinker<'a, V, E>,
    position: Position,
    depth: u32,
    alpha: i32,
    beta: i32,
    /// Moves before this place have been searched in this iteration and are left out.
    rank: usize,
    lines: &'t mut [Line],
    report: &'t mut (dyn FnMut(&Line, u64) + 'r),
}

impl<V: Variant, E: Evaluation> Task for Root<'_, '_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { thinker, position, depth, mut alpha, beta, rank, lines, report } = self;
        let board = position.board();
        let state = thinker.evaluation.begin(isa, board);
        let mut best = -INFINITE;
        for i in rank..lines.len() {
            let square = lines[i].square;
            let flips = isa.flips(board, square);
            let board = board.after(square, flips);
            let state = thinker.evaluation.after(isa, &state, square, flips);
            let key = thinker.key(board);
            thinker.lines[1].clear();
            let mut value = alpha + 1;
            if i > rank {
                let window = (-alpha - 1, -alpha);
                value = -isa.run(Node::<false, V, E> {
                    thinker: &mut *thinker,
                    board,
                    state,
                    key,
                    alpha: window.0,
                    beta: window.1,
                    depth: depth - 1,
                    ply: 1,
                });
            }
            if value > alpha && !thinker.watch.is_over() {
                value = -isa.run(Node::<true, V, E> {
                    thinker: &mut *thinker,
                    board,
                    state,
                    key,
                    alpha: -beta,
                    beta: -alpha,
                    depth: depth - 1,
                    ply: 1,
                });
            }
            if thinker.watch.is_over() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha || i == rank {
                    let mut moves = vec![Move::Place(square)];
                    moves.extend_from_slice(&thinker.lines[1]);
                    lines[i] = Line { square, value, depth, exact: false, moves };
                    // The best comes first, the others keep their order.
                    lines[rank..=i].rotate_right(1);
                }
                if value > alpha {
                    alpha = value;
                    report(&lines[rank], thinker.watch.nodes());
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
