//! A self-play run in its folder: its plan, and a file of games for each shard that is done.
//!
//! A digest beside the plan tells what the run began with. Games depend on the plan alone, so one that was edited
//! would mix two runs' games unseen.

use std::fs;
use std::path::{Path, PathBuf};

use super::SelfplayPlan;
use crate::games::{TrainingGame, read_shard, write_shard};
use crate::run_folder::{Digest, FolderError, RunFolder, RunKind, digest_of_file, settings};

/// A run in its folder, where no other process works as long as this lives.
#[derive(Debug)]
pub struct SelfplayRun {
    folder: RunFolder,
    plan: SelfplayPlan,
}

impl SelfplayRun {
    /// Begins the run of a plan's file in a new folder.
    ///
    /// # Errors
    /// If the plan makes no sense, or the folder has a run or anything else in it.
    pub fn create(file: &Path, folder: &Path) -> Result<Self, FolderError> {
        let (folder, plan) = settings::create(file, folder, RunKind::Selfplay, SelfplayPlan::fault)?;
        let run = Self { folder, plan };
        run.digest()?.write(&run.folder)?;
        Ok(run)
    }

    /// Whether [`Self::create`] would begin a run; nothing is written.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn check(file: &Path, folder: &Path) -> Result<(), FolderError> {
        settings::check(file, folder, RunKind::Selfplay, SelfplayPlan::fault)
    }

    /// Continues the run of a folder.
    ///
    /// # Errors
    /// If there is none, its plan is not the one that it began with, or another process works on it.
    pub fn resume(folder: &Path) -> Result<Self, FolderError> {
        let (folder, plan) = settings::resume(folder, RunKind::Selfplay, SelfplayPlan::fault)?;
        let run = Self { folder, plan };
        let digest = run.digest()?;
        if !digest.check(&run.folder)? {
            // Its games are all there is to go by.
            run.check_shards()?;
            digest.write(&run.folder)?;
        }
        Ok(run)
    }

    /// The path of its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// How its games are played.
    pub const fn plan(&self) -> &SelfplayPlan {
        &self.plan
    }

    /// The shards that are still to be played: those that are not there, damaged, or not whole.
    pub fn missing(&self) -> Vec<u64> {
        let is_missing = |&shard: &u64| {
            let games = self.plan.games_of(shard);
            self.games_in(shard) != Some(games.end - games.start)
        };
        (0..self.plan.shards()).filter(is_missing).collect()
    }

    /// Writes the games of a shard, all at once.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep(&self, shard: u64, games: &[TrainingGame]) -> Result<(), FolderError> {
        self.folder.replace(&name_of(shard), write_shard(self.plan.variant, self.plan.size, games))
    }

    fn shard(&self, shard: u64) -> PathBuf {
        self.folder.file(&name_of(shard))
    }

    /// The number of games in the file of a shard, if it is a good one.
    fn games_in(&self, shard: u64) -> Option<u64> {
        let file = fs::read(self.shard(shard)).ok()?;
        let games = read_shard(&file, self.plan.variant, self.plan.size).ok()?;
        Some(games.len() as u64)
    }

    /// What all games depend on.
    fn digest(&self) -> Result<Digest, FolderError> {
        let mut plan = self.plan.clone();
        if let Some(file) = self.plan.evaluation_file() {
            plan.evaluation = digest_of_file(file)?;
        }
        Digest::new(&plan, &self.folder)
    }

    /// Whether the games that are there can be those of the plan.
    fn check_shards(&self) -> Result<(), FolderError> {
        for shard in 0..self.plan.shards() {
            let games = self.plan.games_of(shard);
            let expected = games.end - games.start;
            let Some(found) = self.games_in(shard).filter(|&found| found != expected) else {
                continue;
            };
            let fault = format!(
                "it has {found} games, and {expected} by the settings: these are not the settings that the run began with"
            );
            return Err(FolderError::changed(self.shard(shard), fault));
        }
        let beyond = self.shard(self.plan.shards());
        if beyond.exists() {
            let fault = "the settings have no such games: these are not the settings that the run began with";
            return Err(FolderError::changed(beyond, fault));
        }
        Ok(())
    }
}

