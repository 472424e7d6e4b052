//! What can end a run.

use std::path::PathBuf;

use thiserror::Error;

use crate::genetic::{LabError, PlayError};
use crate::run_folder::FolderError;

/// What ended a run, or kept it from beginning.
#[derive(Debug, Error)]
pub enum GeneticError {
    /// The experiment makes no sense.
    #[error("{}: {source}", path.display())]
    Experiment {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LabError,
    },
    /// The experiment has a seed, and one was given.
    #[error("{} has a seed of its own, {own}: one may be given only for experiments without", path.display())]
    Seed {
        /// The file.
        path: PathBuf,
        /// Its seed.
        own: u64,
    },
    /// A generation that is not done.
    #[error("there is no generation {generation}: {done} are done")]
    NoGeneration {
        /// Which.
        generation: u32,
        /// How many there are.
        done: u32,
    },
    /// An individual that was not logged.
    #[error("there is no rank {rank} in generation {generation}: {kept} individuals of it are logged")]
    NoRank {
        /// In which generation.
        generation: u32,
        /// The place that was asked for.
        rank: usize,
        /// How many there are.
        kept: usize,
    },
    /// The folder is not one to work in.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Games could not be played.
    #[error("generation {generation}: {source}")]
    Play {
        /// In which generation; the last round robin comes after the last one.
        generation: u32,
        /// Why.
        source: PlayError,
    },
}

impl GeneticError {
    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        match self {
            Self::Experiment { .. } | Self::Seed { .. } | Self::NoGeneration { .. } | Self::NoRank { .. } => true,
            Self::Folder(error) => error.is_misuse(),
            Self::Play { .. } => false,
        }
    }
}
