//! The training loop: rounds of games, weights and tests, from nothing.
//!
//! A round plays games with the best weights so far (the first one with the hand-made evaluation), fits new weights to
//! its games and those of the round before, and tests them: a sequential test against the best so far decides whether
//! they take its place, and matches against fixed yardsticks tell how far the loop has come.
//!
//! - [`LoopSettings`]: how long, how many rounds, and how games are played.
//! - [`LoopRun`]: a loop in its folder; it can be stopped at any moment.
//! - [`Workers`]: who plays its games, [`Here`] or other machines.
//! - `round`, with `games`, `gate` and `report`: a round and its parts.

mod games;
mod gate;
mod report;
mod round;
mod run;
mod settings;
pub(crate) mod shown;
mod workers;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_search::transposition::TableTooLarge;

pub use self::gate::Contest;
pub use self::report::REPORT;
pub use self::run::{BEST, LoopRun, LoopStep};
pub use self::settings::{LoopPlan, LoopSettings};
pub use self::workers::{Here, Keep, LoopGames, PlayElsewhere, Work, Workers, meet_elsewhere, selfplay_elsewhere};
use crate::matches::{MatchError, MatchResult};
use crate::patterns::{Event, TrainingError};
use crate::run_folder::FolderError;

/// What a round came to: a line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// Its number, from 1.
    pub round: u32,
    /// How far its players looked ahead.
    pub depth: u32,
    /// The games that it played.
    pub games: u64,
    /// The games that its weights were fitted to.
    pub fitted_games: u64,
    /// The positions of those games.
    pub positions: u64,
    /// Whether the weights are better than the best before.
    pub accepted: bool,
    /// The test against the best before.
    pub test: Encounter,
    /// Matches against the yardsticks.
    pub yardsticks: Vec<Encounter>,
}

/// A match of a round's weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// Against whom: a yardstick, or the round whose weights were the best.
    pub opponent: String,
    /// What came of it.
    pub result: MatchResult,
}

/// Progress within a round.
#[derive(Debug, Clone, Copy)]
pub enum LoopEvent<'a> {
    /// So many games of the round are played, at this depth.
    Games(u64, u32),
    /// Weights are fitted.
    Fitting(Event),
    /// So many games of a match against this opponent are played, of at most how many.
    Match(&'a str, u64, u64),
    /// So many games for the error model are played, of how many.
    ErrorModel(u64, u64),
}

/// Hears of the progress of a round.
pub type Hear<'a> = &'a (dyn Fn(LoopEvent<'_>) + Sync);

/// Why a loop ended early.
#[derive(Debug, Error)]
pub enum LoopError {
    /// The folder, or a file in it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No weights.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// No match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The weights of a round cannot be used.
    #[error("{0}")]
    Evaluation(String),
    /// There is too little memory.
    #[error("{0}")]
    Memory(TableTooLarge),
    /// Other machines have not done what they were asked for.
    #[error("games played elsewhere: {0}")]
    Elsewhere(String),
}
