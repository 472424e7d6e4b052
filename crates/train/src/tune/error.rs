//! Why a tuning is refused, and what can end it.

use thiserror::Error;
use turncoat_arena::OpeningsError;
use turncoat_players::BuildError;

use crate::genetic::{GenomeError, PlayError};
use crate::run_folder::FolderError;

/// Why settings are refused.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A value that makes no sense.
    #[error("{key}: {fault}")]
    Value {
        /// Where.
        key: String,
        /// Why.
        fault: String,
    },
    /// The player cannot be built.
    #[error("player: {0}")]
    Player(#[from] BuildError),
    /// The weights of the player cannot be told apart.
    #[error("player: {0}")]
    Weights(#[from] GenomeError),
    /// There are no openings.
    #[error("openings: {0}")]
    Openings(#[from] OpeningsError),
    /// Nothing is tuned.
    #[error("there is nothing to tune: each parameter is a [[parameter]]")]
    NoParameters,
    /// A parameter that the player does not have.
    #[error("parameter {name:?}: {player} has no such option or weight: it has {known}")]
    Unknown {
        /// Its name.
        name: String,
        /// The player.
        player: String,
        /// What it has.
        known: String,
    },
    /// A parameter that makes no sense.
    #[error("parameter {name:?}: {fault}")]
    Parameter {
        /// Its name.
        name: String,
        /// Why.
        fault: String,
    },
    /// The player cannot be built with a value within the bounds.
    #[error("parameter {name:?} at {value}: {source}")]
    Unplayable {
        /// Its name.
        name: String,
        /// The value.
        value: f64,
        /// Why.
        source: BuildError,
    },
}

/// What ended a tuning, or kept it from beginning.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The folder is not one to work in, or the settings make no sense.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Games could not be played.
    #[error("iteration {iteration}: {source}")]
    Play {
        /// In which iteration, or the first of a batch.
        iteration: u64,
        /// Why.
        source: PlayError,
    },
}

impl TuneError {
    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        match self {
            Self::Folder(error) => error.is_misuse(),
            Self::Play { .. } => false,
        }
    }
}
