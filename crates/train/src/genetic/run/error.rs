//! What can end a run.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::genetic::{LabError, PlayError};

/// What ended a run, or kept it from beginning.
#[derive(Debug, Error)]
pub enum RunError {
    /// The experiment makes no sense.
    #[error("{}: {source}", path.display())]
    Experiment {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LabError,
    },
    /// The experiment has a seed, and another one was given.
    #[error("{} has a seed of its own, {own}: another one is for experiments that have none", path.display())]
    Seed {
        /// The file.
        path: PathBuf,
        /// Its seed.
        own: u64,
    },
    /// Something cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something in the folder already.
    #[error("{} is not empty: a run begins in a folder of its own, and --resume goes on with one that is there", .0.display())]
    Occupied(PathBuf),
    /// There is no run in the folder.
    #[error("{}: there is no run in this folder", .0.display())]
    NoRun(PathBuf),
    /// Another process works on the run.
    #[error("{}: another run is at work in this folder", .0.display())]
    Busy(PathBuf),
    /// A file of the run is not what was written.
    #[error("{} is damaged: {fault}; nothing was changed", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// How.
        fault: String,
    },
    /// Games could not be played.
    #[error("generation {generation}: {source}")]
    Play {
        /// In which generation; the last round robin comes after the last one.
        generation: u32,
        /// Why.
        source: PlayError,
    },
}

impl RunError {
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(super) fn damaged(path: impl Into<PathBuf>, fault: &dyn Display) -> Self {
        Self::Damaged { path: path.into(), fault: fault.to_string() }
    }
}
