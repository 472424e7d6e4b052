//! What can be wrong with the folder of a run.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_util::OtherFormat;
use turncoat_util::shell::quote;

use super::RunKind;

/// Why a run cannot begin or continue in its folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// Something cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The settings cannot be read, or make no sense.
    #[error("{}: {fault}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// Why.
        fault: String,
    },
    /// The folder has something in it that belongs to no run.
    #[error("{} is not empty: a run begins in a folder of its own", .0.display())]
    NotEmpty(PathBuf),
    /// The folder has a run already.
    #[error("{folder} is not empty: it has a run, which --resume {} continues", word(.0), folder = .0.display())]
    Occupied(PathBuf),
    /// The folder has a run of another kind.
    #[error("{folder} holds a {found}, which turncoat {} --resume {} continues", .found.command(), word(.folder), folder = .folder.display())]
    OtherKind {
        /// The folder.
        folder: PathBuf,
        /// The kind of its run.
        found: RunKind,
    },
    /// There is no run in the folder.
    #[error("{}: there is no run in this folder", .0.display())]
    NoRun(PathBuf),
    /// Another process works in the folder.
    #[error("{}: another run is at work in this folder", .0.display())]
    Busy(PathBuf),
    /// The run would continue with other settings, games or weights than it began with.
    #[error("{}: {fault}; nothing was changed", path.display())]
    Changed {
        /// The file that tells.
        path: PathBuf,
        /// How.
        fault: String,
    },
    /// Another version of the program wrote the run.
    #[error("{}: {other}; nothing was changed", path.display())]
    OtherFormat {
        /// The file that tells.
        path: PathBuf,
        /// Which version reads it.
        other: OtherFormat,
    },
    /// A file of the run is not what was written.
    #[error("{} is damaged: {fault}; nothing was changed", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// How.
        fault: String,
    },
}

/// A path as a word of a command.
fn word(path: &Path) -> String {
    quote(&path.display().to_string()).into_owned()
}

impl FolderError {
    /// Adds a path to an error of the system.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>, fault: impl Display) -> Self {
        Self::Damaged { path: path.into(), fault: fault.to_string() }
    }

    pub(crate) fn changed(path: impl Into<PathBuf>, fault: impl Display) -> Self {
        Self::Changed { path: path.into(), fault: fault.to_string() }
    }

    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        match self {
            Self::Settings { .. } | Self::NotEmpty(_) | Self::Occupied(_) | Self::OtherKind { .. } | Self::NoRun(_) => {
                true
            }
            Self::Io { .. }
            | Self::Busy(_)
            | Self::Changed { .. }
            | Self::OtherFormat { .. }
            | Self::Damaged { .. } => false,
        }
    }
}
