//! A game as it is written: in the store, or by another machine that has played it. Checked, it is a game of a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::{Color, Position, Score};
use turncoat_record::transcript;

use crate::efforts::WrittenEfforts;
use crate::faults;
use crate::plan::Plan;
use crate::played::{Ending, Finished, Played};
use crate::schedule::Fixture;

/// A game as it is written; whether it is one of a run is not known yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// Its number in the run.
    pub number: u64,
    /// Its opening.
    pub opening: u64,
    /// Who played black.
    pub black: u64,
    /// Who played white.
    pub white: u64,
    /// Where it began, unless that was the start of the board.
    pub start: Option<String>,
    /// The transcript from there on.
    pub moves: String,
    /// `black`, `white` or `draw`.
    pub winner: String,
    /// Black's score, unless a fault ended it.
    pub margin: Option<i32>,
    /// Why it ended.
    pub reason: String,
    /// What is known of a fault.
    pub detail: Option<String>,
    /// How long black and white thought.
    pub seconds: [f64; 2],
    /// What its moves took, as far as that is known.
    #[serde(flatten)]
    pub efforts: WrittenEfforts,
}

/// A written game that does not belong to the run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {}: {fault}", number + 1)]
pub struct NotOfTheRun {
    /// Its number, from 0.
    pub number: u64,
    /// Why.
    pub fault: String,
}

impl From<&Played> for Written {
    fn from(game: &Played) -> Self {
        Self {
            number: game.fixture.number,
            opening: game.fixture.opening,
            black: game.fixture.black as u64,
            white: game.fixture.white as u64,
            start: game.start.clone(),
            moves: game.moves.clone(),
            winner: game.winner_name().to_owned(),
            margin: game.ending.margin(),
            reason: game.ending.reason().to_owned(),
            detail: game.ending.detail().map(str::to_owned),
            seconds: game.thinking.map(|thinking| thinking.as_secs_f64()),
            efforts: WrittenEfforts::default(),
        }
    }
}

impl From<&Finished> for Written {
    fn from(game: &Finished) -> Self {
        Self { efforts: WrittenEfforts::from(&game.efforts), ..Self::from(&game.played) }
    }
}

impl Written {
    /// The game, if it belongs to the run and its moves are legal and lead to the result that is written beside
    /// them. `before` are all games before it in the order of their numbers.
    ///
    /// # Errors
    /// If it does not, or they do not.
    pub fn check(self, plan: &Plan, before: &[Played]) -> Result<Played, NotOfTheRun> {
        let number = self.number;
        let checked = self.checked(plan, before);
        checked.map_err(|fault| NotOfTheRun { number, fault })
    }

    fn checked(self, plan: &Plan, before: &[Played]) -> Result<Played, String> {
        let fixture = Fixture {
            number: self.number,
            opening: self.opening,
            black: self.black as usize,
            white: self.white as usize,
        };
        if plan.fixture(self.number, before) != Some(fixture) {
            return Err("the run has another one with this number, or none".to_owned());
        }
        self.played(plan, fixture)
    }

    /// The game, if its moves are legal under the rules of a plan and lead to the result that is written beside them; that
    /// it is this one of the run is for the caller to know.
    ///
    /// # Errors
    /// If they are not, or do not.
    pub fn read(self, plan: &Plan, fixture: Fixture) -> Result<Played, NotOfTheRun> {
        let number = self.number;
        self.played(plan, fixture).map_err(|fault| NotOfTheRun { number, fault })
    }

    fn played(self, plan: &Plan, fixture: Fixture) -> Result<Played, String> {
        let start = match &self.start {
            None => Position::start(plan.size),
            Some(text) => Position::parse(text, plan.size).map_err(|error| error.to_string())?,
        };
        let game = transcript::parse(&self.moves, plan.variant, start).map_err(|e| e.to_string())?;
        let ending = if self.reason == "finished" {
            let score = self.margin.and_then(|margin| Score::new(margin).ok());
            match (game.outcome(), score) {
                (Some(outcome), Some(score)) if outcome.score == score => Ending::Finished { score },
                _ => return Err("its moves do not lead to its result".to_owned()),
            }
        } else {
            let fault = faults::parse(&self.reason, self.detail.as_deref());
            let by = match self.winner.as_str() {
                "black" => Color::White,
                "white" => Color::Black,
                other => return Err(format!("{other:?} cannot have won by a fault")),
            };
            let fault = fault.ok_or_else(|| format!("no fault is called {:?}", self.reason))?;
            Ending::Fault { by, fault }
        };
        let played = Played {
            fixture,
            start: self.start,
            moves: self.moves,
            ending,
            thinking: self.seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default()),
        };
        if played.winner_name() == self.winner {
            Ok(played)
        } else {
            Err("its winner does not fit its margin".to_owned())
        }
    }
}
