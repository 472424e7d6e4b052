//! The gathered positions, with marks that tell whether their files have changed.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use turncoat_util::fnv1a;

use super::files::TrainingError;
use super::problem::Example;
use super::samples::{Bins, Gathered, bin_path};
use crate::run_folder::{FolderError, RunFolder};

/// The file of the folder that says that all games are gathered.
pub(super) const POSITIONS: &str = "positions.json";

/// The most empty squares of a position.
const MOST_EMPTIES: u32 = 60;

/// The gathered positions of a folder.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Positions {
    /// How many.
    #[serde(flatten)]
    pub(super) gathered: Gathered,
    /// Their files, by empty squares. Earlier versions kept no marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<Vec<FileMark>>,
}

/// The length and hash of a file; a missing one has no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FileMark {
    bytes: usize,
    checksum: u64,
}

impl FileMark {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len(), checksum: fnv1a(bytes.iter().copied()) }
    }
}

impl Positions {
    /// The positions that were gathered before, if all were.
    pub(super) fn found(folder: &RunFolder) -> Option<Self> {
        serde_json::from_str(&folder.read(POSITIONS).ok()?).ok()
    }

    /// The positions that were just written.
    pub(super) fn written(gathered: Gathered, bins: &Path) -> Result<Self, TrainingError> {
        let mark = |empties| Ok(FileMark::new(&Bins::read(bins, empties).map_err(FolderError::io(bins))?));
        let files = (0..=MOST_EMPTIES).into_par_iter().map(mark);
        Ok(Self { gathered, files: Some(files.collect::<Result<_, TrainingError>>()?) })
    }

    /// Writes the list by which they are found.
    pub(super) fn keep(&self, folder: &RunFolder) -> Result<(), TrainingError> {
        Ok(folder.replace(POSITIONS, serde_json::json!(self).to_string())?)
    }

    /// The different positions with this many empty squares.
    pub(super) fn load(&self, folder: &RunFolder, empties: u32) -> Result<Vec<Example>, TrainingError> {
        let bins = bins_in(folder);
        let path = bin_path(&bins, empties);
        let bytes = Bins::read(&bins, empties).map_err(FolderError::io(&path))?;
        let known = |files: &Vec<FileMark>| files.get(empties as usize) == Some(&FileMark::new(&bytes));
        if self.files.as_ref().is_none_or(known) {
            return Ok(Bins::examples(bytes));
        }
        Err(TrainingError::Positions { path, list: folder.file(POSITIONS) })
    }
}

/// The folder of the files of positions.
pub(super) fn bins_in(folder: &RunFolder) -> PathBuf {
    folder.file("positions")
}
