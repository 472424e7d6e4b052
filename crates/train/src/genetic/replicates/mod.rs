//! One experiment with several seeds. Equal experiments end differently by chance, so a single run says little about
//! the settings; the mean of several and its standard error do.

mod summary;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turncoat_players::Roster;
use turncoat_util::digest;

use super::Assignment;
use super::run::{GeneticError, Run, read_experiment};
use crate::run_folder::{EXPERIMENT, FolderError, REPLICATES, RunFolder, RunKind, read_text};

pub use summary::{Estimate, Measure, Replicate, Summary};

/// The runs of one experiment, each with its own seed and in its own folder below this one.
#[derive(Debug)]
pub struct Replicates {
    folder: RunFolder,
    plan: ReplicatePlan,
}

/// What the folder is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplicatePlan {
    /// The digest of the experiment's file.
    experiment: String,
    seeds: Vec<u64>,
}

impl Replicates {
    /// Begins the runs of an experiment, with some settings changed, in a new folder.
    ///
    /// # Errors
    /// If the experiment is faulty, or there is something in the folder.
    pub fn create(
        experiment: &Path,
        changes: &[Assignment],
        seeds: Vec<u64>,
        folder: &Path,
        roster: &Roster,
    ) -> Result<Self, GeneticError> {
        let (text, _) = read_experiment(experiment, changes, None, roster)?;
        let folder = RunFolder::create(folder, RunKind::Replicates)?;
        let plan = ReplicatePlan { experiment: digest(&text), seeds };
        let path = folder.file(REPLICATES);
        let written = toml::to_string(&plan).map_err(|error| FolderError::damaged(path, error))?;
        folder.replace(EXPERIMENT, text)?;
        folder.replace(REPLICATES, written)?;
        Ok(Self { folder, plan })
    }

    /// Resumes the runs of a folder.
    ///
    /// # Errors
    /// If there are none, or the experiment is not the one that they began with.
    pub fn resume(folder: &Path) -> Result<Self, GeneticError> {
        let folder = RunFolder::open(folder, RunKind::Replicates)?;
        let path = folder.file(REPLICATES);
        let plan: ReplicatePlan =
            toml::from_str(&read_text(&path)?).map_err(|error| FolderError::damaged(path, error.message()))?;
        if digest(folder.read(EXPERIMENT)?) != plan.experiment {
            let fault = "it is not the experiment that the runs began with";
            return Err(FolderError::damaged(folder.file(EXPERIMENT), fault).into());
        }
        Ok(Self { folder, plan })
    }

    /// Their folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Their seeds.
    pub fn seeds(&self) -> &[u64] {
        &self.plan.seeds
    }

    /// The folder of a seed's run.
    pub fn folder_of(&self, seed: u64) -> PathBuf {
        self.folder.file(&format!("seed-{seed}"))
    }

    /// The run of a seed, begun or resumed.
    ///
    /// # Errors
    /// As [`Run::create`] and [`Run::resume`].
    pub fn run(&self, seed: u64, roster: &Roster) -> Result<Run, GeneticError> {
        let folder = self.folder_of(seed);
        if RunKind::of(&folder).is_some() {
            return Run::resume(&folder, roster);
        }
        let own = Assignment::new("seed", i64::try_from(seed).unwrap_or(i64::MAX));
        Run::create(&self.folder.file(EXPERIMENT), &[own], &folder, None, roster)
    }

    /// Writes what the runs have come to, and answers with it.
    ///
    /// # Errors
    /// If a run cannot be read, or something cannot be written.
    pub fn summarize(&self, roster: &Roster) -> Result<Summary, GeneticError> {
        let mut summary = Summary::default();
        for &seed in &self.plan.seeds {
            let folder = self.folder_of(seed);
            if RunKind::of(&folder).is_some() {
                summary.add(seed, &super::run::Snapshot::read(&folder, roster)?);
            }
        }
        for (name, contents) in summary.files() {
            self.folder.replace(name, contents)?;
        }
        Ok(summary)
    }
}
