//! Weights fitted to the moves of an opponent that looks a given number of plies ahead.
//!
//! A move's value is that of the last board of its principal variation; chances grow with values (a softmax). The weights
//! follow the gradient of the likelihood of the moves that were made, each with steps of its own that become smaller.

use turncoat_board::{Geometry, Position, Square, VariantKind};
use turncoat_eval::ClassicEvaluation;
use turncoat_eval::classic::{Linear, Parameters, Schema, StageCourse};
use turncoat_search::Watch;
use turncoat_search::minimax::{Minimax, Style, Ties, score_all};

use super::variation::last_board;

/// What the opponent may look at, by the names of `linear`.
const FEATURES: [&str; 11] = [
    "discs",
    "moves",
    "frontier",
    "corners",
    "stable",
    "conquered_corners",
    "tied",
    "clamped",
    "board",
    "action",
    "frontier_pairs",
];
/// The numbers of discs between which weights change smoothly.
const KNOTS: [u32; 3] = [14, 34, 54];
/// How large the steps are.
const RATE: f64 = 0.1;
/// How strongly weights are drawn to zero.
const DECAY: f64 = 1e-4;
/// How often a move is learnt when it is seen, and all are learnt again after a game.
const FIRST_STEPS: usize = 2;
const EPOCHS: usize = 4;
/// The least chance that counts in a likelihood, and the number of moves over which its mean is taken.
const LEAST: f64 = 1e-3;
const RECENT: f64 = 60.0;

/// A move that the opponent may make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reply {
    /// The move.
    pub square: Square,
    /// Its chance.
    pub chance: f64,
}

/// The fit of one depth.
pub(super) struct Fit {
    pub(super) depth: u32,
    /// The mean logarithm of the chances of the moves that were made, recent ones weighing more.
    pub(super) likelihood: f64,
    schema: Schema,
    geometry: Geometry,
    variant: VariantKind,
    /// One row for each knot.
    weights: Vec<f64>,
    /// The sums of the squares of all gradients, which make steps smaller.
    squares: Vec<f64>,
    /// What values are multiplied by for the chances, as predictions turned out.
    sharpness: f64,
    linear: Linear,
    decisions: Vec<Decision>,
}

/// A decision of the opponent.
struct Decision {
    options: Vec<LastBoard>,
    chosen: usize,
}

/// The last board of a move's principal variation: its features, and the share of each knot in its weights.
struct LastBoard {
    features: Vec<f32>,
    shares: [f64; KNOTS.len()],
}

impl Fit {
    pub(super) fn new(depth: u32, variant: VariantKind, geometry: Geometry) -> Option<Self> {
        let (schema, blank) = Linear::blank(variant, &FEATURES.map(str::to_owned)).ok()?;
        let weights = vec![0.0; KNOTS.len() * blank.stages.first()?.len()];
        Some(Self {
            depth,
            likelihood: -3.0,
            linear: linear(&schema, &weights, geometry)?,
            schema,
            geometry,
            variant,
            squares: vec![1.0; weights.len()],
            weights,
            sharpness: 1.0,
            decisions: Vec::new(),
        })
    }

    /// The moves in a position with their chances: all of them, unless the watch ended the search.
    pub(super) fn predict(&self, position: Position, watch: &mut Watch) -> Vec<Reply> {
        let search = Minimax {
            evaluation: &self.linear,
            style: Style::PLAIN,
            variant: self.variant,
            depth: self.depth,
            ties: Ties::First,
        };
        let scores = score_all(search, position, watch);
        let values: Vec<f64> = scores.iter().map(|choice| choice.value).collect();
        let chances = softmax(&values, self.sharpness);
        scores.iter().zip(chances).map(|(choice, chance)| Reply { square: choice.square, chance }).collect()
    }

    /// Learns a move; returns the chance that it was given before.
    pub(super) fn learn(&mut self, position: Position, square: Square) -> Option<f64> {
        let decision = self.decision(position, square)?;
        let values = self.values(&decision);
        let chances = softmax(&values, self.sharpness);
        let chance = chances[decision.chosen];
        self.likelihood += (chance.max(LEAST).ln() - self.likelihood) / RECENT;
        // The gradient of the likelihood by the logarithm of the sharpness, bounded.
        let mean: f64 = values.iter().zip(&chances).map(|(value, chance)| value * chance).sum();
        let slope = (values[decision.chosen] - mean).clamp(-3.0, 3.0);
        self.sharpness = (self.sharpness * (0.01 * slope).exp()).clamp(0.05, 5.0);
        for _ in 0..FIRST_STEPS {
            self.step(&decision);
        }
        self.decisions.push(decision);
        self.rebuild();
        Some(chance)
    }

