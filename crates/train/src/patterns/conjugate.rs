//! Least squares by conjugate gradients (Hestenes and Stiefel 1952), each weight scaled by how often it is seen.
//!
//! The sum of squared errors over the examples, plus a penalty for weights far from where they started, is a
//! quadratic function of the weights; conjugate gradients find its least value in few passes over the
//! examples, and stopping early is itself a guard against learning the noise. A weight that is seen rarely is
//! held by the penalty.

use turncoat_eval::patterns::Fold;

use super::problem::{PartSums, Problem};

/// The settings of a fit.
#[derive(Debug, Clone, Copy)]
pub struct Fitting {
    /// At most this many passes.
    pub passes: usize,
    /// The penalty counts as this many examples of each weight's start.
    pub ridge: f32,
    /// Stops after so many passes without a better error on the examples kept back.
    pub patience: usize,
}

/// The result of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    /// Its number, from 0: before anything was learned.
    pub pass: usize,
    /// The root mean square error on the examples, in discs.
    pub error: f64,
    /// On those kept back, if there are any.
    pub kept_back: Option<f64>,
}

/// The result of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The weights of the best pass, by folded weight, in discs.
    pub weights: Vec<f32>,
    /// The best pass: that of the weights.
    pub best: Passed,
    /// How many passes were made.
    pub passes: usize,
}

/// Finds the best of passes: by the examples kept back, and the last one where there are none.
#[derive(Debug, Default)]
pub(super) struct Best {
    /// The best so far.
    pub(super) pass: Option<Passed>,
    /// Passes since.
    since: usize,
}

impl Best {
    /// A pass must be better by this share: less is noise.
    const CLEARLY: f64 = 0.9999;

    /// Whether a pass is better than all before it.
    pub(super) fn hear(&mut self, passed: Passed) -> bool {
        let before = self.pass.and_then(|best| best.kept_back);
        let better = match (passed.kept_back, before) {
            (Some(error), Some(least)) => error < least * Self::CLEARLY,
            _ => true,
        };
        if better {
            *self = Self { pass: Some(passed), since: 0 };
        } else {
            self.since += 1;
        }
        better
    }
}

/// Fits the weights of a stage, beginning with `start`. `report` is told every pass and says whether to continue.
pub fn fit(
    examples: &Problem,
    kept_back: &Problem,
    fold: &Fold,
    start: &[f32],
    fitting: Fitting,
    report: &mut dyn FnMut(Passed) -> bool,
) -> Fitted {
    let mut weights = start.to_vec();
    let (mut best, mut best_weights) = (Best::default(), weights.clone());
    let (mut memory, table) = (PartSums::default(), fold.unfold(&weights));
    let seen = folded(fold, &examples.pass(&table, &mut memory, |n, _| examples.shares[n]).0);
    let mut predicted_back = kept_back.products(&table);
    // The residual of the normal equations at the start: the penalty has none there.
    let (sums, mut predicted) =
        examples.pass(&table, &mut memory, |n, product| examples.shares[n] * (examples.labels[n] - product));
    let mut residual = folded(fold, &sums);
    let scaled = |residual: &[f32]| -> Vec<f32> {
        let pairs = residual.iter().zip(&seen);
        // What is never seen is not moved, whatever the penalty.
        let step = |(r, n): (&f32, &f32)| {
            if *n > 0.0 { r / (n + fitting.ridge) } else { 0.0 }
        };
        pairs.map(step).collect()
    };
    let mut step = scaled(&residual);
    let mut merit = dot(&residual, &step);
    let mut pass = 0;
    loop {
        let passed = Passed {
            pass,
            error: error(examples, &predicted),
            kept_back: (!kept_back.is_empty()).then(|| error(kept_back, &predicted_back)),
        };
        if best.hear(passed) {
            best_weights.clone_from(&weights);
        }
        let ended = pass == fitting.passes || best.since >= fitting.patience || merit <= 1e-12;
        if !report(passed) || ended {
            return Fitted { weights: best_weights, best: best.pass.unwrap_or(passed), passes: pass };
        }
        pass += 1;
        let table = fold.unfold(&step);
        let (sums, products) = examples.pass(&table, &mut memory, |n, product| examples.shares[n] * product);
        let mut image = folded(fold, &sums);
        for (image, step) in image.iter_mut().zip(&step) {
            *image += fitting.ridge * step;
        }
        let length = (merit / dot(&step, &image).max(f64::MIN_POSITIVE)) as f32;
        advance(&mut weights, length, &step);
        advance(&mut residual, -length, &image);
        advance(&mut predicted, length, &products);
        advance(&mut predicted_back, length, &kept_back.products(&table));
        let next = scaled(&residual);
        let new_merit = dot(&residual, &next);
        let keep = (new_merit / merit) as f32;
        for (step, next) in step.iter_mut().zip(&next) {
            *step = next + keep * *step;
        }
        merit = new_merit;
    }
}

/// The sums of slots that share a weight.
fn folded(fold: &Fold, slots: &[f32]) -> Vec<f32> {
    let mut weights = vec![0.0; fold.weights];
    for (&weight, slot) in fold.weight.iter().zip(slots) {
        weights[weight as usize] += slot;
    }
    weights
}

fn advance(values: &mut [f32], length: f32, step: &[f32]) {
    for (value, step) in values.iter_mut().zip(step) {
        *value += length * step;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// The root mean square error.
fn error(problem: &Problem, predicted: &[f32]) -> f64 {
    let (mut squares, mut shares) = (0.0, 0.0);
    for ((predicted, label), share) in predicted.iter().zip(&problem.labels).zip(&problem.shares) {
        let (error, share) = (f64::from(predicted - label), f64::from(*share));
        squares += share * error * error;
        shares += share;
    }
    (squares / f64::max(shares, f64::MIN_POSITIVE)).sqrt()
}
