//! One experiment with several seeds, and with several settings. Equal experiments end differently by chance, so a single
//! run says little about the settings; the mean of several and its standard error do.

mod summary;
mod sweep;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use turncoat_players::Roster;
use turncoat_util::digest;

use super::lab::value;
use super::run::{GeneticError, Run, Snapshot, read_experiment};
use super::{Assignment, LabError};
use crate::run_folder::settings::toml_fault;
use crate::run_folder::{EXPERIMENT, FolderError, REPLICATES, RunFolder, RunKind, read_text};

pub use summary::{Estimate, Measure, Replicate, Summary};
pub use sweep::{Sweep, SweepPoint, SweepSummary};

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
        check_seeds(changes).map_err(GeneticError::Request)?;
        let (text, _) = read_experiment(experiment, changes, None, roster)?;
        let folder = RunFolder::create(folder, RunKind::Replicates)?;
        let plan = ReplicatePlan { experiment: digest(&text), seeds };
        begin(&folder, REPLICATES, &plan, text)?;
        Ok(Self { folder, plan })
    }

    /// Resumes the runs of a folder.
    ///
    /// # Errors
    /// If there are none, or the experiment is not the one that they began with.
    pub fn resume(folder: &Path) -> Result<Self, GeneticError> {
        let folder = RunFolder::open(folder, RunKind::Replicates)?;
        let plan: ReplicatePlan = read_plan(folder.path(), REPLICATES)?;
        check_experiment(&folder, &plan.experiment)?;
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

    /// The run of a seed, begun or resumed.
    ///
    /// # Errors
    /// As [`Run::create`] and [`Run::resume`].
    pub fn run(&self, seed: u64, roster: &Roster) -> Result<Run, GeneticError> {
        let folder = folder_of(self.folder(), seed);
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
        for (seed, run) in begun(self.folder(), &self.plan.seeds, roster)? {
            summary.add(seed, &run);
        }
        for (name, contents) in summary.files() {
            self.folder.replace(name, contents)?;
        }
        Ok(summary)
    }
}

/// The runs in a folder as they are now: those of several seeds, or the one run that it holds.
///
/// # Errors
/// If there is no run, or a file is not what was written.
pub fn read_runs(folder: &Path, roster: &Roster) -> Result<Vec<Snapshot>, GeneticError> {
    if RunKind::of(folder) != Some(RunKind::Replicates) {
        return Ok(vec![Snapshot::read(folder, roster)?]);
    }
    let plan: ReplicatePlan = read_plan(folder, REPLICATES)?;
    let runs = begun(folder, &plan.seeds, roster)?;
    if runs.is_empty() {
        return Err(FolderError::NoRun(folder.to_owned()).into());
    }
    Ok(runs.into_iter().map(|(_, run)| run).collect())
}

/// The folder of a seed's run.
fn folder_of(folder: &Path, seed: u64) -> PathBuf {
    folder.join(format!("seed-{seed}"))
}

/// The runs that have begun, with their seeds.
fn begun(folder: &Path, seeds: &[u64], roster: &Roster) -> Result<Vec<(u64, Snapshot)>, GeneticError> {
    let folders = seeds.iter().map(|&seed| (seed, folder_of(folder, seed)));
    let begun = folders.filter(|(_, folder)| RunKind::of(folder).is_some());
    begun.map(|(seed, folder)| Ok((seed, Snapshot::read(&folder, roster)?))).collect()
}

/// Writes what a folder of several runs begins with; it is known by the last file.
fn begin(folder: &RunFolder, name: &str, plan: &impl Serialize, experiment: String) -> Result<(), FolderError> {
    let written = toml::to_string(plan).map_err(|error| FolderError::damaged(folder.file(name), error))?;
    folder.replace(EXPERIMENT, experiment)?;
    folder.replace(name, written)
}

/// Whether the seeds are left to the runs, each of which has its own.
fn check_seeds(changes: &[Assignment]) -> Result<(), LabError> {
    if changes.iter().any(|change| change.key() == "seed") {
        return Err(value("--set seed", "each run has a seed of its own: --seeds 1..3 gives them"));
    }
    Ok(())
}

fn read_plan<P: DeserializeOwned>(folder: &Path, name: &str) -> Result<P, FolderError> {
    let path = folder.join(name);
    let text = read_text(&path)?;
    toml::from_str(&text).map_err(|error| {
        let (line, fault) = toml_fault(&text, &error);
        FolderError::damaged(path, format!("line {line}: {fault}"))
    })
}

/// Whether the experiment is the one that the runs began with.
fn check_experiment(folder: &RunFolder, expected: &str) -> Result<(), FolderError> {
    if digest(folder.read(EXPERIMENT)?) == expected {
        return Ok(());
    }
    let fault = "it is not the experiment that the runs began with";
    Err(FolderError::damaged(folder.file(EXPERIMENT), fault))
}
