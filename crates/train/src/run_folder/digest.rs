//! What a run's results depend on, as a digest in its folder.

use std::fs;
use std::path::Path;

use serde::Serialize;
use turncoat_util::digest;

use super::settings::{SETTINGS, write};
use super::{FolderError, RunFolder};

/// The file of a run's folder that has the digest.
const DIGEST: &str = "settings.digest";

/// The digest of everything that a run's results depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Digest(String);

impl Digest {
    /// The digest of settings. Files stand in them by their [`digest_of_file`], since they may lie elsewhere later.
    pub(crate) fn new(settings: &impl Serialize, folder: &RunFolder) -> Result<Self, FolderError> {
        Ok(Self(digest(write(settings, &folder.file(SETTINGS))?) + "\n"))
    }

    /// Whether the folder has this digest; `false` if it has none, as earlier versions kept none.
    ///
    /// # Errors
    /// If the run began with something else.
    pub(crate) fn check(&self, folder: &RunFolder) -> Result<bool, FolderError> {
        if !folder.file(DIGEST).exists() {
            return Ok(false);
        }
        if folder.read(DIGEST)? == self.0 {
            return Ok(true);
        }
        let fault = "these are not the settings, or not the games or weights, that the run began with";
        Err(FolderError::changed(folder.file(SETTINGS), fault))
    }

    /// Writes it into the folder.
    pub(crate) fn write(&self, folder: &RunFolder) -> Result<(), FolderError> {
        folder.replace(DIGEST, &self.0)
    }
}

/// What stands for a file in a digest.
pub(crate) fn digest_of_file(path: &Path) -> Result<String, FolderError> {
    fs::read(path).map(digest).map_err(FolderError::io(path))
}
