//! A training loop in its folder.
//!
//! | file | holds |
//! |---|---|
//! | `settings.toml`, `settings.digest` | the settings, and their digest |
//! | `round-N/games/` | the games of a round |
//! | `round-N/weights/` | its weights, and how the errors fell |
//! | `log.jsonl` | a line for each round |
//! | `checkpoint.json` | the time used, and how far the round under way is |
//! | `best.weights`, `best.probcut.toml` | the best weights; in the end their error model |
//! | `report.html`, `elo.svg`, `rounds.csv` | how strength grew |
//!
//! A round's games are fixed once they are over; fitting them continues by the stage; matches are played again. So a loop
//! whose rounds are limited by games comes to the same weights and tables, however often it is interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{LoopError, LoopSettings, RoundRecord, Workers, gate, report};
use crate::run_folder::{
    CHECKPOINT, Digest, FolderError, Journal, JournalMark, RunFolder, RunKind, read_checkpoint, read_lines, settings,
    write_checkpoint,
};

pub(super) const LOG: &str = "log.jsonl";
/// The best weights.
pub const BEST: &str = "best.weights";
pub(super) const BEST_MODEL: &str = "best.probcut.toml";
/// What the first line of a checkpoint says.
const WHAT: &str = "checkpoint of a training loop";
/// Checkpoints of another format are refused.
const FORMAT: u32 = 1;

/// All that a loop needs to continue, beside its log.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct LoopState {
    /// Seconds used, in all processes that worked on it.
    pub(super) seconds: f64,
    /// The second at which the games of the round under way end, if time limits them.
    pub(super) games_end: Option<f64>,
    /// The games of the round under way, once they are over.
    pub(super) games: Option<u64>,
    /// The second at which they were.
    pub(super) games_over: f64,
    /// What the last round took beside its games.
    pub(super) rest: Option<f64>,
    /// The seconds used at the end of each round.
    pub(super) round_ends: Vec<f64>,
    /// The round with the best weights.
    pub(super) best: Option<u32>,
    pub(super) complete: bool,
}

/// The state, and the log as it was then.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    state: LoopState,
    log: JournalMark,
}

/// A training loop in its folder, where no other process works as long as this lives.
#[derive(Debug)]
pub struct LoopRun {
    pub(super) folder: RunFolder,
    pub(super) settings: LoopSettings,
    pub(super) state: LoopState,
    pub(super) log: Journal,
    pub(super) rounds: Vec<RoundRecord>,
    /// When the seconds were last counted.
    counted: Instant,
}

/// How far a loop has come.
#[derive(Debug, Clone, PartialEq)]
pub enum LoopStep {
    /// A round more is done.
    Round(RoundRecord),
    /// All are.
    Complete,
    /// The flag was raised.
    Interrupted,
}

impl LoopRun {
    /// Begins a loop in a new folder.
    ///
    /// # Errors
    /// If the settings make no sense, or the folder has a run or anything else in it.
    pub fn create(settings: LoopSettings, folder: &Path) -> Result<Self, LoopError> {
        Self::check(&settings, folder)?;
        let folder = settings::begin(&settings, folder, RunKind::Rounds)?;
        Digest::new(&settings.without_end(), &folder)?.write(&folder)?;
        Self::open(folder, settings)
    }

