//! What a run began with, as a digest in its folder: what was made with other settings, games or weights is not mixed
//! with it.

use std::fs;
use std::path::Path;

use serde::Serialize;
use turncoat_util::{digest, replace_file};

use crate::settings::{SETTINGS, SettingsError};

/// The file of a run's folder that has the digest.
const DIGEST: &str = "settings.digest";

/// The digest of everything that a run's results depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digest(String);

impl Digest {
    /// That of settings in which files stand by what [`contents`] says of them: they may lie in another place later.
    pub(crate) fn of(settings: &impl Serialize, folder: &Path) -> Result<Self, SettingsError> {
        let text = toml::to_string(settings)
            .map_err(|error| SettingsError::Fault { path: folder.join(SETTINGS), fault: error.to_string() })?;
        Ok(Self(digest(text) + "\n"))
    }

    /// Whether the folder has this digest; `false` if it has none, as earlier versions kept none.
    ///
    /// # Errors
    /// If the run began with something else.
    pub(crate) fn is_kept(&self, folder: &Path) -> Result<bool, SettingsError> {
        let path = folder.join(DIGEST);
        if !path.exists() {
            return Ok(false);
        }
        if fs::read_to_string(&path).map_err(SettingsError::io(&path))? == self.0 {
            return Ok(true);
        }
        Err(SettingsError::Changed {
            path: folder.join(SETTINGS),
            fault: "these are not the settings, or not the games or weights, that the run began with".into(),
        })
    }

    /// Keeps it in the folder.
    pub(crate) fn keep(&self, folder: &Path) -> Result<(), SettingsError> {
        let path = folder.join(DIGEST);
        replace_file(&path, self.0.as_bytes()).map_err(SettingsError::io(path))
    }
}

/// What stands for a file in a digest.
pub(crate) fn contents(path: &Path) -> Result<String, SettingsError> {
    let bytes = fs::read(path).map_err(SettingsError::io(path))?;
    Ok(digest(bytes))
}
