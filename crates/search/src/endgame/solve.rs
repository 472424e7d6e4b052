//! From answers about bars to a score and a line of perfect play.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Move, Score, Square, Symmetry, Variant};
use turncoat_eval::UNITS;

use super::lookahead::{Lookahead, WIDEST};
use super::question::Question;
use super::root::{Goal, Likely, Progress, Solution};
use super::selective::{EXACT, certainty};
use super::tuning::SolverTuning;
use super::worker::SolverWorker;
use crate::transposition::Entry;

/// With fewer empties the score is not guessed before it is proved.
const FEWEST_TO_GUESS: u32 = 16;
/// With fewer empties the guess is a lookahead only.
const FEWEST_FOR_LEVELS: u32 = 20;
/// The same where limits may come before a proof: there a likely answer is worth its price.
const FEWEST_TO_SETTLE: u32 = 16;
/// Plies of the first lookahead.
const FIRST_LOOKAHEAD: u32 = 6;

/// Solves one position.
pub(super) struct Solve<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    pub(super) goal: Goal,
    /// The score that another search expects; it also says that limits may come before a proof.
    pub(super) guess: Option<i32>,
    /// What has been proved before.
    pub(super) known: Bounds,
    /// The move after which this is the position, if it is one of several that are solved; reports take the view
    /// of the side that made it.
    pub(super) played: Option<Move>,
    /// The move that keeps the proved lower bound.
    pub(super) keeper: Option<Square>,
    /// The best move of the surest selective search.
    pub(super) likely: Option<Likely>,
    pub(super) state: &'w Mutex<Progress>,
}

