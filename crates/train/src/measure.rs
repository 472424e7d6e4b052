//! How far an evaluation is from exact scores.

use std::collections::BTreeMap;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Position, Variant};
use turncoat_eval::{Evaluation, UNITS};

use crate::selfplay::{SearchMemory, SelfplayPlan, play};

/// Errors of estimates, and the spread of what they should have been.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Errors {
    /// How many positions.
    pub count: u32,
    error: f64,
    absolute: f64,
    squares: f64,
    score: f64,
    score_squares: f64,
}

impl Errors {
    /// Of one position: its exact score and what was estimated, in discs.
    pub fn new(score: f64, estimate: f64) -> Self {
        let error = estimate - score;
        Self { count: 1, error, absolute: error.abs(), squares: error * error, score, score_squares: score * score }
    }

    /// Adds those of other positions.
    pub fn add(&mut self, other: Self) {
        self.count += other.count;
        self.error += other.error;
        self.absolute += other.absolute;
        self.squares += other.squares;
        self.score += other.score;
        self.score_squares += other.score_squares;
    }

    fn mean(self, sum: f64) -> f64 {
        sum / f64::from(self.count.max(1))
    }

    /// The mean error.
    pub fn bias(self) -> f64 {
        self.mean(self.error)
    }

    /// The mean absolute error.
    pub fn mean_absolute(self) -> f64 {
        self.mean(self.absolute)
    }

    /// The root mean square error.
    pub fn root_mean_square(self) -> f64 {
        self.mean(self.squares).sqrt()
    }

    /// The standard deviation of the exact scores.
    pub fn deviation(self) -> f64 {
        let mean = self.mean(self.score);
        (self.mean(self.score_squares) - mean * mean).max(0.0).sqrt()
    }
}

/// Plays a game and measures the estimates of its positions with these numbers of empty squares.
pub fn measure<V: Variant, E: Evaluation>(
    variant: V,
    evaluation: &E,
    plan: &SelfplayPlan,
    empties: &[u32],
    number: u64,
    memory: &SearchMemory,
) -> BTreeMap<u32, Errors> {
    let game = play(variant, evaluation, plan, &[], number, memory);
    let mut errors = BTreeMap::new();
    for at in game.replay().unwrap_or_default() {
        let here = at.position.empties();
        if !empties.contains(&here) || at.number < usize::from(game.random) {
            continue;
        }
        let score = memory.exact_score(V::KIND, at.position);
        let estimate = f64::from(estimate(evaluation, at.position)) / f64::from(UNITS);
        errors.entry(here).or_insert_with(Errors::default).add(Errors::new(f64::from(score), estimate));
    }
    errors
}

/// What an evaluation says of a position at sight.
pub fn estimate<E: Evaluation>(evaluation: &E, position: Position) -> i32 {
    Backend::best().run(AtSight { evaluation, position })
}

struct AtSight<'a, E> {
    evaluation: &'a E,
    position: Position,
}

impl<E: Evaluation> Task for AtSight<'_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let (board, geometry) = (self.position.board(), self.position.geometry());
        let moves = isa.legal_moves(board, board.empties(geometry));
        let state = self.evaluation.begin(isa, board);
        self.evaluation.evaluate(isa, board, moves, &state)
    }
}
