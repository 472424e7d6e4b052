//! Simultaneous perturbation stochastic approximation: all parameters are varied at once, each by its step up or down at
//! random, and move towards the side that did better.
//!
//! After J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization" (1998), with
//! the gains written as the testers of chess engines do: by what they are in the last iteration.

use rand::RngExt;
use turncoat_players::seed;

use super::settings::Gains;

/// What random numbers are for; streams are derived from these and the iteration.
mod purpose {
    /// Which parameters go up.
    pub(super) const SIGNS: u64 = 201;
    /// How whole numbers are rounded.
    pub(super) const ROUNDING: u64 = 202;
}

/// A parameter as the algorithm sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Where it begins.
    pub start: f64,
    /// What it never leaves.
    pub bounds: [f64; 2],
    /// How far it is varied in the last iteration.
    pub step: f64,
    /// Whether it is played with whole numbers.
    pub integer: bool,
}

/// The algorithm. Its only state is the current values; all random numbers depend on the seed and the iteration.
#[derive(Debug, Clone)]
pub struct Spsa {
    /// The parameters.
    pub axes: Vec<Axis>,
    /// How steps shrink.
    pub gains: Gains,
    /// Iterations, counted from 1.
    pub iterations: u64,
    /// Where random numbers come from.
    pub seed: u64,
}

/// The two sets of values that an iteration compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The current values and what was added.
    pub plus: Vec<f64>,
    /// The current values less the same.
    pub minus: Vec<f64>,
}

impl Spsa {
    /// The values at the beginning.
    pub fn start(&self) -> Vec<f64> {
        self.axes.iter().map(|axis| axis.start).collect()
    }

    /// What an iteration compares. Whole numbers are rounded up or down at random, so that they are right on average;
    /// both sides by the same draw, which makes them differ no more than they must.
    pub fn trial(&self, iteration: u64, values: &[f64]) -> Trial {
        let mut rounding = seed::stream(self.seed, &[purpose::ROUNDING, iteration]);
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new() };
        let signs = self.signs(iteration);
        for ((axis, &value), sign) in self.axes.iter().zip(values).zip(signs) {
            let draw: f64 = rounding.random();
            let change = sign * self.perturbation(axis, iteration);
            trial.plus.push(axis.played(value + change, draw));
            trial.minus.push(axis.played(value - change, draw));
        }
        trial
    }

    /// Moves the values after an iteration. `result` is what the plus side won less what it lost, from -2 to 2.
    pub fn learn(&self, iteration: u64, values: &mut [f64], result: f64) {
        let rate = self.rate(iteration);
        let signs = self.signs(iteration);
        for ((axis, value), sign) in self.axes.iter().zip(values).zip(signs) {
            let gain = rate * axis.step * axis.step / self.perturbation(axis, iteration);
            *value = axis.clipped(*value + gain * result * sign);
        }
    }

    fn signs(&self, iteration: u64) -> Vec<f64> {
        let mut stream = seed::stream(self.seed, &[purpose::SIGNS, iteration]);
        self.axes.iter().map(|_| if stream.random_bool(0.5) { 1.0 } else { -1.0 }).collect()
    }

    /// How far a parameter is varied: `c_k = c / k^gamma`.
    fn perturbation(&self, axis: &Axis, iteration: u64) -> f64 {
        axis.step * libm::pow(self.iterations as f64 / iteration as f64, self.gains.gamma)
    }

    /// `a_k = a / (A + k)^alpha`, as a share of the square of the last step.
    fn rate(&self, iteration: u64) -> f64 {
        let last = self.iterations as f64;
        let stability = self.gains.stability * last;
        self.gains.r_end * libm::pow((stability + last) / (stability + iteration as f64), self.gains.alpha)
    }
}

impl Axis {
    /// A value as it ends: within bounds, rounded if it is whole, and without digits that say nothing.
    pub fn settled(&self, value: f64) -> f64 {
        let digits = if self.integer { 0 } else { (2 - libm::floor(libm::log10(self.step)) as i32).max(0) };
        let unit = libm::pow(10.0, f64::from(digits));
        // Dividing gives the very number that the digits stand for; adding zero turns a negative zero into a plain one.
        self.clipped((value * unit).round() / unit) + 0.0
    }

    /// A value as it is played.
    fn played(&self, value: f64, draw: f64) -> f64 {
        let value = self.clipped(value);
        (if self.integer { self.clipped((value + draw).floor()) } else { value }) + 0.0
    }

