//! A run as its folder shows it. Nothing is locked or written, so a process that works on the run is not disturbed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use turncoat_players::Roster;

use super::champion::{self, FinalGames};
use super::checkpoint::{Checkpoint, NAME as CHECKPOINT};
use super::files::{load, read_individuals, read_log, replace_all};
use super::{GenerationRecord, GeneticError, IndividualsRecord, tables};
use crate::genetic::games::Evaluate;
use crate::genetic::{End, Lab, Population, Rated, report};
use crate::run_folder::{FolderError, RunFolder, RunKind};

/// A file may be replaced between two reads; then all are read again, at most so often.
const TRIES: usize = 5;

/// A run at one moment: all that belongs to its last checkpoint.
#[derive(Debug)]
pub struct Snapshot {
    folder: PathBuf,
    lab: Lab,
    state: Checkpoint,
    log: Vec<GenerationRecord>,
}

/// What comes next in a run, or is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The games of this generation.
    Generation(u32),
    /// The last round robin.
    Final,
    /// Nothing: the run is finished.
    Finished,
}

/// Writes the report and the champion of a run as it is now; of one that is not finished, after a round robin of the
/// generations so far. `None` if the flag was raised. A process may work on the run meanwhile.
///
/// # Errors
/// If there is no run, no generation of it is done, a player fails or something cannot be written.
pub fn write_report(
    folder: &Path,
    roster: &Roster,
    games: &mut dyn Evaluate,
) -> Result<Option<(Snapshot, FinalGames)>, GeneticError> {
    loop {
        let run = Snapshot::read(folder, roster)?;
        if run.state.done == 0 {
            return Err(GeneticError::NoGeneration { generation: 1, done: 0 });
        }
        let (records, finished) = (run.records()?, run.state.complete);
        let found = if finished {
            champion::with_match(&run.lab, champion::read(folder)?, run.state.done, games)?
        } else {
            champion::play(&run.lab, &records, games)?
        };
        let Some(found) = found else {
            return Ok(None);
        };
        replace_all(folder, &report::files(&run.lab, &run.log, &records, &found, finished))?;
        // A run that ended meanwhile has the last word.
        if finished || !Checkpoint::read(folder)?.complete {
            return Ok(Some((run, found)));
        }
    }
}

/// Reads files that belong together, again if one was replaced meanwhile.
pub(in crate::genetic) fn read_whole<T>(read: impl Fn() -> Result<T, GeneticError>) -> Result<T, GeneticError> {
    let mut found = read();
    for _ in 1..TRIES {
        if !matches!(found, Err(GeneticError::Folder(FolderError::Damaged { .. }))) {
            break;
        }
        found = read();
    }
    found
}

impl Snapshot {
    /// Reads the run of a folder.
    ///
    /// # Errors
    /// If there is none, or a file of it is not what was written.
    pub fn read(folder: &Path, roster: &Roster) -> Result<Self, GeneticError> {
        RunFolder::check_begun(folder, RunKind::Genetic)?;
        read_whole(|| Self::read_once(folder, roster))
    }

    fn read_once(folder: &Path, roster: &Roster) -> Result<Self, GeneticError> {
        let (state, _, lab) = load(folder, roster)?;
        let log = read_log(folder, &state)?;
        Ok(Self { folder: folder.to_owned(), lab, state, log })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its experiment.
    pub const fn lab(&self) -> &Lab {
        &self.lab
    }

    /// The population that is next; after the last generation, that one.
    pub const fn population(&self) -> &Population {
        &self.state.population
    }

    /// The generations done.
    pub fn log(&self) -> &[GenerationRecord] {
        &self.log
    }

    /// Why it has ended, if it has.
    pub fn end(&self) -> Option<End> {
        let best: Vec<f64> = self.log.iter().map(|record| record.best).collect();
        self.lab.experiment.end(&best)
    }

    /// What comes next, or is under way.
    pub const fn stage(&self) -> Stage {
        match (self.state.complete, self.state.has_ended()) {
            (true, _) => Stage::Finished,
            (false, true) => Stage::Final,
            (false, false) => Stage::Generation(self.state.population.generation),
        }
    }

    /// The process that works on it, and for how long it has been at the present stage.
    pub fn worker(&self) -> Option<(u32, Duration)> {
        let (process, since) = RunFolder::worker(&self.folder)?;
        let saved = fs::metadata(self.folder.join(CHECKPOINT)).and_then(|file| file.modified());
        let since = saved.map_or(since, |saved| saved.max(since));
        Some((process, since.elapsed().unwrap_or_default()))
    }

    /// How long generations took, those of which it is known.
    pub fn seconds(&self) -> Vec<(u32, f64)> {
        let mut known = tables::read_seconds(&self.folder);
        known.retain(|(generation, _)| *generation <= self.state.done);
        known
    }

    /// The logged individuals of a generation, best first.
    ///
    /// # Errors
    /// If it is not done, or the journal is not what was written.
    pub fn individuals(&self, generation: u32) -> Result<Vec<Rated>, GeneticError> {
        let found = self.records()?.into_iter().find(|record| record.generation == generation);
        Ok(found.ok_or(GeneticError::NoGeneration { generation, done: self.state.done })?.individuals)
    }

    /// One of the logged individuals of a generation, the best being of rank 1.
    ///
    /// # Errors
    /// As [`Self::individuals`], and if it is not logged.
    pub fn individual(&self, generation: u32, rank: usize) -> Result<Rated, GeneticError> {
        let mut individuals = self.individuals(generation)?;
        let kept = individuals.len();
        if !(1..=kept).contains(&rank) {
            return Err(GeneticError::NoRank { generation, rank, kept });
        }
        Ok(individuals.swap_remove(rank - 1))
    }

    /// The logged individuals of all generations.
    pub(in crate::genetic) fn records(&self) -> Result<Vec<IndividualsRecord>, GeneticError> {
        Ok(read_individuals(&self.folder, &self.state, &self.lab.layout)?)
    }
}
