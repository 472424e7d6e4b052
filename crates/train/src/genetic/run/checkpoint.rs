//! The checkpoint: all that a run needs to continue, with a checksum.

use std::fs;

use serde::{Deserialize, Serialize};
use turncoat_util::digest;

use crate::genetic::Population;
use crate::run_folder::{FolderError, JournalMark, RunFolder};

pub(super) use crate::run_folder::CHECKPOINT as NAME;

/// What the first line of the file says.
const WHAT: &str = "checkpoint of a genetic run";
/// Files of another format are refused.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    what: String,
    format: u32,
    digest: String,
}

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
}

impl Checkpoint {
    pub(super) fn write(&self, folder: &RunFolder) -> Result<(), FolderError> {
        let fault = |error: serde_json::Error| FolderError::io(folder.file(NAME))(error.into());
        let body = serde_json::to_string(self).map_err(fault)?;
        let head = serde_json::to_string(&Head { what: WHAT.to_owned(), format: FORMAT, digest: digest(&body) });
        let head = head.map_err(fault)?;
        folder.replace(NAME, format!("{head}\n{body}\n"))
    }

    pub(super) fn read(folder: &RunFolder) -> Result<Self, FolderError> {
        let path = folder.file(NAME);
        let bytes = fs::read(&path).map_err(FolderError::io(&path))?;
        let damaged = |fault: &dyn std::fmt::Display| FolderError::damaged(&path, fault);
        let text = String::from_utf8(bytes).map_err(|_| damaged(&"it is not text"))?;
        let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
        let head: Head = serde_json::from_str(head).map_err(|error| damaged(&format!("its first line: {error}")))?;
        if head.what != WHAT || head.format != FORMAT {
            let fault = format!("it is a {:?} of format {}", head.what, head.format);
            return Err(damaged(&fault));
        }
        let body = body.strip_suffix('\n').unwrap_or(body);
        if digest(body) != head.digest {
            return Err(damaged(&"its checksum does not fit"));
        }
        serde_json::from_str(body).map_err(|error| damaged(&error))
    }
}