    /// Whether [`Self::create`] would begin a loop; nothing is written.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn check(settings: &LoopSettings, folder: &Path) -> Result<(), LoopError> {
        if let Some(fault) = settings.fault() {
            return Err(FolderError::Settings { path: folder.join(settings::SETTINGS), fault }.into());
        }
        Ok(RunFolder::check_vacant(folder, RunKind::Rounds)?)
    }

    /// Resumes the loop of a folder.
    ///
    /// # Errors
    /// If there is none, its settings or files are not what it wrote, or another process works on it.
    pub fn resume(folder: &Path) -> Result<Self, LoopError> {
        let (folder, settings) = settings::resume(folder, RunKind::Rounds, LoopSettings::fault)?;
        let digest = Digest::new(&settings.without_end(), &folder)?;
        if !digest.check(&folder)? {
            if folder.file(CHECKPOINT).exists() {
                let fault = "the digest of its settings is missing";
                return Err(FolderError::damaged(folder.file(settings::SETTINGS), fault).into());
            }
            digest.write(&folder)?;
        }
        Self::open(folder, settings)
    }

    /// Gives a loop another end, as if it had been planned so from the beginning; finished or not.
    ///
    /// # Errors
    /// If more rounds are done, or time has no part in it.
    pub fn prolong(&mut self, rounds: Option<u32>, minutes: Option<f64>) -> Result<(), LoopError> {
        let path = self.folder.file(settings::SETTINGS);
        let settings = LoopSettings {
            rounds: rounds.unwrap_or(self.settings.rounds),
            minutes: minutes.or(self.settings.minutes),
            ..self.settings.clone()
        };
        let done = self.rounds.len();
        let fault = if minutes.is_some() && self.settings.minutes.is_none() {
            Some("minutes: games limit the rounds of this loop".to_owned())
        } else if (settings.rounds as usize) < done {
            Some(format!("rounds: {done} are done already"))
        } else {
            settings.fault()
        };
        if let Some(fault) = fault {
            return Err(FolderError::Settings { path, fault }.into());
        }
        settings::replace(&settings, &self.folder)?;
        self.settings = settings;
        Ok(())
    }

    fn open(folder: RunFolder, settings: LoopSettings) -> Result<Self, LoopError> {
        let (state, mark) = read_state(folder.path())?;
        let path = folder.file(LOG);
        let log = Journal::open(path.clone(), mark)?;
        let rounds = read_lines(&path, mark)?;
        Ok(Self { folder, settings, state, log, rounds, counted: Instant::now() })
    }

    /// How it proceeds.
    pub const fn settings(&self) -> &LoopSettings {
        &self.settings
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The rounds that are done.
    pub fn rounds(&self) -> &[RoundRecord] {
        &self.rounds
    }

    /// The file of the best weights, if any are better than what it began with.
    pub fn best(&self) -> Option<PathBuf> {
        self.state.best.map(|_| self.folder.file(BEST))
    }

    /// Goes through the next round, or finishes after the last one.
    ///
    /// # Errors
    /// If a file is bad or cannot be written, or memory runs out. The loop can be resumed.
    pub fn step(&mut self, workers: &mut dyn Workers) -> Result<LoopStep, LoopError> {
        let done = self.rounds.len() as u32;
        let step = if done < self.settings.rounds {
            // It may have been complete before it was prolonged.
            self.state.complete = false;
            self.round(done + 1, workers)
        } else if self.state.complete {
            return Ok(LoopStep::Complete);
        } else {
            self.conclude(workers)
        };
        if matches!(step, Ok(LoopStep::Interrupted) | Err(_)) {
            // The time counts, whatever came of it.
            self.save()?;
        }
        step
    }

    /// Writes the report of the rounds that are done.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_report(&self) -> Result<(), FolderError> {
        let last = self.rounds.last().map(|last| self.weights_folder(last.round).join("errors.svg"));
        let errors = last.and_then(|path| fs::read_to_string(path).ok());
        for (name, contents) in report::files(&self.settings, &self.rounds, &self.state.round_ends, errors.as_deref()) {
            self.folder.replace(name, contents)?;
        }
        Ok(())
    }

    pub(super) fn games(&self, round: u32) -> PathBuf {
        self.folder.file(&format!("round-{round}/games"))
    }

    pub(super) fn weights_folder(&self, round: u32) -> PathBuf {
        self.folder.file(&format!("round-{round}/weights"))
    }

    pub(super) fn weights(&self, round: u32) -> PathBuf {
        self.weights_folder(round).join("patterns.weights")
    }

    /// The evaluation that games are played with.
    pub(super) fn evaluation(&self) -> String {
        self.state.best.map_or_else(|| gate::HAND.to_owned(), |best| text(&self.weights(best)))
    }

    /// Seconds used so far.
    pub(super) fn seconds(&self) -> f64 {
        self.state.seconds + self.counted.elapsed().as_secs_f64()
    }

    pub(super) fn save(&mut self) -> Result<(), FolderError> {
        self.state.seconds = self.seconds();
        self.counted = Instant::now();
        let checkpoint = Checkpoint { state: self.state.clone(), log: self.log.mark };
        write_checkpoint(&self.folder, WHAT, FORMAT, &checkpoint)
    }
}

/// The state of the loop of a folder, and how much of its log belongs to it.
pub(super) fn read_state(folder: &Path) -> Result<(LoopState, JournalMark), FolderError> {
    if !folder.join(CHECKPOINT).exists() {
        return Ok((LoopState::default(), JournalMark::EMPTY));
    }
    let Checkpoint { state, log } = read_checkpoint(folder, WHAT, FORMAT)?;
    Ok((state, log))
}

/// A path as the name of an evaluation.
pub(super) fn text(path: &Path) -> String {
    path.display().to_string()
}
