//! What a run is: everything that its games depend on. Two runs of one plan play the same games, so the
//! store keeps the plan and refuses to continue under another one.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_util::printable;

use crate::ladder::Ladder;
use crate::played::Played;
use crate::referee::Control;
use crate::schedule::{Fixture, Schedule};
use crate::stats::sprt::Sprt;
use crate::swiss::Swiss;

/// What the streams of random numbers of a run are for.
pub(crate) mod purpose {
    /// Openings, by their number.
    pub(crate) const OPENINGS: u64 = 1;
    /// Players, by their index.
    pub(crate) const PLAYERS: u64 = 2;
    /// Challenges of a ladder, by round and place.
    pub(crate) const LADDER: u64 = 3;
}

/// How the players meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two players.
    Match,
    /// Everyone against everyone.
    RoundRobin,
    /// The first against each of the others.
    Gauntlet,
    /// Rounds of challenges to players above.
    Ladder,
    /// Rounds of the Swiss system.
    Swiss,
}

impl FromStr for Format {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        Self::deserialize(text.into_deserializer())
            .map_err(|error: serde::de::value::Error| PlanError::Unreadable(error.to_string()))
    }
}

/// A run as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// How the players meet.
    pub format: Format,
    /// The players as they were written.
    pub players: Vec<String>,
    /// What they are called, if not as they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// What tells the parameters of players apart that have some, as they may come from files.
    pub players_digests: Vec<Option<String>>,
    /// The game.
    pub variant: VariantKind,
    /// The board.
    pub size: Geometry,
    /// The master seed.
    pub seed: u64,
    /// Games of each two players; even. A run may be prolonged, so this may grow.
    pub games: u64,
    /// The openings as they were written.
    pub openings: String,
    /// What tells listed openings apart.
    pub openings_digest: Option<String>,
    /// Seconds for a move.
    pub move_seconds: Option<f64>,
    /// Seconds for a game.
    pub game_seconds: Option<f64>,
    /// Seconds that a clock is given after each move.
    pub increment_seconds: Option<f64>,
    /// Seconds forgiven.
    pub grace_seconds: f64,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// The sequential test.
    pub sprt: Option<Sprt>,
    /// Bytes of memory that a foreign program may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Whether the table counts the course's points, +5, 0 and -5. No game depends on it, so it may differ when a
    /// run is continued.
    #[serde(default)]
    pub course_points: bool,
}

/// The largest number of players of a run.
pub const MOST_PLAYERS: usize = 200;
/// The largest number of games of a run: the store is for matches, not for training.
pub const MOST_GAMES: u64 = 10_000_000;