    fn clipped(&self, value: f64) -> f64 {
        value.clamp(self.bounds[0], self.bounds[1])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use turncoat_util::SplitMix64;

    use super::*;

    fn axis(start: f64, step: f64, integer: bool) -> Axis {
        Axis { start, bounds: [0.0, 100.0], step, integer }
    }

    fn spsa(axes: Vec<Axis>, iterations: u64, seed: u64) -> Spsa {
        Spsa { axes, gains: Gains::default(), iterations, seed }
    }

    /// Tunes against a quadratic whose top is at `best`, in Elo, through two games an iteration that chance decides.
    fn climbed(spsa: &Spsa, best: &[f64]) -> Vec<f64> {
        let elo = |values: &[f64]| -> f64 {
            let below = |(axis, (value, best)): (&Axis, (&f64, &f64))| ((value - best) / axis.step).powi(2);
            -10.0 * spsa.axes.iter().zip(values.iter().zip(best)).map(below).sum::<f64>()
        };
        let mut values = spsa.start();
        let mut dice = SplitMix64::new(spsa.seed);
        for iteration in 1..=spsa.iterations {
            let trial = spsa.trial(iteration, &values);
            let chance = 1.0 / (1.0 + 10f64.powf((elo(&trial.minus) - elo(&trial.plus)) / 400.0));
            let mut game = || if dice.unit() < chance { 1.0 } else { -1.0 };
            let result = game() + game();
            spsa.learn(iteration, &mut values, result);
        }
        values
    }

    #[test]
    fn a_quadratic_with_noise_is_climbed() {
        for seed in 1..=5 {
            let axes = vec![axis(20.0, 5.0, false), axis(90.0, 5.0, true), axis(50.0, 2.0, false)];
            let spsa = spsa(axes, 20_000, seed);
            let found = climbed(&spsa, &[50.0, 70.0, 50.0]);
            for ((found, best), axis) in found.iter().zip([50.0, 70.0, 50.0]).zip(&spsa.axes) {
                assert!((found - best).abs() < axis.step, "seed {seed}: {found} instead of {best}");
            }
        }
    }

    #[test]
    fn a_top_beyond_the_bounds_is_looked_for_at_the_edge() {
        let found = climbed(&spsa(vec![axis(80.0, 5.0, false)], 20_000, 1), &[200.0]);
        assert_eq!(found, [100.0]);
    }

    #[test]
    fn gains_end_where_they_are_said_to() {
        let spsa = spsa(vec![axis(50.0, 4.0, false)], 1000, 1);
        let distance = |iteration| {
            let trial = spsa.trial(iteration, &[50.0]);
            (trial.plus[0] - trial.minus[0]).abs() / 2.0
        };
        assert!((distance(1000) - 4.0).abs() < 1e-12);
        assert!((distance(1) - 4.0 * 1000f64.powf(0.101)).abs() < 1e-9);
        let moved = |iteration| {
            let mut values = [50.0];
            spsa.learn(iteration, &mut values, 2.0);
            (values[0] - 50.0).abs()
        };
        assert!((moved(1000) - 2.0 * 0.002 * 4.0).abs() < 1e-12);
        assert!(moved(1) > moved(1000));
    }

    #[test]
    fn whole_numbers_are_right_on_average() {
        let spsa = spsa(vec![axis(50.0, 0.6, true)], 4000, 3);
        let mut sums = [0.0; 2];
        for iteration in 1..=4000 {
            // The step is the same in each, so that the mean is known.
            let trial =
                Spsa { gains: Gains { gamma: 0.0, ..Gains::default() }, ..spsa.clone() }.trial(iteration, &[50.3]);
            assert!(trial.plus[0].fract() == 0.0 && trial.minus[0].fract() == 0.0);
            assert_ne!(trial.plus, trial.minus);
            sums[0] += trial.plus[0].max(trial.minus[0]);
            sums[1] += trial.plus[0].min(trial.minus[0]);
        }
        let means = sums.map(|sum| sum / 4000.0);
        assert!((means[0] - 50.9).abs() < 0.03 && (means[1] - 49.7).abs() < 0.03, "{means:?}");
    }

    #[test]
    fn settled_values_have_the_digits_that_mean_something() {
        for (step, integer, value, expected) in [
            (5.0, false, 12.345_678, 12.35),
            (0.05, false, 0.123_456, 0.1235),
            (100.0, false, 98.4, 98.0),
            (2.0, true, 12.5, 13.0),
            (5.0, false, -0.0001, 0.0),
        ] {
            let settled = axis(0.0, step, integer).settled(value);
            assert_eq!(settled.to_string(), expected.to_string());
        }
        let narrow = Axis { bounds: [0.0, 0.336], ..axis(0.0, 1.0, false) };
        assert!(narrow.settled(0.336) <= 0.336);
    }

    proptest! {
        #[test]
        fn nothing_leaves_its_bounds(seed: u64, iteration in 1u64..=100, value in 0.0..=100.0, result in -2.0..=2.0) {
            let axes = vec![axis(50.0, 70.0, false), axis(50.0, 70.0, true)];
            let spsa = spsa(axes, 100, seed);
            let trial = spsa.trial(iteration, &[value; 2]);
            let mut values = [value; 2];
            spsa.learn(iteration, &mut values, result);
            for value in trial.plus.iter().chain(&trial.minus).chain(&values) {
                prop_assert!((0.0..=100.0).contains(value));
            }
        }
    }
}
