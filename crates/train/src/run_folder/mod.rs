//! The folder of a run, whatever the run does: one process at a time works in it, its files are replaced whole, and what
//! it began with is what it continues with.
//!
//! - [`RunFolder`]: the folder, locked as long as the value lives.
//! - [`RunKind`]: what kind of run a folder holds.
//! - [`settings`]: settings as TOML, checked when they are read, kept in the folder.
//! - [`Digest`]: what the results depend on, so that nothing made with other settings, games or weights is mixed in.
//! - [`Journal`]: a file of lines that only grows, with a mark that tells how much of it belongs to a checkpoint.
//! - [`write_checkpoint`], [`read_checkpoint`]: all that a run needs to continue, with a checksum.

mod checkpoint;
mod digest;
mod error;
mod journal;
mod kind;
pub mod settings;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use turncoat_util::{FileLock, LockError, is_staged, read_file, remove_staged_files, replace_file, without_bom};

pub(crate) use self::checkpoint::{read_checkpoint, write_checkpoint};
pub(crate) use self::digest::{Digest, digest_of_file};
pub use self::error::FolderError;
pub(crate) use self::journal::{Journal, JournalMark, read_lines};
pub use self::kind::RunKind;
pub(crate) use self::kind::{CHECKPOINT, EXPERIMENT, REPLICATES, SWEEP};

/// The file that is locked.
pub(crate) const LOCK: &str = "lock";
/// The largest file of settings that is read.
const LARGEST_SETTINGS: u64 = 1 << 20;

/// A folder that no other process works in as long as this lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    _lock: FileLock,
}

impl RunFolder {
    /// Creates the folder of a new run.
    ///
    /// # Errors
    /// If the folder has a run or anything else in it, or cannot be created or locked.
    pub(crate) fn create(path: &Path, kind: RunKind) -> Result<Self, FolderError> {
        Self::check_vacant(path, kind)?;
        Self::create_or_open(path)
    }

    /// Opens the folder of a run that has begun.
    ///
    /// # Errors
    /// If it holds no run of this kind, or another process works in it.
    pub(crate) fn open(path: &Path, kind: RunKind) -> Result<Self, FolderError> {
        Self::check_begun(path, kind)?;
        Self::lock(path)
    }

    /// Whether a folder holds a run of this kind.
    pub(crate) fn check_begun(path: &Path, kind: RunKind) -> Result<(), FolderError> {
        match RunKind::of(path) {
            Some(found) if found != kind => Err(FolderError::OtherKind { folder: path.to_owned(), found }),
            None if !path.join(kind.marker()).is_file() => Err(FolderError::NoRun(path.to_owned())),
            _ => Ok(()),
        }
    }

    /// The process that works in a folder and since when, found without disturbing it.
    pub(crate) fn worker(path: &Path) -> Option<(u32, SystemTime)> {
        let lock = path.join(LOCK);
        Some((FileLock::holder(&lock)?, fs::metadata(lock).and_then(|lock| lock.modified()).ok()?))
    }

    /// Opens a folder, which is created if need be, whether or not a run has begun in it.
    ///
    /// # Errors
    /// If it cannot be created, or another process works in it.
    pub fn create_or_open(path: &Path) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(FolderError::io(path))?;
        Self::lock(path)
    }

    /// Whether a run could begin in a folder: one that is there must be empty, but for what a run leaves that was killed
    /// while it began.
    pub(crate) fn check_vacant(path: &Path, kind: RunKind) -> Result<(), FolderError> {
        match RunKind::of(path) {
            Some(found) if found != kind => return Err(FolderError::OtherKind { folder: path.to_owned(), found }),
            None if !path.join(kind.marker()).exists() => {}
            _ => return Err(FolderError::Occupied(path.to_owned())),
        }
        let was_locked = path.join(LOCK).is_file();
        // What else lies there might be taken for the run's own.
        let is_leftover = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            was_locked
                && (name == LOCK || is_staged(&entry.path()) || kind.begins_with().is_some_and(|first| name == first))
        };
        let is_foreign = |entry: io::Result<fs::DirEntry>| !entry.is_ok_and(|entry| is_leftover(&entry));
        match fs::read_dir(path).map(|mut entries| entries.any(is_foreign)) {
            Ok(true) => Err(FolderError::NotEmpty(path.to_owned())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::io(path)(error)),
            _ => Ok(()),
        }
    }

    fn lock(path: &Path) -> Result<Self, FolderError> {
        let lock = path.join(LOCK);
        match FileLock::acquire(&lock) {
            Ok(lock) => {
                remove_staged_files(path).map_err(FolderError::io(path))?;
                Ok(Self { path: path.to_owned(), _lock: lock })
            }
            Err(LockError::Held(_)) => Err(FolderError::Busy(path.to_owned())),
            Err(LockError::Io(source)) => Err(FolderError::io(lock)(source)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The text of a file in it.
    pub(crate) fn read(&self, name: &str) -> Result<String, FolderError> {
        let path = self.file(name);
        fs::read_to_string(&path).map_err(FolderError::io(path))
    }

    /// Replaces a file whole: after a crash at any moment it is the old one or the new one.
    pub(crate) fn replace(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), FolderError> {
        let path = self.file(name);
        replace_file(&path, contents.as_ref()).map_err(FolderError::io(path))
    }
}

/// The text of a file of settings.
pub(crate) fn read_text(path: &Path) -> Result<String, FolderError> {
    let bytes = read_file(path, LARGEST_SETTINGS).map_err(FolderError::io(path))?;
    String::from_utf8(bytes).map(without_bom).map_err(|error| {
        let byte = error.utf8_error().valid_up_to() + 1;
        FolderError::Settings { path: path.to_owned(), fault: format!("byte {byte}: this is not text") }
    })
}