impl Plan {
    /// Checks that there is something sensible to play.
    ///
    /// # Errors
    /// If there is not.
    pub fn check(&self) -> Result<(), PlanError> {
        let players = self.players.len();
        if self.format == Format::Match && players != 2 {
            return Err(PlanError::MatchOf { players });
        }
        if !(2..=MOST_PLAYERS).contains(&players) {
            return Err(PlanError::Players { players });
        }
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(PlanError::Odd { games: self.games });
        }
        let encounters = match self.format {
            Format::Match | Format::RoundRobin => players * (players - 1) / 2,
            Format::Gauntlet | Format::Ladder => players - 1,
            Format::Swiss => players / 2,
        };
        if self.games.saturating_mul(encounters as u64) > MOST_GAMES {
            return Err(PlanError::TooMany);
        }
        if let Some(Sprt { elo0, elo1, alpha, beta }) = self.sprt {
            // A stored test may hold anything.
            Sprt::new(elo0, elo1, alpha, beta).map_err(|error| PlanError::Unreadable(error.to_string()))?;
        }
        if self.increment_seconds.is_some() && self.game_seconds.is_none() {
            return Err(PlanError::NoClock);
        }
        Ok(())
    }

    /// The games to be played, if results do not change them.
    fn schedule(&self) -> Option<Schedule> {
        let (players, rounds) = (self.players.len(), self.games / 2);
        match self.format {
            Format::Match | Format::RoundRobin => Some(Schedule::round_robin(players, rounds)),
            Format::Gauntlet => Some(Schedule::gauntlet(players, rounds)),
            Format::Ladder | Format::Swiss => None,
        }
    }

    /// The rounds of the Swiss system, if it is one.
    fn swiss(&self) -> Option<Swiss> {
        let (players, rounds) = (self.players.len(), self.games / 2);
        (self.format == Format::Swiss).then_some(Swiss { players, rounds })
    }

    /// The ladder, if it is one.
    pub fn ladder(&self) -> Option<Ladder> {
        (self.format == Format::Ladder).then_some(Ladder {
            players: self.players.len(),
            rounds: self.games / 2,
            seed: self.seed,
        })
    }

    /// The number of all games.
    pub fn total(&self) -> u64 {
        let schedule = self.schedule().map(|schedule| schedule.total());
        let ladder = || self.ladder().map(|ladder| ladder.total());
        schedule.or_else(ladder).or_else(|| self.swiss().map(|swiss| swiss.total())).unwrap_or(0)
    }

    /// The game of this number, given all games before it in the order of their numbers.
    pub fn fixture(&self, number: u64, before: &[Played]) -> Option<Fixture> {
        match (self.schedule(), self.swiss()) {
            (Some(schedule), _) => schedule.fixture(number),
            (None, Some(swiss)) => swiss.fixture(number, before),
            (None, None) => self.ladder()?.fixture(number, before),
        }
    }

    /// The games that can be played next: all, or those of a round. What is among those counted may come again.
    pub fn next_games(&self, counted: &[Played]) -> Box<dyn Iterator<Item = Fixture> + Send> {
        if let Some(schedule) = self.schedule() {
            Box::new(schedule)
        } else {
            let swiss = self.swiss().and_then(|swiss| swiss.next(counted));
            let round = swiss.or_else(|| self.ladder()?.next(counted));
            Box::new(round.into_iter().flatten())
        }
    }

    /// The time control.
    pub fn control(&self) -> Control {
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Control {
            move_time: self.move_seconds.map(duration),
            game_time: self.game_seconds.map(duration),
            increment: self.increment_seconds.map_or(Duration::ZERO, duration),
            grace: duration(self.grace_seconds),
            depth: self.depth,
        }
    }

    /// The limits of thinking for people, each after a comma; nothing where there are none.
    pub fn limits_text(&self) -> String {
        let seconds =
            |value: Option<f64>, of: &str| value.map_or_else(String::new, |value| format!(", {value} s a {of}"));
        let depth = self.depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
        let increment =
            self.increment_seconds.map_or_else(String::new, |value| format!(" and {value} s more after each move"));
        seconds(self.move_seconds, "move") + &seconds(self.game_seconds, "game") + &increment + &depth
    }

    /// What the players are called: by their titles or as they were written, in characters that can be printed, and with a number
    /// from the second on that is written the same.
    pub fn names(&self) -> Vec<String> {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        let number = |player| {
            let count = seen.entry(player).or_default();
            *count += 1;
            match count {
                1 => printable(player),
                n => format!("{} ({n})", printable(player)),
            }
        };
        let called = if self.titles.len() == self.players.len() { &self.titles } else { &self.players };
        called.iter().map(String::as_str).map(number).collect()
    }

    /// The plan as named values, in the order of their names.
    ///
    /// # Errors
    /// If a number in it cannot be written, such as an infinite one.
    pub fn values(&self) -> Result<BTreeMap<String, Value>, PlanError> {
        match serde_json::to_value(self) {
            Ok(Value::Object(values)) => Ok(values.into_iter().collect()),
            Ok(_) => Err(PlanError::Unreadable("no object".to_owned())),
            Err(error) => Err(PlanError::Unreadable(error.to_string())),
        }
    }

    /// The plan of named values; whether there is something to play is for [`check`](Self::check) to say.
    ///
    /// # Errors
    /// If they make none.
    pub fn from_values(values: BTreeMap<String, Value>) -> Result<Self, PlanError> {
        serde_json::from_value(Value::Object(values.into_iter().collect()))
            .map_err(|error| PlanError::Unreadable(error.to_string()))
    }
}

