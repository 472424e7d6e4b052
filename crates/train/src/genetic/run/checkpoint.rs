//! The checkpoint of a genetic run.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{INDIVIDUALS, LOG};
use crate::genetic::Population;
use crate::run_folder::{FolderError, JournalMark, RunFolder, read_checkpoint, write_checkpoint};

pub(super) use crate::run_folder::CHECKPOINT as NAME;

/// What the first line of the file says.
const WHAT: &str = "checkpoint of a genetic run";
/// Files of another format are refused.
const FORMAT: u32 = 1;

/// All that a run needs to continue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Where random numbers come from.
    pub(super) seed: u64,
    /// The digest of the experiment's file.
    pub(super) experiment: String,
    /// The files that players name, as they were read in the beginning.
    pub(super) files: Vec<(String, String)>,
    /// Generations whose games are played.
    pub(super) done: u32,
    /// The next population; after the last generation, that one.
    pub(super) population: Population,
    /// The journals as they were.
    pub(super) log: JournalMark,
    pub(super) individuals: JournalMark,
    /// Whether the champion is chosen and all files are written.
    pub(super) complete: bool,
    /// The experiment's file, as long as the one in the folder may be that of before a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<String>,
}

impl Checkpoint {
    /// Whether the last generation is done: no population follows it.
    pub(super) const fn has_ended(&self) -> bool {
        self.population.generation == self.done
    }

    /// The state before the last generation: its games can be played again, and lead to the same population.
    pub(super) fn before_last_generation(self, folder: &Path) -> Result<Self, FolderError> {
        Ok(Self {
            done: self.done - 1,
            log: self.log.before_last_line(&folder.join(LOG))?,
            individuals: self.individuals.before_last_line(&folder.join(INDIVIDUALS))?,
            complete: false,
            ..self
        })
    }

    pub(super) fn write(&self, folder: &RunFolder) -> Result<(), FolderError> {
        write_checkpoint(folder, WHAT, FORMAT, self)
    }

    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        read_checkpoint(folder, WHAT, FORMAT)
    }
}
