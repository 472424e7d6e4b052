//! Runs: a folder each, with a checkpoint after every generation.
//!
//! | file | holds |
//! |---|---|
//! | `experiment.toml` | the experiment, as it was given |
//! | `log.jsonl` | a line a generation: fitness, spread, yardsticks |
//! | `individuals.jsonl` | a line a generation: its best individuals with games and age |
//! | `checkpoint.json` | all that the run needs to continue |
//! | `champion.toml` | the champion's parameters, for `weights=` |
//! | `standings.json`, `match.json` | the last round robin; the champion against the player as it was before |
//! | `report.html`, `*.svg` | pictures |
//! | `log.csv`, `seconds.csv` | the log as a table; how long each generation took |
//!
//! A generation is written in this order: journals, then the checkpoint, which knows how long they are. So a
//! run that is killed anywhere continues from its last checkpoint, and what it had written after that is
//! dropped. Nothing that depends on time is written but `seconds.csv`, so equal seeds give equal files.
//! [`Snapshot`] reads a folder whether or not a process works in it.

mod champion;
mod checkpoint;
mod error;
mod files;
mod populations;
mod reading;
mod record;
mod snapshot;
mod tables;

use std::fs;
use std::path::Path;
use std::time::Instant;

use turncoat_players::Roster;
use turncoat_util::digest;

pub use self::champion::{ChampionMatch, FinalGames, FinalStanding};
use self::checkpoint::Checkpoint;
pub use self::error::GeneticError;
pub(super) use self::files::read_experiment;
use self::files::{change_experiment, check_end, load, read_begun, read_log, replace_all};
pub(super) use self::reading::{FILES as READ_FILES, Reading};
pub use self::record::{GenerationRecord, IndividualsRecord, YardstickRecord};
pub(super) use self::snapshot::read_whole;
pub use self::snapshot::{Snapshot, Stage, write_report};
use super::games::{Batch, Evaluate};
use super::{Assignment, End, Lab, Population, Rated, algorithm, fitness, report};
use crate::run_folder::{EXPERIMENT, Journal, JournalMark, RunFolder, RunKind, read_lines};

pub(super) const LOG: &str = "log.jsonl";
const INDIVIDUALS: &str = "individuals.jsonl";
/// The settings that decide when a run ends. The others decide what it is.
const ENDS: [&str; 3] = ["generations", "patience", "target"];
/// The champion's parameters.
pub const CHAMPION: &str = "champion.toml";

/// A run under way.
pub struct Run {
    folder: RunFolder,
    lab: Lab,
    state: Checkpoint,
    log: Journal,
    individuals: Journal,
    /// The best fitness of each generation.
    best: Vec<f64>,
}

/// How far a run has come.
#[derive(Debug)]
pub enum Step {
    /// A generation more is done.
    Generation(GenerationRecord),
    /// All is done; these are the last standings, champion first.
    Complete(Vec<FinalStanding>),
    /// The flag was raised.
    Interrupted,
}

impl Run {
    /// Begins a run of an experiment, with some settings changed, in a folder of its own. A seed is for files that have
    /// none; without any it is 1.
    ///
    /// # Errors
    /// If the experiment is faulty, or there is something in the folder.
    pub fn create(
        experiment: &Path,
        changes: &[Assignment],
        folder: &Path,
        seed: Option<u64>,
        roster: &Roster,
    ) -> Result<Self, GeneticError> {
        let (text, lab) = read_experiment(experiment, changes, seed, roster)?;
        let folder = RunFolder::create(folder, RunKind::Genetic)?;
        let state = Checkpoint {
            seed: lab.seed,
            experiment: digest(&text),
            files: lab.files(),
            done: 0,
            population: algorithm::first(&lab),
            log: JournalMark::EMPTY,
            individuals: JournalMark::EMPTY,
            complete: false,
            changed: None,
        };
        folder.replace(EXPERIMENT, &text)?;
        state.write(&folder).inspect_err(|_| {
            // Without a checkpoint it is no run, and would be in the way of one.
            let _ = fs::remove_file(folder.file(EXPERIMENT));
        })?;
        Self::begin(folder, lab, state)
    }