/// Why a plan is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// A match has two players.
    #[error("a match has two players, not {players}: a tournament may have more")]
    MatchOf {
        /// How many there are.
        players: usize,
    },
    /// Too few or too many players.
    #[error("{players} cannot play a tournament: it has 2 to {MOST_PLAYERS} players")]
    Players {
        /// How many there are.
        players: usize,
    },
    /// Games come in pairs.
    #[error("{games} games cannot be played in pairs with the colours swapped: an even number is needed")]
    Odd {
        /// How many were asked for.
        games: u64,
    },
    /// There is nothing that could be added to.
    #[error("an increment is added to the clock of a game, and there is none")]
    NoClock,
    /// Too many games.
    #[error("a run has at most {MOST_GAMES} games")]
    TooMany,
    /// A stored plan cannot be understood.
    #[error("the description of the run cannot be read: {0}")]
    Unreadable(String),
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn plan(players: &[&str], games: u64) -> Plan {
        Plan {
            format: if players.len() == 2 { Format::Match } else { Format::RoundRobin },
            players: players.iter().map(|&p| p.to_owned()).collect(),
            titles: Vec::new(),
            players_digests: vec![None; players.len()],
            variant: VariantKind::Reversed,
            size: Geometry::EIGHT,
            seed: u64::MAX,
            games,
            openings: "random:8".to_owned(),
            openings_digest: None,
            move_seconds: Some(0.1),
            game_seconds: None,
            increment_seconds: None,
            grace_seconds: 0.1,
            depth: Some(3),
            sprt: Some(Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap()),
            memory: None,
            course_points: false,
        }
    }

    #[test]
    fn a_plan_comes_back_from_its_values() {
        let plan = plan(&["greedy", "random"], 10);
        let mut values = plan.values().unwrap();
        assert_eq!(Plan::from_values(values.clone()), Ok(plan.clone()));
        // Stores that were made before it was kept.
        values.remove("course_points");
        assert_eq!(Plan::from_values(values), Ok(plan));
    }

    #[test]
    fn limits_are_told_and_a_stored_test_is_checked() {
        let mut plan = plan(&["greedy", "random"], 10);
        assert_eq!(plan.limits_text(), ", 0.1 s a move, depth 3");
        plan.sprt = plan.sprt.map(|sprt| Sprt { alpha: 0.0, ..sprt });
        assert!(Plan::from_values(plan.values().unwrap()).unwrap().check().is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(plan(&["a", "b"], 10).check(), Ok(()));
        assert_eq!(plan(&["a", "b"], 3).check(), Err(PlanError::Odd { games: 3 }));
        assert_eq!(plan(&["a"], 2).check(), Err(PlanError::Players { players: 1 }));
        assert_eq!(plan(&["a", "b"], u64::MAX - 1).check(), Err(PlanError::TooMany));
        assert_eq!(plan(&["a", "b"], MOST_GAMES).check(), Ok(()));
        let mut clock = plan(&["a", "b"], 2);
        clock.increment_seconds = Some(1.0);
        assert_eq!(clock.check(), Err(PlanError::NoClock));
        clock.game_seconds = Some(60.0);
        assert_eq!(clock.check(), Ok(()));
        assert!(clock.limits_text().contains("60 s a game and 1 s more after each move"));
        let mut three = plan(&["a", "b", "c"], 2);
        three.format = Format::Match;
        assert_eq!(three.check(), Err(PlanError::MatchOf { players: 3 }));
    }

    #[test]
    fn namesakes_are_numbered() {
        assert_eq!(plan(&["a", "b", "a"], 2).names(), ["a", "b", "a (2)"]);
        assert_eq!(plan(&["a\u{1b}c", "b"], 2).names(), ["a\\u{1b}c", "b"]);
        let titles = ["Li", "Li"].map(str::to_owned).to_vec();
        assert_eq!(Plan { titles, ..plan(&["a", "b"], 2) }.names(), ["Li", "Li (2)"]);
    }
}