/// Proved (or, at lower levels, probable) bounds of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// The bounds that always hold.
    pub(super) const fn widest(area: i32) -> Self {
        Self { lower: -area, upper: area }
    }

    /// The same from the other side.
    pub(super) const fn negated(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// The intersection; these bounds alone if the two contradict each other.
    fn and(self, other: Self) -> Self {
        let both = Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        if both.lower <= both.upper { both } else { self }
    }

    /// Whether they answer the question.
    pub(super) fn answer(self, goal: Goal) -> bool {
        self.lower == self.upper || goal == Goal::Result && (self.lower > 0 || self.upper < 0)
    }

    /// Narrows the bounds by an answer. Probable answers may contradict each other; then the latest one counts.
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

impl<V: Variant, E: SolverTuning> Task for Solve<'_, '_, V, E> {
    type Output = Solution;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Solution {
        let bounds = self.prove(isa);
        self.worker.level = EXACT;
        let complete = bounds.answer(self.goal);
        let mut line = if complete { self.line(isa, bounds) } else { Vec::new() };
        // Stopped before it was proved, or before its line was.
        if line.is_empty() {
            line.extend(self.first_move(isa));
        }
        let (nodes, _) = self.worker.tally();
        let score = |discs| Score::new(discs).unwrap_or(Score::DRAW);
        Solution {
            lower: score(bounds.lower),
            upper: score(bounds.upper),
            line,
            nodes,
            handed_over: self.worker.context.handed_over.load(Ordering::Relaxed),
            complete,
            likely: self.likely,
        }
    }
}

impl<V: Variant, E: SolverTuning> Solve<'_, '_, V, E> {
    /// Guesses the score at ever higher certainty, then proves it.
    fn prove<I: Isa>(&mut self, isa: I) -> Bounds {
        let n = self.worker.empties(self.board).count();
        self.known = self.known.and(self.remembered());
        let mut guess = self.guess.unwrap_or_default();
        if self.guess.is_none() && n >= FEWEST_TO_GUESS {
            let state = self.worker.context.evaluation.begin(isa, self.board);
            let moves = self.worker.legal_moves(isa, self.board);
            let estimate = isa.run(Lookahead {
                worker: &mut *self.worker,
                board: self.board,
                moves,
                state,
                depth: FIRST_LOOKAHEAD,
                alpha: -WIDEST,
                beta: WIDEST,
            });
            guess = 2 * (estimate / (2 * UNITS));
        }
        let fewest = if self.guess.is_some() { FEWEST_TO_SETTLE } else { FEWEST_FOR_LEVELS };
        let first_level = if n < fewest { EXACT } else { 0 };
        for level in first_level..EXACT {
            let bounds = self.widen(isa, level, guess);
            // The middle of what is left, should it have been stopped.
            guess = (bounds.lower + bounds.upper) / 4 * 2;
        }
        self.widen(isa, EXACT, guess)
    }

    /// Asks about bars from the guess outwards, in growing steps, until the bounds answer the goal.
    fn widen<I: Isa>(&mut self, isa: I, level: u8, guess: i32) -> Bounds {
        self.worker.level = level;
        let mut bounds = self.known;
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
            let bound = isa.run(Question { worker: &mut *self.worker, board: self.board, bar });
            if self.worker.stopped {
                break;
            }
            let above = bound > bar;
            // The table knows the move as long as the answer is fresh.
            if above && level == EXACT && !self.keep(isa, bound) {
                break;
            }
            if above && level < EXACT {
                self.likely = self.likely_move(bound).or(self.likely);
            }
            bounds.narrow(bound, above);
            self.show(bounds, bar, Some(above));
            step = if last == Some(above) { (step + 2).min(8) } else { 0 };
            last = Some(above);
            bar = if above { bound + 1 + step } else { bound - 1 - step };
        }
        bounds
    }

    /// Reports the progress of the solve.
    fn show(&mut self, bounds: Bounds, bar: i32, above: Option<bool>) {
        let (bounds, bar, above) = match self.played {
            None => (bounds, bar, above),
            Some(_) => (bounds.negated(), -bar, above.map(|above| !above)),
        };
        let progress = Progress {
            played: self.played,
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
            (self.worker.context.tick)(nodes, time);
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
            bounds = bounds.negated();
        }
    }

    /// The move behind a lower bound of a selective search.
    fn likely_move(&self, bound: i32) -> Option<Likely> {
        let [best, _] = self.known_moves(self.board);
        Some(Likely { best: best?, score: Score::new(bound).ok()?, certainty: certainty(self.worker.level) })
    }

    /// Finds the move that has at least this score; `false` if it was stopped before that was proved.
    fn keep<I: Isa>(&mut self, isa: I, score: i32) -> bool {
        let moves = isa.legal_moves(self.board, self.worker.empties(self.board));
        if moves.is_empty() {
            return true;
        }
        let kept = self.keeping(isa, self.board, moves, score);
        self.keeper = kept.map(|(square, _)| square).or(self.keeper);
        kept.is_some()
    }

    /// A move after which the mover still has at least this score.
    fn keeping<I: Isa>(&mut self, isa: I, board: Board, moves: Bitboard, score: i32) -> Option<(Square, Board)> {
        let all = self.in_order(isa, board, moves);
        if score <= -self.worker.ending.area {
            return all.first().copied();
        }
        let bar = 1 - score;
        all.into_iter().find(|&(_, next)| {
            let bound = isa.run(Question { worker: &mut *self.worker, board: next, bar });
            bound < bar && !self.worker.stopped
        })
    }

    /// The moves, those of the table first, then by what a lookahead promises.
    fn in_order<I: Isa>(&mut self, isa: I, board: Board, moves: Bitboard) -> Vec<(Square, Board)> {
        let known = self.known_moves(board);
        let mut all: Vec<_> =
            moves.into_iter().map(|square| (square, board.after(square, isa.flips(board, square)))).collect();
        all.sort_by_cached_key(|&(square, next)| {
            let by_table = known.iter().position(|&best| best == Some(square));
            let state = self.worker.context.evaluation.begin(isa, next);
            (by_table.unwrap_or(2), self.worker.evaluate(isa, next, self.worker.legal_moves(isa, next), &state))
        });
        all
    }

    /// What the table knows of a board, which may be stored for a symmetric one.
    fn entry(&self, board: Board) -> Option<(Entry, Symmetry)> {
        let n = self.worker.empties(board).count();
        let (stored, symmetry) =
            if self.worker.oriented(board, n) == board { (board, Symmetry::IDENTITY) } else { board.canonical() };
        let entry = self.worker.probe(self.worker.key(stored), n)?;
        Some((entry, symmetry))
    }

    /// The table's best moves of a board.
    fn known_moves(&self, board: Board) -> [Option<Square>; 2] {
        self.entry(board).map_or([None; 2], |(entry, symmetry)| {
            [entry.best, entry.second].map(|best| Some(symmetry.inverse().square(best?)))
        })
    }

    /// The bounds that were proved while other positions were solved. Only where the position is one of several
    /// moves': a position on its own needs a move that keeps its lower bound, and so a question.
    fn remembered(&self) -> Bounds {
        let always = Bounds::widest(self.worker.ending.area);
        match self.entry(self.board) {
            Some((entry, _)) if self.played.is_some() && entry.level == EXACT => {
                Bounds { lower: entry.lower.into(), upper: entry.upper.into() }
            }
            _ => always,
        }
    }

    /// The best move as far as it is known: the one that keeps what is proved, or else the most promising.
    fn first_move<I: Isa>(&mut self, isa: I) -> Option<Move> {
        if let Some(square) = self.keeper.or(self.likely.map(|likely| likely.best)) {
            return Some(Move::Place(square));
        }
        let empties = self.worker.empties(self.board);
        let moves = isa.legal_moves(self.board, empties);
        if moves.is_empty() {
            let over = isa.legal_moves(self.board.pass(), empties).is_empty();
            return (!over).then_some(Move::Pass);
        }
        let all = self.in_order(isa, self.board, moves);
        all.first().map(|&(square, _)| Move::Place(square))
    }
}