    /// Checks that [`Self::create`] would begin a run of an experiment; nothing is written.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn check(
        experiment: &Path,
        changes: &[Assignment],
        folder: &Path,
        seed: Option<u64>,
        roster: &Roster,
    ) -> Result<(), GeneticError> {
        read_experiment(experiment, changes, seed, roster)?;
        Ok(RunFolder::check_vacant(folder, RunKind::Genetic)?)
    }

    /// Resumes the run of a folder.
    ///
    /// # Errors
    /// If there is none, a file of it is not what was written, or a program is not the one that it began with.
    pub fn resume(folder: &Path, roster: &Roster) -> Result<Self, GeneticError> {
        let folder = RunFolder::open(folder, RunKind::Genetic)?;
        let (state, _, lab) = load(folder.path(), roster)?;
        Self::begin(folder, lab, state)
    }

    /// Resumes the run of a folder with another end, as if it had been planned so from the beginning.
    ///
    /// # Errors
    /// As [`Self::resume`]; also if another setting is to be changed, or the run would have ended already.
    pub fn prolong(folder: &Path, changes: &[Assignment], roster: &Roster) -> Result<Self, GeneticError> {
        let folder = RunFolder::open(folder, RunKind::Genetic)?;
        let (mut state, text, mut lab) = load(folder.path(), roster)?;
        let before = state.experiment.clone();
        if let Some(change) = changes.iter().find(|change| !ENDS.contains(&change.key().as_str())) {
            return Err(GeneticError::Fixed { key: change.key() });
        }
        let read = |text: &str| read_begun(text, &state, roster);
        let (text, changed) = change_experiment(&text, changes, &folder.file(EXPERIMENT), read)?;
        state.experiment = digest(&text);
        if state.experiment != before {
            lab = changed;
            check_end(&lab, &read_log(folder.path(), &state)?)?;
            if state.has_ended() {
                // Who was bred from the last generation is not known; and it may have met yardsticks as the last one.
                state = state.before_last_generation(folder.path())?;
            }
            state.changed = Some(text);
            state.write(&folder)?;
        }
        Self::begin(folder, lab, state)
    }

    fn begin(folder: RunFolder, lab: Lab, mut state: Checkpoint) -> Result<Self, GeneticError> {
        let log = Journal::open(folder.file(LOG), state.log)?;
        let individuals = Journal::open(folder.file(INDIVIDUALS), state.individuals)?;
        if let Some(text) = state.changed.take() {
            folder.replace(EXPERIMENT, text)?;
        }
        let records = read_log(folder.path(), &state)?;
        tables::begin(folder.path(), &lab, &records)?;
        let best = records.iter().map(|record| record.best).collect();
        Ok(Self { folder, lab, state, log, individuals, best })
    }

    /// Its experiment.
    pub const fn lab(&self) -> &Lab {
        &self.lab
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Generations done.
    pub const fn done(&self) -> u32 {
        self.state.done
    }

    /// The population that is next; after the last generation, that one.
    pub const fn population(&self) -> &Population {
        &self.state.population
    }

    /// The log so far.
    ///
    /// # Errors
    /// If it cannot be read or is not what was written.
    pub fn log(&self) -> Result<Vec<GenerationRecord>, GeneticError> {
        Ok(read_log(self.folder.path(), &self.state)?)
    }

    /// Why it has ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.lab.experiment.end(&self.best)
    }

    /// The champion's match, if the run is finished and there was one.
    ///
    /// # Errors
    /// If it cannot be read or is not what was written.
    pub fn last_match(&self) -> Result<Option<ChampionMatch>, GeneticError> {
        Ok(if self.state.complete { champion::read_match(self.folder.path())? } else { None })
    }

    /// Has a generation more played, or chooses the champion after the last one.
    ///
    /// # Errors
    /// If a player fails or something cannot be written; the last checkpoint stays.
    pub fn step(&mut self, games: &mut dyn Evaluate) -> Result<Step, GeneticError> {
        if self.state.has_ended() {
            return self.conclude(games);
        }
        let began = Instant::now();
        let population = &self.state.population;
        let batch = fitness::games(&self.lab, population);
        let Some(margins) = self.play(&batch, games)? else {
            return Ok(Step::Interrupted);
        };
        let rated = fitness::rate(&self.lab, population, &batch, &margins);
        let Some(yardsticks) = self.yardsticks(&rated, games)? else {
            return Ok(Step::Interrupted);
        };
        let count = batch.games.len();
        let record = GenerationRecord::new(&self.lab, population, &rated, count, yardsticks);
        self.keep(&rated, &record)?;
        tables::append(self.folder.path(), &self.lab, &record, began.elapsed())?;
        Ok(Step::Generation(record))
    }

    /// Writes a generation down, and makes the next one.
    fn keep(&mut self, rated: &[Rated], record: &GenerationRecord) -> Result<(), GeneticError> {
        let population = &self.state.population;
        let representatives = algorithm::representatives(population, rated);
        let mut individuals = rated.to_vec();
        individuals.truncate(self.lab.experiment.keep.max(1));
        for &rated in &representatives {
            if !individuals.contains(rated) {
                individuals.push(rated.clone());
            }
        }
        self.individuals.append(&IndividualsRecord {
            generation: population.generation,
            representatives: representatives.iter().map(|j| j.individual.id).collect(),
            individuals,
        })?;
        self.log.append(record)?;
        let mut state = Checkpoint {
            done: population.generation,
            log: self.log.mark,
            individuals: self.individuals.mark,
            ..self.state.clone()
        };
        let best = [&*self.best, &[record.best]].concat();
        if self.lab.experiment.end(&best).is_none() {
            state.population = algorithm::next(&self.lab, population, rated);
        }
        state.write(&self.folder)?;
        self.state = state;
        self.best = best;
        Ok(())
    }

    fn play(&self, batch: &Batch, games: &mut dyn Evaluate) -> Result<Option<Vec<i8>>, GeneticError> {
        let generation = self.state.population.generation;
        games.evaluate_all(batch).map_err(|source| GeneticError::Play { generation, source })
    }

    fn yardsticks(
        &self,
        rated: &[Rated],
        games: &mut dyn Evaluate,
    ) -> Result<Option<Vec<YardstickRecord>>, GeneticError> {
        let mut records = Vec::new();
        let plans = self.lab.experiment.yardstick.iter().zip(&self.lab.yardsticks);
        for (yardstick, (plan, opponent)) in plans.enumerate() {
            let generation = self.state.population.generation;
            let which = (yardstick, plan, opponent);
            let batch = fitness::yardstick_games(&self.lab, which, generation, rated);
            let Some(batch) = batch else {
                continue;
            };
            let Some(margins) = self.play(&batch, games)? else {
                return Ok(None);
            };
            records.push(YardstickRecord {
                yardstick,
                player: plan.player.clone(),
                who: plan.who,
                tally: fitness::count(&batch, &margins, 2)[0],
            });
        }
        Ok(Some(records))
    }

    /// Chooses the champion and draws the report, unless that is done.
    fn conclude(&mut self, games: &mut dyn Evaluate) -> Result<Step, GeneticError> {
        if self.state.complete {
            return Ok(Step::Complete(champion::read(self.folder.path())?.standings));
        }
        let records: Vec<IndividualsRecord> = read_lines(&self.folder.file(INDIVIDUALS), self.individuals.mark)?;
        let Some(found) = champion::play(&self.lab, &records, games)? else {
            return Ok(Step::Interrupted);
        };
        champion::write(self.folder.path(), &found)?;
        let files = report::files(&self.lab, &self.log()?, &records, &found, true);
        replace_all(self.folder.path(), &files)?;
        let state = Checkpoint { complete: true, ..self.state.clone() };
        state.write(&self.folder)?;
        self.state = state;
        // Another process may have written a report of the unfinished run meanwhile. From now on it would not.
        replace_all(self.folder.path(), &files)?;
        Ok(Step::Complete(found.standings))
    }
}
