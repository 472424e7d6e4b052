//! The settings of a training, as a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use turncoat_board::{Geometry, VariantKind};

use crate::selfplay::{eight, is_eight};

/// The settings of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game.
    pub variant: VariantKind,
    /// The board; the full one unless told.
    #[serde(default = "eight", skip_serializing_if = "is_eight")]
    pub size: Geometry,
    /// Folders of games.
    pub games: Vec<PathBuf>,
    /// A file of weights to begin with and to be held to; from nothing if not given.
    pub start: Option<PathBuf>,
    /// At most this many passes over the positions of a stage.
    #[serde(default = "usual_passes")]
    pub passes: usize,
    /// How strongly weights are held to their start: as if each had been seen there so often, at 20 empty
    /// squares; in proportion elsewhere, since labels are the noisier the longer the game still is.
    #[serde(default = "usual_ridge")]
    pub ridge: f32,
    /// How much of a label is the game's result, rather than what the players thought soon after.
    #[serde(default = "usual_trust")]
    pub trust: f64,
    /// One game in so many is kept back to measure by; 0 for none.
    #[serde(default = "usual_keep_back")]
    pub keep_back: u64,
    /// Passes without a better error before a stage ends.
    #[serde(default = "usual_patience")]
    pub patience: usize,
}

fn usual_passes() -> usize {
    30
}
fn usual_ridge() -> f32 {
    300.0
}
fn usual_trust() -> f64 {
    1.0
}
fn usual_keep_back() -> u64 {
    25
}
fn usual_patience() -> usize {
    4
}

impl Settings {
    /// The usual settings for these games.
    pub fn new(variant: VariantKind, games: Vec<PathBuf>, start: Option<PathBuf>) -> Self {
        Self {
            variant,
            size: eight(),
            games,
            start,
            passes: usual_passes(),
            ridge: usual_ridge(),
            trust: usual_trust(),
            keep_back: usual_keep_back(),
            patience: usual_patience(),
        }
    }

    /// What is wrong with the settings, if anything.
    pub fn fault(&self) -> Option<String> {
        let check = |good: bool, fault: &str| (!good).then(|| fault.to_owned());
        check(!self.games.is_empty(), "games: at least one folder")
            .or(check(self.passes > 0, "passes: at least one"))
            .or(check(self.ridge >= 0.0 && self.ridge.is_finite(), "ridge is 0 or more"))
            .or(check((0.0..=1.0).contains(&self.trust), "trust is 0 to 1"))
            .or(check(self.patience > 0, "patience: at least one pass"))
    }
}
