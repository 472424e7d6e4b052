//! A tuning in its folder.
//!
//! | file | holds |
//! |---|---|
//! | `settings.toml`, `settings.digest` | the settings, and the digest of everything that the values depend on |
//! | `log.jsonl` | a line now and then, at most two hundred: the values, and the games since the last line |
//! | `checkpoint.json` | all that the run needs to continue |
//! | `tuned.jsonl` | in the end: each parameter with its start and its value |
//! | `tuned.toml` | in the end: the parameter file, if weights are tuned |
//! | `parameters.svg` | in the end: a chart of the values |
//!
//! A checkpoint is written every second or so, when the run is stopped, and in the end. It knows how long the log was.
//! Iterations depend on the values and their numbers alone, so a run that is killed plays some games again and ends with
//! the same files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::error::TuneError;
use super::report;
use super::settings::TuneSettings;
use super::tuner::Tuner;
use crate::genetic::ColorTally;
use crate::genetic::games::Evaluate;
use crate::run_folder::{
    CHECKPOINT, FolderError, Journal, JournalMark, RunFolder, RunKind, read_checkpoint, read_lines, settings,
    write_checkpoint,
};

const LOG: &str = "log.jsonl";
/// The tuned parameter file.
const TUNED: &str = "tuned.toml";
const VALUES: &str = "tuned.jsonl";
const CHART: &str = "parameters.svg";
/// What the first line of a checkpoint says.
const WHAT: &str = "checkpoint of a tuning";
/// Checkpoints of another format are refused.
const FORMAT: u32 = 1;
/// At most so many lines are logged.
const LINES: u64 = 200;
/// Between two checkpoints: a disk may need longer for one than some batches take.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(1);

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TuneRecord {
    /// Iterations done.
    pub iteration: u64,
    /// Games that the plus players won since the last line.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

/// All that a run needs to continue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct TuneState {
    /// Iterations done.
    done: u64,
    /// The values now.
    values: Vec<f64>,
    /// Games since the last line of the log.
    tally: ColorTally,
    /// The log as it was.
    log: JournalMark,
    /// Whether all files are written.
    complete: bool,
}

/// A tuning in its folder, where no other process works as long as this lives.
#[derive(Debug)]
pub struct TuneRun {
    folder: RunFolder,
    tuner: Tuner,
    state: TuneState,
    log: Journal,
    saved: Instant,
}

/// How far a run has come.
#[derive(Debug, Clone, PartialEq)]
pub enum TuneStep {
    /// A batch of iterations more is done; a line of the log if one was due.
    Batch(Option<TuneRecord>),
    /// All is done.
    Complete,
    /// The flag was raised.
    Interrupted,
}

/// What is wrong with settings, if anything.
fn fault(settings: &TuneSettings) -> Option<String> {
    Tuner::new(settings.clone()).err().map(|error| error.to_string())
}

impl TuneRun {
    /// Begins the run of a settings file in a new folder.
    ///
    /// # Errors
    /// If the settings make no sense, or the folder has a run or anything else in it.
    pub fn create(file: &Path, folder: &Path) -> Result<Self, TuneError> {
        let (folder, settings) = settings::create(file, folder, RunKind::Tune, fault)?;
        Self::open(folder, settings)
    }

    /// Resumes the run of a folder.
    ///
    /// # Errors
    /// If there is none, a file of it is not what was written, its settings or files are not those that it began with, or
    /// another process works on it.
    pub fn resume(folder: &Path) -> Result<Self, TuneError> {
        let (folder, settings) = settings::resume(folder, RunKind::Tune, fault)?;
        Self::open(folder, settings)
    }

    fn open(folder: RunFolder, settings: TuneSettings) -> Result<Self, TuneError> {
        let path = folder.file(settings::SETTINGS);
        let tuner = Tuner::new(settings)
            .map_err(|error| FolderError::Settings { path: path.clone(), fault: error.to_string() })?;
        let has_begun = folder.file(CHECKPOINT).exists();
        let digest = tuner.digest(&folder)?;
        if !digest.check(&folder)? {
            if has_begun {
                return Err(FolderError::damaged(path, "the digest of its settings is missing").into());
            }
            digest.write(&folder)?;
        }
        let state = if has_begun { read_checkpoint(folder.path(), WHAT, FORMAT)? } else { TuneState::new(&tuner) };
        if !state.fits(&tuner) {
            return Err(
                FolderError::damaged(folder.file(CHECKPOINT), "its values are not those of the settings").into()
            );
        }
        let log = Journal::open(folder.file(LOG), state.log)?;
        Ok(Self { folder, tuner, state, log, saved: Instant::now() })
    }

