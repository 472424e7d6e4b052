//! The settings of a tuning, as a file. `docs/tuning.md` explains every key.

use serde::{Deserialize, Serialize};
use turncoat_board::{Geometry, VariantKind};

use super::error::SettingsError;

/// The settings of a tuning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The game.
    pub variant: VariantKind,
    /// The board.
    #[serde(default = "eight")]
    pub size: Geometry,
    /// Whose parameters are tuned: a player as it is written everywhere, with its limits.
    pub player: String,
    /// Where games begin, as matches take it; the usual openings of the size if not given.
    pub openings: Option<String>,
    /// Iterations.
    pub iterations: u64,
    /// Pairs of games that an iteration plays.
    #[serde(default = "one")]
    pub pairs: u64,
    /// Iterations that are played from the same values, their games in parallel.
    #[serde(default = "one")]
    pub batch: u64,
    /// Where random numbers come from.
    pub seed: u64,
    /// How steps shrink.
    #[serde(default)]
    pub gains: Gains,
    /// What is tuned.
    #[serde(default)]
    pub parameter: Vec<ParameterPlan>,
}

const fn eight() -> Geometry {
    Geometry::EIGHT
}

const fn one() -> u64 {
    1
}

/// `[gains]`: how steps shrink with the iterations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Gains {
    /// How fast the values come to rest.
    pub alpha: f64,
    /// How fast the variations shrink.
    pub gamma: f64,
    /// Spall's A, as a share of the iterations: how long the first ones are held back.
    pub stability: f64,
    /// How far each game won moves a parameter in the last iteration, as a share of its step.
    pub r_end: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { alpha: 0.602, gamma: 0.101, stability: 0.1, r_end: 0.002 }
    }
}

/// `[[parameter]]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterPlan {
    /// An option of the player, one of its weights, or a group of them.
    pub name: String,
    /// Where it begins; a weight without it begins as the player has it.
    pub start: Option<f64>,
    /// What it never falls below.
    pub minimum: f64,
    /// What it never exceeds.
    pub maximum: f64,
    /// How far it is varied in the last iteration: `c_end`.
    pub step: f64,
    /// Whether it is whole.
    #[serde(default)]
    pub integer: bool,
}

/// More iterations than this are a slip.
const MOST_ITERATIONS: u64 = 1_000_000_000;
/// More pairs in parallel than this are a slip.
const MOST_PAIRS: u64 = 100_000;
/// No parameter may be larger.
const LARGEST: f64 = 1e9;
/// The least that bounds may be apart, and the least share of that which a step may be: less is lost in rounding.
const NARROWEST: f64 = 1e-6;
/// With a shorter step both variants of an integer would mostly be the same.
const LEAST_OF_INTEGERS: f64 = 0.5;

impl TuneSettings {
    /// Checks what makes no sense whatever the player.
    pub(super) fn check_numbers(&self) -> Result<(), SettingsError> {
        let value = |key: &str, fault: &str| Err(SettingsError::Value { key: key.to_owned(), fault: fault.to_owned() });
        if !(1..=MOST_ITERATIONS).contains(&self.iterations) {
            return value("iterations", "1 to 1000000000");
        }
        if self.pairs == 0 || self.batch == 0 || self.pairs.saturating_mul(self.batch) > MOST_PAIRS {
            return value("pairs", "pairs and batch are at least 1, together at most 100000 pairs");
        }
        let Gains { alpha, gamma, stability, r_end } = self.gains;
        if !((0.0..=1.0).contains(&alpha) && (0.0..=1.0).contains(&gamma)) {
            return value("gains", "alpha and gamma are from 0 to 1");
        }
        if !((0.0..=10.0).contains(&stability) && r_end > 0.0 && r_end <= 10.0) {
            return value("gains", "stability is from 0 to 10, r_end above 0 and at most 10");
        }
        if self.parameter.is_empty() {
            return Err(SettingsError::NoParameters);
        }
        self.parameter.iter().try_for_each(ParameterPlan::check_numbers)
    }
}

impl ParameterPlan {
    fn check_numbers(&self) -> Result<(), SettingsError> {
        let Self { minimum, maximum, step, .. } = *self;
        let fault = |fault| Err(SettingsError::Parameter { name: self.name.clone(), fault });
        if !(minimum < maximum && minimum >= -LARGEST && maximum <= LARGEST) {
            return fault(format!("minimum {minimum} is not below maximum {maximum}, or they are beyond 1000000000"));
        }
        let width = maximum - minimum;
        if !(width >= NARROWEST && (width * NARROWEST..=width).contains(&step)) {
            return fault(format!("step is at most maximum - minimum and at least a millionth of it, not {step}"));
        }
        if self.integer && step < LEAST_OF_INTEGERS {
            return fault(format!("the step of an integer is at least {LEAST_OF_INTEGERS}, not {step}"));
        }
        if self.integer && (minimum.fract() != 0.0 || maximum.fract() != 0.0) {
            return fault(format!("the bounds of an integer are whole, not {minimum} and {maximum}"));
        }
        Ok(())
    }
}
