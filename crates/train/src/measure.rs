//! How far an evaluation is from exact scores.

use std::collections::BTreeMap;

use turncoat_board::{Position, Variant};
use turncoat_eval::{Evaluation, UNITS};
use turncoat_record::obf::ScoredPosition;

use crate::selfplay::{SearchMemory, Selfplay};

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

    /// The mean absolute error as a share of the scores' standard deviation; `None` where all scores are the same.
    pub fn share(self) -> Option<f64> {
        let deviation = self.deviation();
        (deviation > 0.0).then(|| self.mean_absolute() / deviation)
    }
}

/// Plays a game and measures the estimates of its positions with these numbers of empty squares.
pub fn measure<V: Variant, E: Evaluation>(
    selfplay: &Selfplay<'_, V, E>,
    empties: &[u32],
    number: u64,
    memory: &SearchMemory,
) -> BTreeMap<u32, Errors> {
    let game = selfplay.play(number, memory);
    let mut errors = BTreeMap::new();
    for at in game.replay(selfplay.size()).unwrap_or_default() {
        let here = at.position.empties();
        if !empties.contains(&here) || at.number < usize::from(game.random) {
            continue;
        }
        let score = memory.exact_score(V::KIND, at.position);
        let estimate = in_discs(selfplay.evaluation, at.position);
        errors.entry(here).or_insert_with(Errors::default).add(Errors::new(f64::from(score), estimate));
    }
    errors
}

/// Measures the estimates of positions with known scores, by the number of empty squares. Positions without scores are
/// left out.
pub fn measure_positions<E: Evaluation>(evaluation: &E, entries: &[ScoredPosition]) -> BTreeMap<u32, Errors> {
    let mut errors = BTreeMap::new();
    for entry in entries {
        let Some(score) = entry.best() else {
            continue;
        };
        let here = errors.entry(entry.position.empties()).or_insert_with(Errors::default);
        here.add(Errors::new(f64::from(score.discs()), in_discs(evaluation, entry.position)));
    }
    errors
}

fn in_discs<E: Evaluation>(evaluation: &E, position: Position) -> f64 {
    f64::from(evaluation.estimate(position)) / f64::from(UNITS)
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, VariantKind};
    use turncoat_eval::HandMade;
    use turncoat_record::obf;

    use super::*;

    #[test]
    fn figures_are_those_of_the_definitions() {
        let mut errors = Errors::default();
        for (score, estimate) in [(4.0, 5.0), (-2.0, -4.0), (10.0, 10.5), (0.0, 0.0)] {
            errors.add(Errors::new(score, estimate));
        }
        assert_eq!(errors.count, 4);
        for (found, expected) in [
            (errors.bias(), -0.125),
            (errors.mean_absolute(), 0.875),
            (errors.root_mean_square(), (5.25f64 / 4.0).sqrt()),
            (errors.deviation(), (120.0f64 / 4.0 - 9.0).sqrt()),
            (errors.share().unwrap(), 0.875 / errors.deviation()),
        ] {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
        assert_eq!(Errors::new(3.0, 1.0).share(), None);
    }

    #[test]
    fn positions_are_measured_by_their_best_score() {
        let text = include_str!("../../../docs/samples/problems.obf");
        let entries: Vec<ScoredPosition> =
            obf::read(text.as_bytes(), Geometry::EIGHT).map(|entry| entry.unwrap().1).collect();
        let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
        let errors = measure_positions(&hand, &entries);
        assert_eq!(errors.keys().copied().collect::<Vec<_>>(), [10]);
        let mut expected = Errors::default();
        for (entry, score) in entries.iter().zip([16.0, 8.0, 2.0]) {
            expected.add(Errors::new(score, f64::from(hand.estimate(entry.position)) / f64::from(UNITS)));
        }
        assert_eq!(errors[&10], expected);
    }
}