    /// What is tuned, and how.
    pub const fn tuner(&self) -> &Tuner {
        &self.tuner
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Iterations done.
    pub const fn done(&self) -> u64 {
        self.state.done
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        &self.state.values
    }

    /// The values as they are kept in the end: rounded, whole where they are integers.
    pub fn settled(&self) -> Vec<f64> {
        report::settled(&self.tuner, &self.state.values)
    }

    /// The path of the chart.
    pub fn chart(&self) -> PathBuf {
        self.folder.file(CHART)
    }

    /// The tuned player, and the player that it began with.
    pub fn players(&self) -> [String; 2] {
        let subject = self.tuner.subject();
        let values = self.settled();
        let file = subject.file(&values).map(|_| self.folder.file(TUNED));
        [subject.text(&values, file.as_deref()), subject.text(&self.tuner.spsa().start(), None)]
    }

    /// Has a batch of iterations more played, or writes the results after the last one.
    ///
    /// # Errors
    /// If a player fails or something cannot be written; the last checkpoint stays.
    pub fn step(&mut self, games: &mut dyn Evaluate) -> Result<TuneStep, TuneError> {
        if self.state.done == self.tuner.settings().iterations {
            return self.conclude();
        }
        let before = self.state.done;
        let batch = self.tuner.games(before, &self.state.values);
        let played = games.evaluate_all(&batch).map_err(|source| TuneError::Play { iteration: before + 1, source })?;
        let Some(margins) = played else {
            self.save()?;
            return Ok(TuneStep::Interrupted);
        };
        let TuneState { values, tally, .. } = &mut self.state;
        self.state.done = self.tuner.learn(before, values, &batch, &margins, tally);
        let line = if self.is_line_due(before) { Some(self.write_line()?) } else { None };
        if self.saved.elapsed() >= BETWEEN_CHECKPOINTS {
            self.save()?;
        }
        Ok(TuneStep::Batch(line))
    }

    /// Whether a line was due since so many iterations were done.
    fn is_line_due(&self, before: u64) -> bool {
        let lines = |done: u64| done * LINES / self.tuner.settings().iterations;
        lines(self.state.done) > lines(before)
    }

    fn write_line(&mut self) -> Result<TuneRecord, TuneError> {
        let TuneState { done, values, tally, .. } = &self.state;
        let record = TuneRecord {
            iteration: *done,
            wins: tally.wins(),
            draws: tally.draws,
            losses: tally.losses,
            values: values.clone(),
        };
        self.log.append(&record)?;
        self.state.log = self.log.mark;
        self.state.tally = ColorTally::default();
        Ok(record)
    }

    fn save(&mut self) -> Result<(), TuneError> {
        write_checkpoint(&self.folder, WHAT, FORMAT, &self.state)?;
        self.saved = Instant::now();
        Ok(())
    }

    /// Writes the results, unless that is done.
    fn conclude(&mut self) -> Result<TuneStep, TuneError> {
        if self.state.complete {
            return Ok(TuneStep::Complete);
        }
        let settled = self.settled();
        let values = report::values(&self.tuner, &settled)
            .map_err(|error| FolderError::io(self.folder.file(VALUES))(error.into()))?;
        self.folder.replace(VALUES, values)?;
        if let Some(file) = self.tuner.subject().file(&settled) {
            let head = format!("# {} after {} iterations\n", self.tuner.settings().player, self.state.done);
            self.folder.replace(TUNED, head + &file)?;
        }
        let log: Vec<TuneRecord> = read_lines(&self.folder.file(LOG), self.log.mark)?;
        self.folder.replace(CHART, report::chart(&self.tuner, &log, &settled))?;
        self.state.complete = true;
        self.save()?;
        Ok(TuneStep::Complete)
    }
}

impl TuneState {
    /// The beginning.
    fn new(tuner: &Tuner) -> Self {
        Self {
            done: 0,
            values: tuner.spsa().start(),
            tally: ColorTally::default(),
            log: JournalMark::EMPTY,
            complete: false,
        }
    }

    /// Whether it is one of this tuning.
    fn fits(&self, tuner: &Tuner) -> bool {
        let axes = &tuner.spsa().axes;
        let is_within = |(axis, value): (&super::Axis, &f64)| (axis.bounds[0]..=axis.bounds[1]).contains(value);
        self.done <= tuner.settings().iterations
            && self.values.len() == axes.len()
            && axes.iter().zip(&self.values).all(is_within)
    }
}
