//! From answers about bars to a score and a line of perfect play.

use std::sync::{Mutex, PoisonError};

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Move, Score, Square, Symmetry, Variant};

use super::judge::{Judge, PER_DISC};
use super::lookahead::{Lookahead, WIDEST};
use super::question::Question;
use super::root::{Goal, Progress, Solution};
use super::selective::{EXACT, certainty};
use super::worker::Worker;

/// With fewer empties the score is not guessed before it is proved.
const FEWEST_TO_GUESS: u32 = 16;
/// With fewer empties the guess is a look ahead only.
const FEWEST_FOR_LEVELS: u32 = 20;
/// Plies of the first look ahead.
const GLANCE: u32 = 6;

/// Solves one position.
pub(super) struct Solve<'w, 's, V, J> {
    pub(super) worker: &'w mut Worker<'s, V, J>,
    pub(super) board: Board,
    pub(super) goal: Goal,
    pub(super) state: &'w Mutex<Progress>,
}

/// Proved (or, at lower levels, probable) bounds of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    lower: i32,
    upper: i32,
}

impl Bounds {
    /// Whether they answer the question.
    fn answer(self, goal: Goal) -> bool {
        self.lower == self.upper || goal == Goal::Result && (self.lower > 0 || self.upper < 0)
    }

    /// Takes an answer in. Probable answers may contradict each other; the latest one counts then.
    fn narrow(&mut self, bound: i32, above: bool) {
        if above {
            self.lower = bound;
            self.upper = self.upper.max(bound);
        } else {
            self.upper = bound;
            self.lower = self.lower.min(bound);
        }
    }
}

impl<V: Variant, J: Judge> Task for Solve<'_, '_, V, J> {
    type Output = Solution;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Solution {
        let bounds = self.prove(isa);
        self.worker.level = EXACT;
        let complete = bounds.answer(self.goal);
        let line = if complete {
            self.line(isa, bounds)
        } else {
            self.hint(isa).map(Move::Place).into_iter().collect()
        };
        let (nodes, _) = self.worker.tally();
        let score = |discs| Score::new(discs).unwrap_or(Score::DRAW);
        Solution {
            lower: score(bounds.lower),
            upper: score(bounds.upper),
            line,
            nodes,
            complete,
        }
    }
}

impl<V: Variant, J: Judge> Solve<'_, '_, V, J> {
    /// Guesses the score at ever higher certainty, then proves it.
    fn prove<I: Isa>(&mut self, isa: I) -> Bounds {
        let n = self.worker.empties(self.board).count();
        let mut guess = 0;
        if n >= FEWEST_TO_GUESS {
            let estimate = isa.run(Lookahead {
                worker: &mut *self.worker,
                board: self.board,
                depth: GLANCE,
                alpha: -WIDEST,
                beta: WIDEST,
            });
            guess = 2 * (estimate / (2 * PER_DISC));
        }
        let first_level = if n < FEWEST_FOR_LEVELS { EXACT } else { 0 };
        for level in first_level..EXACT {
            let bounds = self.widen(isa, level, guess);
            // The middle of what is left, should it have been stopped.
            guess = (bounds.lower + bounds.upper) / 4 * 2;
        }
        self.widen(isa, EXACT, guess)
    }

    /// Asks about bars from the guess outwards, in growing steps, until the bounds answer the goal.
    fn widen<I: Isa>(&mut self, isa: I, level: u8, guess: i32) -> Bounds {
        let area = self.worker.ending.area;
        self.worker.level = level;
        let mut bounds = Bounds {
            lower: -area,
            upper: area,
        };
        let mut bar = guess - 1;
        let mut step = 0;
        let mut last = None;
        while !bounds.answer(self.goal) {
            bar = match self.goal {
                Goal::Score => bar.clamp(bounds.lower + 1, bounds.upper - 1),
                // The result changes only at these two.
                Goal::Result if bounds.lower == 0 || bounds.upper > 0 && bar > 0 => 1,
                Goal::Result => -1,
            };
            self.show(bounds, bar, None);
            let bound = isa.run(Question {
                worker: &mut *self.worker,
                board: self.board,
                bar,
            });
            if self.worker.stopped {
                break;
            }
            let above = bound > bar;
            bounds.narrow(bound, above);
            self.show(bounds, bar, Some(above));
            step = if last == Some(above) {
                (step + 2).min(8)
            } else {
                0
            };
            last = Some(above);
            bar = if above {
                bound + 1 + step
            } else {
                bound - 1 - step
            };
        }
        bounds
    }