    /// Forgets the oldest moves.
    pub(super) fn forget(&mut self, count: usize) {
        self.decisions.drain(..count.min(self.decisions.len()));
    }

    /// Works out all principal variations anew, since they change with the weights.
    pub(super) fn refresh(&mut self, seen: &[(Position, Square)]) {
        self.decisions = seen.iter().filter_map(|&(position, square)| self.decision(position, square)).collect();
    }

    /// Learns all moves again.
    pub(super) fn settle(&mut self) {
        let decisions = std::mem::take(&mut self.decisions);
        for _ in 0..EPOCHS {
            for decision in &decisions {
                self.step(decision);
            }
        }
        self.decisions = decisions;
        self.rebuild();
    }

    fn decision(&self, position: Position, square: Square) -> Option<Decision> {
        let moves = position.legal_moves();
        let options = moves.into_iter().map(|square| {
            let view = last_board(&self.linear, position, square, self.depth)?;
            let terms = self.linear.terms(&view);
            Some(LastBoard {
                features: terms.iter().map(|term| term.value as f32).collect(),
                shares: shares(view.board.discs().count(), self.geometry),
            })
        });
        Some(Decision {
            options: options.collect::<Option<_>>()?,
            chosen: moves.into_iter().position(|m| m == square)?,
        })
    }

    fn values(&self, decision: &Decision) -> Vec<f64> {
        let rows = || self.weights.chunks(self.weights.len() / KNOTS.len());
        let value = |board: &LastBoard| {
            let row =
                |weights: &[f64]| weights.iter().zip(&board.features).map(|(w, &f)| w * f64::from(f)).sum::<f64>();
            rows()
                .zip(board.shares)
                .filter(|(_, share)| *share > 0.0)
                .map(|(weights, share)| share * row(weights))
                .sum()
        };
        decision.options.iter().map(value).collect()
    }

    /// A step along the gradient of a move's likelihood.
    fn step(&mut self, decision: &Decision) {
        let chances = softmax(&self.values(decision), 1.0);
        let mut gradient = vec![0.0; self.weights.len()];
        for (place, (board, chance)) in decision.options.iter().zip(chances).enumerate() {
            let error = f64::from(u8::from(place == decision.chosen)) - chance;
            let rows = gradient.chunks_mut(self.weights.len() / KNOTS.len());
            for (row, share) in rows.zip(board.shares).filter(|(_, share)| *share > 0.0) {
                for (slope, &feature) in row.iter_mut().zip(&board.features) {
                    *slope += error * share * f64::from(feature);
                }
            }
        }
        for ((weight, square), slope) in self.weights.iter_mut().zip(&mut self.squares).zip(gradient) {
            let slope = slope - DECAY * *weight;
            *square += slope * slope;
            *weight += RATE * slope / square.sqrt();
        }
    }

    fn rebuild(&mut self) {
        if let Some(linear) = linear(&self.schema, &self.weights, self.geometry) {
            self.linear = linear;
        }
    }
}

fn linear(schema: &Schema, weights: &[f64], geometry: Geometry) -> Option<Linear> {
    let stages = weights.chunks(weights.len() / KNOTS.len()).map(<[f64]>::to_vec).collect();
    let course = StageCourse::Knots(KNOTS.to_vec());
    Linear::new(schema, &Parameters { course, shared: Vec::new(), stages, white: None }, geometry)
}

/// The share of each knot in the weights with this many discs, as `linear` interpolates them.
fn shares(discs: u32, geometry: Geometry) -> [f64; KNOTS.len()] {
    let discs = f64::from(discs) * 64.0 / f64::from(geometry.area());
    let [first, middle, last] = KNOTS.map(f64::from);
    if discs < middle {
        let way = ((discs - first) / (middle - first)).max(0.0);
        return [1.0 - way, way, 0.0];
    }
    let way = ((discs - middle) / (last - middle)).min(1.0);
    [0.0, 1.0 - way, way]
}

/// Chances that grow with the values.
fn softmax(values: &[f64], sharpness: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut chances: Vec<f64> = values.iter().map(|value| (sharpness * (value - best)).exp()).collect();
    let sum: f64 = chances.iter().sum();
    for chance in &mut chances {
        *chance /= sum;
    }
    chances
}
