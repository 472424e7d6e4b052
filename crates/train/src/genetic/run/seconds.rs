//! How long generations took, in a file of its own: it is the only one in which two equal runs differ.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::run_folder::{FolderError, RunFolder};

const SECONDS: &str = "seconds.csv";
const HEAD: &str = "generation,seconds\n";

/// The file, open for further lines.
pub(super) struct Seconds {
    path: PathBuf,
    file: File,
}

impl Seconds {
    /// Opens the file of a run that has come so far. Nothing depends on it, so whatever cannot be read is dropped.
    pub(super) fn open(folder: &RunFolder, done: u32) -> Result<Self, FolderError> {
        let path = folder.file(SECONDS);
        let mut text = HEAD.to_owned();
        for (generation, seconds) in read(folder.path()).into_iter().filter(|(generation, _)| *generation <= done) {
            text += &line(generation, seconds);
        }
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            folder.replace(SECONDS, text)?;
        }
        let file = File::options().append(true).open(&path).map_err(FolderError::io(&path))?;
        Ok(Self { path, file })
    }

    pub(super) fn append(&mut self, generation: u32, took: Duration) -> Result<(), FolderError> {
        let line = line(generation, took.as_secs_f64());
        self.file.write_all(line.as_bytes()).map_err(FolderError::io(&self.path))
    }
}

fn line(generation: u32, seconds: f64) -> String {
    format!("{generation},{seconds:.3}\n")
}

/// The generations of a folder whose seconds are known.
pub(super) fn read(folder: &Path) -> Vec<(u32, f64)> {
    let text = fs::read_to_string(folder.join(SECONDS)).unwrap_or_default();
    let parsed = text.lines().filter_map(|line| {
        let (generation, seconds) = line.split_once(',')?;
        Some((generation.parse().ok()?, seconds.parse().ok()?))
    });
    parsed.collect()
}
