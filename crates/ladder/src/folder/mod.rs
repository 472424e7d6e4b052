//! The folder of players: what lies in it, and when it may be taken.
//!
//! Whatever puts files there is the upload, so everything about them is doubted: a file may be half written, a link may
//! lead elsewhere, a folder may be without end. What is taken is a copy ([`copy`]), named by its contents.

mod copy;
mod manifest;
mod watch;

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

pub(crate) use self::copy::tidy;
pub use self::copy::{Taken, take};
pub use self::manifest::{Manifest, ManifestError};
pub use self::watch::{SETTLED, Sighting, Watch};

/// The most files of a player.
pub const MOST_FILES: usize = 2_000;
/// The most bytes of a player.
pub const MOST_BYTES: u64 = 64 << 20;
/// How deep a player's folders may lie within each other.
pub const DEEPEST: usize = 16;

/// Why something in the folder is not a player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntryFault {
    /// Its name is no text.
    #[error("its name is not UTF-8 text: rename it")]
    Name,
    /// It is a link, or has one that leads out of it.
    #[error("{0} is a link out of the player's own folder: put the file itself there")]
    Link(String),
    /// It is a pipe, a socket or a device.
    #[error("{0} is neither a file nor a folder")]
    Special(String),
    /// It is a file of another kind.
    #[error("it is not a Python file: a player is a .py file, or a folder with ai.py or player.toml in it")]
    NotProgram,
    /// It is packed.
    #[error("it is an archive, and archives are not unpacked here: put the files themselves there")]
    Archive,
    /// It has too many files.
    #[error("it has more than {MOST_FILES} files")]
    Files,
    /// It is too large.
    #[error("it is larger than {} MiB", MOST_BYTES >> 20)]
    Bytes,
    /// Its folders are too deep.
    #[error("its folders lie within each other more than {DEEPEST} deep")]
    Depth,
    /// It has no program.
    #[error("there is no ai.py in it, and no player.toml that names another file")]
    NoProgram,
    /// Its description is wrong.
    #[error("player.toml: {0}")]
    Manifest(#[from] ManifestError),
    /// It cannot be read.
    #[error("{file} cannot be read: {fault}")]
    Io {
        /// Which file.
        file: String,
        /// Why.
        fault: String,
    },
    /// It cannot be copied, which is not its fault.
    #[error("{file} cannot be copied: {fault}")]
    Copy {
        /// Which file.
        file: String,
        /// Why.
        fault: String,
    },
    /// It changed while it was copied.
    #[error("it changed while it was read")]
    Changed,
}

impl EntryFault {
    fn io(file: &Path, error: &io::Error) -> Self {
        Self::Io { file: shown(file), fault: error.to_string() }
    }

    fn copy(file: &Path, error: &io::Error) -> Self {
        Self::Copy { file: shown(file), fault: error.to_string() }
    }
}

/// A path within a player for people.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// What tells a file that is being written from one that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    changed: Option<SystemTime>,
    is_executable: bool,
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let is_executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let is_executable = false;
        Self { length: metadata.len(), changed: metadata.modified().ok(), is_executable }
    }
}

/// The files of a player as they lie there, by their paths within it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The file or the folder.
    root: PathBuf,
    is_folder: bool,
    files: Vec<(PathBuf, Stamp)>,
}

impl Listing {
    /// Lists a file or folder without reading any file.
    ///
    /// # Errors
    /// If it cannot be a player.
    pub fn new(root: &Path) -> Result<Self, EntryFault> {
        let name = Path::new(root.file_name().unwrap_or_default());
        let metadata = fs::symlink_metadata(root).map_err(|error| EntryFault::io(name, &error))?;
        let mut listing = Self { root: root.to_owned(), is_folder: metadata.is_dir(), files: Vec::new() };
        if metadata.is_symlink() {
            return Err(EntryFault::Link(shown(name)));
        }
        if metadata.is_dir() {
            let real = root.canonicalize().map_err(|error| EntryFault::io(name, &error))?;
            listing.walk(Path::new(""), &real, 0)?;
            listing.files.sort_by(|(a, _), (b, _)| a.cmp(b));
        } else {
            check_file(name, &metadata)?;
            listing.files.push((name.to_owned(), Stamp::from(&metadata)));
        }
        let bytes: u64 = listing.files.iter().map(|(_, stamp)| stamp.length).sum();
        if bytes > MOST_BYTES { Err(EntryFault::Bytes) } else { Ok(listing) }
    }

    fn walk(&mut self, below: &Path, real: &Path, depth: usize) -> Result<(), EntryFault> {
        if depth > DEEPEST {
            return Err(EntryFault::Depth);
        }
        let fault = |path: &Path| {
            let path = path.to_owned();
            move |error: io::Error| EntryFault::io(&path, &error)
        };
        for entry in fs::read_dir(self.root.join(below)).map_err(fault(below))? {
            let entry = entry.map_err(fault(below))?;
            let path = below.join(entry.file_name());
            if is_ignored(&entry.file_name().to_string_lossy()) {
                continue;
            }
            let mut metadata = entry.metadata().map_err(fault(&path))?;
            if metadata.is_symlink() {
                let target = entry.path().canonicalize().map_err(fault(&path))?;
                metadata = fs::metadata(&target).map_err(fault(&path))?;
                // A folder within itself would have no end.
                if !target.starts_with(real) || metadata.is_dir() {
                    return Err(EntryFault::Link(shown(&path)));
                }
            }
            if metadata.is_dir() {
                self.walk(&path, real, depth + 1)?;
            } else if metadata.is_file() {
                self.files.push((path, Stamp::from(&metadata)));
            } else {
                return Err(EntryFault::Special(shown(&path)));
            }
            if self.files.len() > MOST_FILES {
                return Err(EntryFault::Files);
            }
        }
        Ok(())
    }
}

/// Whether a single file may be a player.
fn check_file(name: &Path, metadata: &Metadata) -> Result<(), EntryFault> {
    if !metadata.is_file() {
        return Err(EntryFault::Special(shown(name)));
    }
    let end = name.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    match end.as_str() {
        "py" => Ok(()),
        "zip" | "tar" | "gz" | "tgz" | "bz2" | "xz" | "7z" | "rar" | "zst" => Err(EntryFault::Archive),
        _ => Err(EntryFault::NotProgram),
    }
}

/// Whether a name is nobody's player: hidden files, and what Python leaves.
pub(crate) fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name == "__pycache__"
}

#[cfg(test)]
mod tests;