/// The file of a shard.
fn name_of(shard: u64) -> String {
    format!("{shard:06}.games")
}

#[cfg(test)]
mod tests {
    use turncoat_players::StopFlag;

    use super::super::play_chunk;
    use super::*;
    use crate::run_folder::settings::SETTINGS;

    const RUN: &str = "variant = \"reversed\"\nevaluation = \"hand\"\ngames = 5\nseed = 5\ndepth = 1\n\
        solve = 4\nshard = 2\nrandom = [{ plies = [50, 50], share = 1.0 }]\n";

    /// A finished run of five games, two in a file, in a folder of its own.
    fn finished() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let (file, path) = (place.path().join("run.toml"), place.path().join("run"));
        fs::write(&file, RUN).unwrap();
        let folder = SelfplayRun::create(&file, &path).unwrap();
        for shard in folder.missing() {
            let games = folder.plan().games_of(shard);
            let games = play_chunk(folder.plan(), games, &StopFlag::default());
            folder.keep(shard, &games.unwrap()).unwrap();
        }
        assert!(folder.missing().is_empty());
        (place, path)
    }

    fn edit(path: &Path, from: &str, to: &str) {
        let kept = path.join(SETTINGS);
        let text = fs::read_to_string(&kept).unwrap();
        assert!(text.contains(from));
        fs::write(kept, text.replace(from, to)).unwrap();
    }

    /// The run does not continue with this setting changed, which is then put back.
    fn refused_with(path: &Path, from: &str, to: &str) {
        edit(path, from, to);
        let refused = SelfplayRun::resume(path).unwrap_err();
        assert!(matches!(refused, FolderError::Changed { .. }), "{refused}");
        edit(path, to, from);
    }

    #[test]
    fn other_settings_are_refused() {
        let (_place, path) = finished();
        refused_with(&path, "seed = 5", "seed = 6");
        refused_with(&path, "games = 5", "games = 7");
        refused_with(&path, "depth = 1", "depth = 2");
        // Only what they mean counts.
        edit(&path, "seed = 5", "# By hand\nseed  =  5");
        assert!(SelfplayRun::resume(&path).unwrap().missing().is_empty());
    }

    #[test]
    fn games_of_an_earlier_version_s_run_are_counted() {
        let (_place, path) = finished();
        let forget = || fs::remove_file(path.join("settings.digest")).unwrap();
        forget();
        refused_with(&path, "games = 5", "games = 6");
        refused_with(&path, "games = 5", "games = 4");
        refused_with(&path, "shard = 2", "shard = 3");
        assert!(SelfplayRun::resume(&path).unwrap().missing().is_empty());
        // From then on it has a digest.
        edit(&path, "seed = 5", "seed = 6");
        assert!(SelfplayRun::resume(&path).is_err());
    }

    #[test]
    fn a_shard_that_is_not_whole_is_played_again() {
        let (_place, path) = finished();
        fs::copy(path.join("000002.games"), path.join("000000.games")).unwrap();
        fs::write(path.join("000001.games"), "no games").unwrap();
        assert_eq!(SelfplayRun::resume(&path).unwrap().missing(), [0, 1]);
    }

    #[test]
    fn one_works_in_a_folder_at_a_time() {
        let (place, path) = finished();
        let held = SelfplayRun::resume(&path).unwrap();
        assert!(matches!(SelfplayRun::resume(&path), Err(FolderError::Busy(_))));
        drop(held);
        assert!(SelfplayRun::resume(&path).is_ok());
        assert!(matches!(SelfplayRun::resume(place.path()), Err(FolderError::NoRun(_))));
    }
}
