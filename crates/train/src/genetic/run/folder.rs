//! The folder of a run: files that are replaced whole or not at all, and journals that only grow.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turncoat_util::{FNV_OFFSET, FileLock, fnv1a_with, replace_file};

use super::RunError;
use crate::lock::{LOCK, lock};

/// A folder that nobody else works in as long as this lives.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: FileLock,
}

impl Folder {
    /// Makes the folder of a new run; one that is there must be empty.
    pub(super) fn create(path: &Path) -> Result<Self, RunError> {
        Self::vacant(path)?;
        fs::create_dir_all(path).map_err(RunError::io(path))?;
        Self::lock(path)
    }

    /// Whether a run could begin here.
    pub(super) fn vacant(path: &Path) -> Result<(), RunError> {
        if !path.exists() {
            return Ok(());
        }
        let mut entries = fs::read_dir(path).map_err(RunError::io(path))?;
        match entries.next() {
            Some(_) => Err(RunError::Occupied(path.to_owned())),
            None => Ok(()),
        }
    }

    /// Opens the folder of a run that has begun.
    pub(super) fn open(path: &Path) -> Result<Self, RunError> {
        if !path.join(super::CHECKPOINT).is_file() {
            return Err(RunError::NoRun(path.to_owned()));
        }
        Self::lock(path)
    }

    fn lock(path: &Path) -> Result<Self, RunError> {
        match lock(path).map_err(RunError::io(path.join(LOCK)))? {
            Some(lock) => Ok(Self { path: path.to_owned(), _lock: lock }),
            None => Err(RunError::Busy(path.to_owned())),
        }
    }

    /// The place of a file.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces a file whole: after a crash at any moment it is the old one or the new one.
    pub(super) fn replace(&self, name: &str, contents: &str) -> Result<(), RunError> {
        let path = self.file(name);
        replace_file(&path, contents.as_bytes()).map_err(RunError::io(path))
    }
}

/// How much of a journal belongs to a checkpoint: its length and a checksum (FNV-1a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) bytes: u64,
    digest: u64,
}

impl Mark {
    pub(super) const EMPTY: Self = Self { bytes: 0, digest: FNV_OFFSET };

    fn after(self, text: &[u8]) -> Self {
        let mix = |hash: u64, byte: &u8| fnv1a_with(hash, u64::from(*byte));
        Self { bytes: self.bytes + text.len() as u64, digest: text.iter().fold(self.digest, mix) }
    }
}

/// A file of lines that grows by one line a generation.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    pub(super) mark: Mark,
}

impl Journal {
    /// Opens a journal as a checkpoint knows it; what was written after that is dropped.
    pub(super) fn open(path: PathBuf, mark: Mark) -> Result<Self, RunError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(mark.bytes == 0)
            .truncate(false)
            .open(&path)
            .map_err(RunError::io(&path))?;
        read_marked(&mut file, &path, mark)?;
        file.set_len(mark.bytes).and_then(|()| file.seek(SeekFrom::End(0)).map(|_| ())).map_err(RunError::io(&path))?;
        Ok(Self { path, file, mark })
    }

    /// Adds a line, which is on the disk when this returns.
    pub(super) fn append(&mut self, line: &impl Serialize) -> Result<(), RunError> {
        let fault = RunError::io(&self.path);
        let text = serde_json::to_string(line).map_err(|error| fault(error.into()))? + "\n";
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()).map_err(RunError::io(&self.path))?;
        self.mark = self.mark.after(text.as_bytes());
        Ok(())
    }
}

/// The lines of a journal that belong to a checkpoint, read as `T`.
pub(super) fn read_lines<T: for<'a> Deserialize<'a>>(path: &Path, mark: Mark) -> Result<Vec<T>, RunError> {
    let mut file = File::open(path).map_err(RunError::io(path))?;
    let text = read_marked(&mut file, path, mark)?;
    let read = |(number, line): (usize, &str)| {
        let fault = |error| RunError::damaged(path, &format!("line {}: {error}", number + 1));
        serde_json::from_str(line).map_err(fault)
    };
    text.lines().enumerate().map(read).collect()
}

/// The part of a journal that a checkpoint knows, checked.
fn read_marked(file: &mut File, path: &Path, mark: Mark) -> Result<String, RunError> {
    let mut text = Vec::new();
    file.take(mark.bytes).read_to_end(&mut text).map_err(RunError::io(path))?;
    if Mark::EMPTY.after(&text) != mark {
        let fault = "it is not what the checkpoint was written after";
        return Err(RunError::damaged(path, &fault));
    }
    String::from_utf8(text).map_err(|_| RunError::damaged(path, &"it is no text"))
}
