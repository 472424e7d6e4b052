//! The settings of a run, kept in its folder: what it began with is what it goes on with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use turncoat_util::replace_file;

use crate::lock::LOCK;

/// The file of a run's folder that has its settings.
pub const SETTINGS: &str = "settings.toml";

/// Why there is no run.
#[derive(Debug, Error)]
pub enum SettingsError {
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
    Fault {
        /// The file.
        path: PathBuf,
        /// Why.
        fault: String,
    },
    /// The folder has something else in it.
    #[error("{}: the folder is not empty; a run wants one of its own", .0.display())]
    NotEmpty(PathBuf),
    /// The folder has a run already.
    #[error("there is a run in {folder} already: go on with it by --resume {folder}", folder = .0.display())]
    Occupied(PathBuf),
    /// There is no run in the folder.
    #[error("{}: there is no run in this folder", .0.display())]
    NoRun(PathBuf),
    /// Another process works on the run.
    #[error("{}: another run is at work in this folder", .0.display())]
    Busy(PathBuf),
    /// Going on would mix what belongs to different settings.
    #[error("{}: {fault}; nothing was changed", path.display())]
    Changed {
        /// The file that tells.
        path: PathBuf,
        /// How.
        fault: String,
    },
}

impl SettingsError {
    /// An error of the system about this file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}

/// Begins a run: reads the settings of a file and keeps them in the run's new folder. `check` says what is wrong
/// with them, if anything.
///
/// # Errors
/// If they make no sense, or the folder has a run or anything else in it already.
pub fn create<S: DeserializeOwned + Serialize>(
    file: &Path,
    folder: &Path,
    check: impl Fn(&S) -> Option<String>,
) -> Result<S, SettingsError> {
    let settings = read(file, check)?;
    vacant(folder)?;
    fs::create_dir_all(folder).map_err(SettingsError::io(folder))?;
    keep(&settings, folder)?;
    Ok(settings)
}

/// Whether a run could begin in a folder: one that is there must be empty.
pub(crate) fn vacant(folder: &Path) -> Result<(), SettingsError> {
    if folder.join(SETTINGS).exists() {
        return Err(SettingsError::Occupied(folder.to_owned()));
    }
    // What lies there already might be taken for the run's own.
    let foreign = |entry: io::Result<fs::DirEntry>| !entry.is_ok_and(|e| e.file_name() == LOCK);
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.any(foreign)) {
        return Err(SettingsError::NotEmpty(folder.to_owned()));
    }
    Ok(())
}

/// Keeps the settings in the run's folder.
pub(crate) fn keep<S: Serialize>(settings: &S, folder: &Path) -> Result<(), SettingsError> {
    let kept = folder.join(SETTINGS);
    let text = toml::to_string(settings)
        .map_err(|error| SettingsError::Fault { path: kept.clone(), fault: error.to_string() })?;
    replace_file(&kept, text.as_bytes()).map_err(SettingsError::io(&kept))
}

/// The settings of a run to go on with.
///
/// # Errors
/// If there are none in the folder, or they make no sense.
pub fn resume<S: DeserializeOwned>(folder: &Path, check: impl Fn(&S) -> Option<String>) -> Result<S, SettingsError> {
    let kept = folder.join(SETTINGS);
    if !kept.exists() {
        return Err(SettingsError::NoRun(folder.to_owned()));
    }
    read(&kept, check)
}

/// The settings of a file, checked.
pub(crate) fn read<S: DeserializeOwned>(path: &Path, check: impl Fn(&S) -> Option<String>) -> Result<S, SettingsError> {
    let text = fs::read_to_string(path).map_err(SettingsError::io(path))?;
    let fault = |fault: String| SettingsError::Fault { path: path.to_owned(), fault };
    let settings: S = toml::from_str(&text).map_err(|error| fault(error.to_string()))?;
    match check(&settings) {
        Some(found) => Err(fault(found)),
        None => Ok(settings),
    }
}
