//! What was gathered, with the marks by which its files are known again.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use turncoat_util::fnv1a;

use super::files::{RunError, at, put};
use super::problem::Example;
use super::samples::{Bins, Gathered, bin_path};

/// The file of the folder that says that all games are gathered.
const POSITIONS: &str = "positions.json";

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
    files: Option<Vec<Mark>>,
}

/// What a file is known by. One that is not there has no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    bytes: usize,
    checksum: u64,
}

impl Mark {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len(), checksum: fnv1a(bytes.iter().copied()) }
    }
}

impl Positions {
    /// Those that were gathered before, if all were.
    pub(super) fn found(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(POSITIONS)).ok()?).ok()
    }

    /// Those that were just written.
    pub(super) fn written(gathered: Gathered, bins: &Path) -> Result<Self, RunError> {
        let mark = |empties| Ok(Mark::of(&Bins::read(bins, empties).map_err(at(bins))?));
        let files = (0..=MOST_EMPTIES).into_par_iter().map(mark);
        Ok(Self { gathered, files: Some(files.collect::<Result<_, RunError>>()?) })
    }

    /// From now on they are found.
    pub(super) fn keep(&self, folder: &Path) -> Result<(), RunError> {
        let text = serde_json::json!(self).to_string();
        put(&folder.join(POSITIONS), text.as_bytes())
    }

    /// The different positions with this many empty squares.
    pub(super) fn load(&self, folder: &Path, empties: u32) -> Result<Vec<Example>, RunError> {
        let bins = bins_in(folder);
        let path = bin_path(&bins, empties);
        let bytes = Bins::read(&bins, empties).map_err(at(&path))?;
        let known = |files: &Vec<Mark>| files.get(empties as usize) == Some(&Mark::of(&bytes));
        if self.files.as_ref().is_none_or(known) {
            return Ok(Bins::examples(bytes));
        }
        Err(RunError::Positions { path, list: folder.join(POSITIONS) })
    }
}

/// The folder of the files of positions.
pub(super) fn bins_in(folder: &Path) -> PathBuf {
    folder.join("positions")
}
