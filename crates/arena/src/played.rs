//! A game that was played, as it is counted, stored and shown.

use std::time::Duration;

use turncoat_board::{Color, Score};
use turncoat_players::Fault;

use crate::efforts::Efforts;
use crate::faults;
use crate::schedule::Fixture;

/// A game with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Which game of the run it is, and whose.
    pub fixture: Fixture,
    /// The text of the position it began with, unless that was the start of the board.
    pub start: Option<String>,
    /// The transcript from there on, moves of the opening included.
    pub moves: String,
    /// How it ended.
    pub ending: Ending,
    /// How long black and white thought.
    pub thinking: [Duration; 2],
}

/// A game that has just been played, with what its moves took. That is stored, not held: of many games it is much.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The game.
    pub played: Played,
    /// What its moves took.
    pub efforts: Efforts,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Neither side could move.
    Finished {
        /// Black's score.
        score: Score,
    },
    /// A player did something wrong and lost by it.
    Fault {
        /// Whose fault it was.
        by: Color,
        /// What it did.
        fault: Fault,
    },
}

impl Ending {
    /// Who won; `None` is a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Self::Finished { score } => match score.discs().signum() {
                1 => Some(Color::Black),
                -1 => Some(Color::White),
                _ => None,
            },
            Self::Fault { by, .. } => Some(!*by),
        }
    }

    /// Black's score; a game lost by a fault has none.
    pub fn margin(&self) -> Option<i32> {
        match self {
            Self::Finished { score } => Some(score.discs()),
            Self::Fault { .. } => None,
        }
    }

    /// Why the game ended, in a word: `finished` or the name of the fault.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Finished { .. } => "finished",
            Self::Fault { fault, .. } => faults::name(fault),
        }
    }

    /// What is known of a fault beside its name.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Finished { .. } => None,
            Self::Fault { fault, .. } => faults::detail(fault),
        }
    }
}

impl Played {
    /// The player of a colour.
    pub fn player(&self, color: Color) -> usize {
        match color {
            Color::Black => self.fixture.black,
            Color::White => self.fixture.white,
        }
    }

    /// `black`, `white` or `draw`.
    pub fn winner_name(&self) -> &'static str {
        match self.ending.winner() {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "draw",
        }
    }

    /// What a player got out of the game: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self, player: usize) -> u32 {
        match self.ending.winner() {
            None => 1,
            Some(color) if self.player(color) == player => 2,
            Some(_) => 0,
        }
    }

    /// The margin from a player's view.
    pub fn margin_of(&self, player: usize) -> Option<i32> {
        let margin = self.ending.margin()?;
        Some(if player == self.fixture.black { margin } else { -margin })
    }

    /// Whether the game was lost by a fault of this player.
    pub fn is_fault_of(&self, player: usize) -> bool {
        matches!(&self.ending, Ending::Fault { by, .. } if self.player(*by) == player)
    }
}
