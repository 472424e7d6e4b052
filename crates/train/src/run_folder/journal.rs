//! Journals: files of lines that only grow.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turncoat_util::{FNV_OFFSET, fnv1a_with};

use super::FolderError;

/// How much of a journal belongs to a checkpoint: its length and its hash (FNV-1a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalMark {
    pub(crate) bytes: u64,
    digest: u64,
}

impl JournalMark {
    /// The mark of an empty journal.
    pub(crate) const EMPTY: Self = Self { bytes: 0, digest: FNV_OFFSET };

    /// The mark of a journal without its last line.
    pub(crate) fn before_last_line(self, path: &Path) -> Result<Self, FolderError> {
        let mut file = File::open(path).map_err(FolderError::io(path))?;
        let text = read_marked(&mut file, path, self)?;
        let lines = text.strip_suffix('\n').unwrap_or(&text);
        Ok(Self::EMPTY.after(lines.rfind('\n').map_or("", |end| &lines[..=end]).as_bytes()))
    }

    fn after(self, text: &[u8]) -> Self {
        let digest = text.iter().fold(self.digest, |hash, &byte| fnv1a_with(hash, byte.into()));
        Self { bytes: self.bytes + text.len() as u64, digest }
    }
}

/// A file of lines that grows by one line at a time.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    pub(crate) mark: JournalMark,
}

impl Journal {
    /// Opens a journal as a checkpoint knows it; what was written after that is dropped.
    pub(crate) fn open(path: PathBuf, mark: JournalMark) -> Result<Self, FolderError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(mark.bytes == 0).truncate(false);
        let mut file = options.open(&path).map_err(FolderError::io(&path))?;
        read_marked(&mut file, &path, mark)?;
        file.set_len(mark.bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(FolderError::io(&path))?;
        Ok(Self { path, file, mark })
    }

    /// Adds a line, which is on the disk when this returns.
    pub(crate) fn append(&mut self, line: &impl Serialize) -> Result<(), FolderError> {
        let fault = FolderError::io(&self.path);
        let text = serde_json::to_string(line).map_err(|error| fault(error.into()))? + "\n";
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(FolderError::io(&self.path))?;
        self.mark = self.mark.after(text.as_bytes());
        Ok(())
    }
}

/// The lines of a journal that belong to a checkpoint, read as `T`.
pub(crate) fn read_lines<T: for<'a> Deserialize<'a>>(path: &Path, mark: JournalMark) -> Result<Vec<T>, FolderError> {
    let mut file = File::open(path).map_err(FolderError::io(path))?;
    let text = read_marked(&mut file, path, mark)?;
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| FolderError::damaged(path, format!("line {}: {error}", number + 1)))
    };
    text.lines().enumerate().map(read).collect()
}

/// The part of a journal that a checkpoint knows, checked.
fn read_marked(file: &mut File, path: &Path, mark: JournalMark) -> Result<String, FolderError> {
    let mut text = Vec::new();
    file.take(mark.bytes).read_to_end(&mut text).map_err(FolderError::io(path))?;
    if JournalMark::EMPTY.after(&text) != mark {
        return Err(FolderError::damaged(path, "it is not what the checkpoint was written after"));
    }
    String::from_utf8(text).map_err(|_| FolderError::damaged(path, "it is not text"))
}
