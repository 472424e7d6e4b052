//! Matches within the lab: two players, pairs of games from random openings, and what they came to as plain data.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_arena::stats::elo::{Elo, Pentanomial};
use turncoat_arena::stats::sprt::{Decision, Sprt};
use turncoat_arena::{
    Arena, Control, Entrant, Finish, Openings, OpeningsError, Results, RunError, RunOptions, Schedule, Source, run,
};
use turncoat_players::{BuildError, Setting, Spec, StopFlag};

/// Two players and their games.
#[derive(Debug, Clone)]
pub struct MatchPlan {
    /// The players.
    pub players: [Spec; 2],
    /// The game, the board and the seed.
    pub setting: Setting,
    /// Random plies before the players take over.
    pub plies: u32,
    /// Games; with a sequential test the most.
    pub games: u64,
    /// A test that may end it earlier.
    pub sprt: Option<Sprt>,
}

/// What the first player came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A player cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There are no such openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The arena failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A player broke the rules or failed, so the match says nothing.
    #[error("{player} lost a game by its own fault")]
    Fault {
        /// Which.
        player: String,
    },
}

impl MatchPlan {
    /// Plays the match on all threads of the pool that this is called in; `None` if the flag is raised. `played` hears
    /// how many games are counted.
    ///
    /// # Errors
    /// If a player cannot be built or fails, or there are no such openings.
    pub fn play(&self, stop: &StopFlag, played: &dyn Fn(u64)) -> Result<Option<MatchResult>, MatchError> {
        if stop.is_raised() {
            return Ok(None);
        }
        let arena = self.arena()?;
        let mut results = Results::new(2);
        let options = RunOptions { concurrency: rayon::current_num_threads(), stop: stop.clone(), watcher: None };
        let finish = run(&arena, self.schedule(), &mut results, None, self.sprt.as_ref(), &options, &mut |results| {
            played(results.games().len() as u64);
            Ok(())
        })?;
        let tally = results.against(0, 1);
        self.check_faults(&results)?;
        let result = MatchResult { won: tally.wins, drawn: tally.draws, lost: tally.losses, pairs: tally.pairs.0 };
        Ok((finish != Finish::Interrupted).then_some(result))
    }

    /// The half points of the first player in the games with these numbers, played on one thread; fewer if the flag is
    /// raised. The test has no part in it.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_some(&self, numbers: Range<u64>, stop: &StopFlag) -> Result<Vec<u8>, MatchError> {
        let (arena, schedule, mut results) = (self.arena()?, self.schedule(), Results::new(2));
        let fixtures = numbers.map_while(|number| schedule.fixture(number));
        let options = RunOptions { concurrency: 1, stop: stop.clone(), watcher: None };
        run(&arena, fixtures, &mut results, None, None, &options, &mut |_| Ok(()))?;
        self.check_faults(&results)?;
        Ok(results.all().map(|game| game.half_points(0) as u8).collect())
    }

    fn schedule(&self) -> Schedule {
        Schedule::round_robin(2, self.games.div_ceil(2))
    }

    fn arena(&self) -> Result<Arena, MatchError> {
        let Setting { variant, geometry, seed } = self.setting;
        let entrant = |(index, spec): (usize, &Spec)| Entrant::from_spec(spec.to_string(), spec, self.setting, index);
        Ok(Arena {
            entrants: self.players.iter().enumerate().map(entrant).collect::<Result<_, _>>()?,
            openings: Openings::new(&Source::Random { plies: self.plies }, variant, geometry, seed)?,
            control: Control::default(),
        })
    }

    /// Nobody has lost by a fault.
    fn check_faults(&self, results: &Results) -> Result<(), MatchError> {
        let faulty = (0..2).find(|&player| results.all().any(|game| game.is_fault_of(player)));
        faulty.map_or(Ok(()), |index| Err(MatchError::Fault { player: self.players[index].to_string() }))
    }
}

impl MatchResult {
    /// Games played.
    pub const fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Adds a pair of games by the first player's half points in them; `None` if no game has so many.
    pub(crate) fn add(&mut self, pair: [u8; 2]) -> Option<()> {
        for points in pair {
            *[&mut self.lost, &mut self.drawn, &mut self.won].into_iter().nth(points.into())? += 1;
        }
        self.pairs[usize::from(pair[0] + pair[1])] += 1;
        Some(())
    }

    /// What a test says of it.
    pub(crate) fn decision(&self, sprt: &Sprt) -> Option<Decision> {
        sprt.decide(&Pentanomial(self.pairs))
    }

    /// Points a game.
    pub fn share(&self) -> f64 {
        (self.won as f64 + self.drawn as f64 / 2.0) / self.games().max(1) as f64
    }

    /// The difference in Elo; `None` without a pair.
    pub fn elo(&self) -> Option<Elo> {
        Pentanomial(self.pairs).elo()
    }

    /// The difference in Elo with half its 95 % interval, for people.
    pub fn elo_text(&self) -> String {
        let Some(elo) = self.elo() else {
            return "–".to_owned();
        };
        match elo.error().filter(|error| error.is_finite()) {
            Some(error) => format!("{:+.0} ± {error:.0}", elo.difference),
            None if elo.difference.is_finite() => format!("{:+.0}", elo.difference),
            None if elo.difference > 0.0 => "all won".to_owned(),
            None => "all lost".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, VariantKind};

    use super::*;

    fn plan(players: [&str; 2], games: u64) -> MatchPlan {
        MatchPlan {
            players: players.map(|text| text.parse().unwrap()),
            setting: Setting { variant: VariantKind::Reversed, geometry: Geometry::FOUR, seed: 3 },
            plies: 2,
            games,
            sprt: None,
        }
    }

    #[test]
    fn a_match_is_counted_and_a_stop_ends_it() {
        let never = StopFlag::default();
        let result = plan(["greedy", "random"], 40).play(&never, &|_| {}).unwrap().unwrap();
        assert_eq!(result.games(), 40);
        assert_eq!(result.pairs.iter().sum::<u64>(), 20);
        assert_eq!(Some(result), plan(["greedy", "random"], 40).play(&never, &|_| {}).unwrap());
        let stopped = StopFlag::default();
        stopped.raise();
        assert_eq!(plan(["greedy", "random"], 40).play(&stopped, &|_| {}).unwrap(), None);
        let other =
            MatchPlan { players: ["six-stage", "random"].map(|text| text.parse().unwrap()), ..plan(["random"; 2], 2) };
        assert!(matches!(other.play(&never, &|_| {}), Err(MatchError::Build(_))));
    }

    #[test]
    fn elo_is_told_with_its_error() {
        let result = |pairs: [u64; 5]| MatchResult { pairs, ..MatchResult::default() };
        assert_eq!(result([34, 54, 63, 64, 75]).elo_text(), "+56 ± 28");
        assert_eq!(result([0, 0, 0, 0, 9]).elo_text(), "all won");
        assert_eq!(result([9, 0, 0, 0, 0]).elo_text(), "all lost");
        assert_eq!(result([0; 5]).elo_text(), "–");
    }
}
