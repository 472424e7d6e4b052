//! The files of a training, and its errors.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::patterns::{Weights, WeightsFault, read_stages, read_weights};

use super::settings::Settings;
use crate::games::ShardFault;
use crate::run_folder::FolderError;

/// An error that ended a training without weights.
#[derive(Debug, Error)]
pub enum TrainingError {
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
    /// The weights to begin with are for the other game.
    #[error("{path}: the weights are for {found}")]
    OtherVariant {
        /// Which.
        path: PathBuf,
        /// Their game.
        found: VariantKind,
    },
    /// The weights to begin with are for another board.
    #[error("{path}: the weights are for {found}")]
    OtherSize {
        /// Which.
        path: PathBuf,
        /// Its size.
        found: Geometry,
    },
    /// A file of positions was changed.
    #[error("{}: these are not the positions that were gathered; remove {} to gather them again", path.display(), list.display())]
    Positions {
        /// Which.
        path: PathBuf,
        /// What says that all are there.
        list: PathBuf,
    },
    /// A file cannot be read or written, or the folder is not one to continue in.
    #[error(transparent)]
    Folder(#[from] FolderError),
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

/// Reads a file of weights for the game and board of these settings.
pub(super) fn load_weights(path: &Path, settings: &Settings) -> Result<Weights, TrainingError> {
    load(path, settings, read_weights)
}

/// Reads the weights of a stage that is done: from a file of its own, which in earlier versions had all stages.
pub(super) fn load_stage(path: &Path, settings: &Settings, stage: usize) -> Result<Vec<i16>, TrainingError> {
    let read = |bytes: &[u8]| match read_stages(bytes, 1) {
        Err(WeightsFault::OtherShapes { .. }) => read_weights(bytes),
        read => read,
    };
    let mut stages = load(path, settings, read)?.stages;
    Ok(stages.swap_remove(if stages.len() == 1 { 0 } else { stage }))
}

fn load(
    path: &Path,
    settings: &Settings,
    read: impl FnOnce(&[u8]) -> Result<Weights, WeightsFault>,
) -> Result<Weights, TrainingError> {
    let bytes = fs::read(path).map_err(FolderError::io(path))?;
    let weights = read(&bytes).map_err(|fault| TrainingError::Weights { path: path.to_owned(), fault })?;
    let path = path.to_owned();
    if weights.variant != settings.variant {
        return Err(TrainingError::OtherVariant { path, found: weights.variant });
    }
    if weights.geometry != settings.size {
        return Err(TrainingError::OtherSize { path, found: weights.geometry });
    }
    Ok(weights)
}
