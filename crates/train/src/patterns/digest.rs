//! What a training began with, as a digest beside its settings: stages that were trained with others are not mixed.
//!
//! It is made and kept as that of self-play is.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use turncoat_eval::checksum;

use super::files::{RunError, at};
use super::gather::all_shards;
use super::settings::Settings;
use crate::settings::{SETTINGS, SettingsError};
use crate::whole;

/// The file of the folder that has the digest.
const DIGEST: &str = "settings.digest";

/// The digest of what the weights depend on.
pub(super) struct Digest(String);

impl Digest {
    /// That of a training. Games and weights count by their contents: they may lie in another place later.
    pub(super) fn of(settings: &Settings, folder: &Path) -> Result<Self, RunError> {
        let contents = |path: &PathBuf| {
            let bytes = fs::read(path).map_err(at(path))?;
            Ok(PathBuf::from(format!("{:016x}", checksum(bytes))))
        };
        let games = all_shards(settings)?;
        let known = Settings {
            games: games
                .par_iter()
                .map(contents)
                .collect::<Result<_, RunError>>()?,
            start: settings.start.as_ref().map(contents).transpose()?,
            ..settings.clone()
        };
        let text = toml::to_string(&known).map_err(|error| SettingsError::Fault {
            path: folder.join(SETTINGS),
            fault: error.to_string(),
        })?;
        Ok(Self(format!("{:016x}\n", checksum(text.bytes()))))
    }

    /// Refuses a folder whose training began with something else. Earlier versions kept no digest.
    pub(super) fn check(&self, folder: &Path) -> Result<(), RunError> {
        let path = folder.join(DIGEST);
        if !path.exists() || fs::read_to_string(&path).map_err(at(&path))? == self.0 {
            return Ok(());
        }
        Err(RunError::Settings(SettingsError::Changed {
            path: folder.join(SETTINGS),
            fault:
                "these are not the settings, or not the games or weights, that the run began with"
                    .into(),
        }))
    }

    /// Keeps it in the folder.
    pub(super) fn keep(&self, folder: &Path) -> Result<(), RunError> {
        let path = folder.join(DIGEST);
        whole::replace(&path, self.0.as_bytes()).map_err(at(&path))
    }
}
