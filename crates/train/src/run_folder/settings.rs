//! The settings of a run: a TOML file that is checked when it is read and kept in the run's folder.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FolderError, RunFolder, RunKind, read_text};

/// The file of a run's folder that has its settings. A run that has settings is known by it.
pub const SETTINGS: &str = "settings.toml";

/// Begins a run: keeps the settings of a file in the run's new folder. `check` says what is wrong with them, if anything.
///
/// # Errors
/// If the settings make no sense, or the folder has a run or anything else in it.
pub fn create<S: DeserializeOwned + Serialize>(
    file: &Path,
    folder: &Path,
    kind: RunKind,
    check: impl Fn(&S) -> Option<String>,
) -> Result<(RunFolder, S), FolderError> {
    let settings = read(file, check)?;
    Ok((begin(&settings, folder, kind)?, settings))
}

/// Begins a run with settings that are good.
pub(crate) fn begin(settings: &impl Serialize, folder: &Path, kind: RunKind) -> Result<RunFolder, FolderError> {
    let folder = RunFolder::create(folder, kind)?;
    replace(settings, &folder)?;
    Ok(folder)
}

/// Replaces the settings of a run by others that are good.
pub(crate) fn replace(settings: &impl Serialize, folder: &RunFolder) -> Result<(), FolderError> {
    folder.replace(SETTINGS, write(settings, &folder.file(SETTINGS))?)
}

/// Whether [`create`] would begin a run; nothing is written.
///
/// # Errors
/// As [`create`].
pub fn check<S: DeserializeOwned>(
    file: &Path,
    folder: &Path,
    kind: RunKind,
    check: impl Fn(&S) -> Option<String>,
) -> Result<(), FolderError> {
    read(file, check)?;
    RunFolder::check_vacant(folder, kind)
}

/// Opens a run that has begun, with its settings.
///
/// # Errors
/// If the folder has none, they make no sense, or another process works in the folder.
pub fn resume<S: DeserializeOwned>(
    folder: &Path,
    kind: RunKind,
    check: impl Fn(&S) -> Option<String>,
) -> Result<(RunFolder, S), FolderError> {
    let folder = RunFolder::open(folder, kind)?;
    let settings = read_kept(folder.path(), check)?;
    Ok((folder, settings))
}

/// The settings of a run that has begun: they were good when it did.
pub(crate) fn read_kept<S: DeserializeOwned>(
    folder: &Path,
    check: impl Fn(&S) -> Option<String>,
) -> Result<S, FolderError> {
    read(&folder.join(SETTINGS), check).map_err(|error| match error {
        FolderError::Settings { path, fault } => FolderError::damaged(path, fault),
        error => error,
    })
}

/// The settings of a file, checked.
pub(crate) fn read<S: DeserializeOwned>(path: &Path, check: impl Fn(&S) -> Option<String>) -> Result<S, FolderError> {
    let text = read_text(path)?;
    let fault = |fault: String| FolderError::Settings { path: path.to_owned(), fault };
    let settings: S = toml::from_str(&text).map_err(|error| {
        let (line, what) = toml_fault(&text, &error);
        fault(format!("line {line}: {what}"))
    })?;
    match check(&settings) {
        Some(found) => Err(fault(found)),
        None => Ok(settings),
    }
}

/// The line of a text in which something is wrong, and what.
pub(crate) fn toml_fault(text: &str, error: &toml::de::Error) -> (usize, String) {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    (before.matches('\n').count() + 1, error.message().chars().take(300).collect())
}

/// Settings as the text of the file at `path`.
pub(super) fn write(settings: &impl Serialize, path: &Path) -> Result<String, FolderError> {
    toml::to_string(settings).map_err(|error| FolderError::Settings { path: path.to_owned(), fault: error.to_string() })
}
