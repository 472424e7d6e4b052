//! The folder of a self-play run: its plan, and a file of games for each shard that is done.

use std::fs;
use std::path::{Path, PathBuf};

use turncoat_board::VariantKind;

use super::Plan;
use crate::games::{Record, read_shard, write_shard};
use crate::settings::{self, SettingsError};
use crate::whole;

/// A run in its folder.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    plan: Plan,
}

impl Folder {
    /// Begins the run of a plan's file in a new folder.
    ///
    /// # Errors
    /// If the plan makes no sense, or the folder has a run already.
    pub fn create(file: &Path, folder: &Path) -> Result<Self, SettingsError> {
        let plan = settings::create(file, folder, Plan::fault)?;
        let path = folder.to_owned();
        Ok(Self { path, plan })
    }

    /// Goes on with the run of a folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn resume(folder: &Path) -> Result<Self, SettingsError> {
        let plan = settings::resume(folder, Plan::fault)?;
        let path = folder.to_owned();
        Ok(Self { path, plan })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How its games are played.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The shards that are still to be played: those that are not there, or damaged.
    pub fn missing(&self) -> Vec<u64> {
        let variant = self.plan.variant.into();
        let is_missing = |&shard: &u64| {
            let games = fs::read(self.shard(shard));
            !games.is_ok_and(|games| read_shard(&games, variant).is_ok())
        };
        (0..self.plan.shards()).filter(is_missing).collect()
    }

    /// Puts the games of a shard in their place, all at once.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep(&self, shard: u64, games: &[Record]) -> Result<(), SettingsError> {
        let variant: VariantKind = self.plan.variant.into();
        let path = self.shard(shard);
        whole::replace(&path, &write_shard(variant, games)).map_err(SettingsError::io(path))
    }

    fn shard(&self, shard: u64) -> PathBuf {
        self.path.join(format!("{shard:06}.games"))
    }
}
