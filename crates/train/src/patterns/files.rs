//! What a training reads and writes, and why it may end without weights.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_board::VariantKind;
use turncoat_eval::patterns::{Weights, WeightsFault, read_weights};
use turncoat_util::{FileLock, replace_file};

use crate::games::ShardFault;
use crate::lock::LOCK;
use crate::settings::SettingsError;

/// Why training ended without weights.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file of games is bad.
    #[error("{path}: {fault}")]
    Games {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: ShardFault,
    },
    /// A game holds an illegal move.
    #[error("{path}: game {game} has an illegal move")]
    Illegal {
        /// The file.
        path: PathBuf,
        /// The game's number in it.
        game: usize,
    },
    /// A file of weights is bad.
    #[error("{path}: {fault}")]
    Weights {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: WeightsFault,
    },
    /// The weights to begin with judge the other game.
    #[error("{path}: the weights are for {found}")]
    OtherVariant {
        /// Which.
        path: PathBuf,
        /// Their game.
        found: VariantKind,
    },
    /// A file of positions was changed.
    #[error("{}: these are not the positions that were gathered; remove {} to gather them anew", path.display(), list.display())]
    Positions {
        /// Which.
        path: PathBuf,
        /// What says that all are there.
        list: PathBuf,
    },
    /// The folder is not one to go on in.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// There are no games.
    #[error("no games in {0}")]
    NoGames(PathBuf),
    /// No game has a position after its random plies, or all games are kept back.
    #[error("no positions to learn from")]
    Nothing,
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
}

pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    |error| RunError::File { path: path.to_owned(), error }
}

/// Works in a folder alone, as long as what is returned lives.
pub(super) fn lock(folder: &Path) -> Result<FileLock, RunError> {
    let lock = crate::lock::lock(folder).map_err(at(&folder.join(LOCK)))?;
    Ok(lock.ok_or_else(|| SettingsError::Busy(folder.to_owned()))?)
}

/// Reads a file of weights for this game.
pub(super) fn load_weights(path: &Path, variant: VariantKind) -> Result<Weights, RunError> {
    let bytes = fs::read(path).map_err(at(path))?;
    let weights = read_weights(&bytes).map_err(|fault| RunError::Weights { path: path.to_owned(), fault })?;
    if weights.variant == variant {
        Ok(weights)
    } else {
        Err(RunError::OtherVariant { path: path.to_owned(), found: weights.variant })
    }
}

/// Puts a file in its place only when it is whole.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    replace_file(path, bytes).map_err(at(path))
}
