//! What can end a run.

use std::path::PathBuf;

use thiserror::Error;

use crate::genetic::{End, LabError, PlayError};
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
    /// A setting that was changed makes no sense, or several together.
    #[error("--set {change} for {}: {}", path.display(), source.without_line())]
    Setting {
        /// The setting and its value.
        change: String,
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<LabError>,
    },
    /// The experiment has a seed, and one was given.
    #[error("{} has a seed of its own, {own}: one may be given only for experiments without", path.display())]
    Seed {
        /// The file.
        path: PathBuf,
        /// Its seed.
        own: u64,
    },
    /// A setting that a run keeps.
    #[error("{key} stays as it is: a run that has begun can only end elsewhere (generations, patience, target)")]
    Fixed {
        /// Which.
        key: String,
    },
    /// A run that would have ended already.
    #[error("{done} generations are done: with this, the run would have ended after {after}{}", how(*end))]
    Over {
        /// How many are done.
        done: u32,
        /// When it would have ended.
        after: u32,
        /// Why.
        end: End,
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
    /// Generations that cannot be had whole.
    #[error(
        "{kept} individuals of each generation are saved (keep), and {needed} are needed to breed the others again"
    )]
    TooFewKept {
        /// How many there are.
        kept: usize,
        /// How many there should be.
        needed: usize,
    },
    /// Something that was asked for makes no sense, or an opponent cannot be built.
    #[error(transparent)]
    Request(LabError),
    /// A rating of that name has other games.
    #[error("{} says that these are other games: --name NAME keeps yours apart", path.display())]
    OtherGames {
        /// The file that says it.
        path: PathBuf,
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

/// How a run ends before its time.
const fn how(end: End) -> &'static str {
    match end {
        End::Generations => "",
        End::Patience => ", by its patience",
        End::Target => ", at its target",
    }
}

impl GeneticError {
    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        match self {
            Self::Experiment { .. }
            | Self::Setting { .. }
            | Self::Seed { .. }
            | Self::Fixed { .. }
            | Self::Over { .. }
            | Self::NoGeneration { .. }
            | Self::NoRank { .. }
            | Self::TooFewKept { .. }
            | Self::Request(_)
            | Self::OtherGames { .. } => true,
            Self::Folder(error) => error.is_misuse(),
            Self::Play { .. } => false,
        }
    }
}