    /// Tells how the solve stands.
    fn show(&mut self, bounds: Bounds, bar: i32, above: Option<bool>) {
        let progress = Progress {
            lower: bounds.lower,
            upper: bounds.upper,
            bar,
            above,
            certainty: certainty(self.worker.level),
            ..Progress::new(0)
        };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = progress;
        if above.is_some() {
            let (nodes, time) = self.worker.tally();
            (self.worker.shared.tick)(nodes, time);
        }
    }

    /// A line of play that keeps the proved bounds: the mover's moves keep the lower one, the opponent's the
    /// upper one.
    fn line<I: Isa>(&mut self, isa: I, bounds: Bounds) -> Vec<Move> {
        let (mut board, mut bounds) = (self.board, bounds);
        let mut line = Vec::new();
        loop {
            let empties = self.worker.empties(board);
            let moves = isa.legal_moves(board, empties);
            if moves.is_empty() {
                board = board.pass();
                if isa.legal_moves(board, empties).is_empty() {
                    return line;
                }
                line.push(Move::Pass);
            } else {
                let Some((square, next)) = self.keeping(isa, board, moves, bounds.lower) else {
                    return line;
                };
                line.push(Move::Place(square));
                board = next;
            }
            bounds = Bounds {
                lower: -bounds.upper,
                upper: -bounds.lower,
            };
        }
    }

    /// A move after which the mover still has at least this score.
    fn keeping<I: Isa>(
        &mut self,
        isa: I,
        board: Board,
        moves: Bitboard,
        score: i32,
    ) -> Option<(Square, Board)> {
        let all = self.in_order(isa, board, moves);
        if score <= -self.worker.ending.area {
            return all.first().copied();
        }
        let bar = 1 - score;
        all.into_iter().find(|&(_, next)| {
            let bound = isa.run(Question {
                worker: &mut *self.worker,
                board: next,
                bar,
            });
            bound < bar && !self.worker.stopped
        })
    }

    /// The moves, those of the table first, then by what a look ahead promises.
    fn in_order<I: Isa>(&mut self, isa: I, board: Board, moves: Bitboard) -> Vec<(Square, Board)> {
        let known = self.known_moves(board);
        let mut all: Vec<_> = moves
            .into_iter()
            .map(|square| (square, board.after(square, isa.flips(board, square))))
            .collect();
        all.sort_by_cached_key(|&(square, next)| {
            let by_table = known.iter().position(|&best| best == Some(square));
            (by_table.unwrap_or(2), self.worker.glance(isa, next))
        });
        all
    }

    /// The table's best moves of a board, which may be stored for a symmetric one.
    fn known_moves(&self, board: Board) -> [Option<Square>; 2] {
        let n = self.worker.empties(board).count();
        let (stored, symmetry) = if self.worker.oriented(board, n) == board {
            (board, Symmetry::IDENTITY)
        } else {
            board.canonical()
        };
        let entry = self.worker.shared.table.probe(self.worker.key(stored));
        entry.map_or([None; 2], |entry| {
            [entry.best, entry.second].map(|best| Some(symmetry.inverse().square(best?)))
        })
    }

    /// The best move as far as it is known.
    fn hint<I: Isa>(&mut self, isa: I) -> Option<Square> {
        let moves = isa.legal_moves(self.board, self.worker.empties(self.board));
        let all = self.in_order(isa, self.board, moves);
        all.first().map(|&(square, _)| square)
    }
}
