//! How a training loop proceeds.

use serde::{Deserialize, Serialize};
use turncoat_board::{Geometry, VariantKind};

use crate::openings::Randomness;
use crate::selfplay::{SelfplayPlan, eight, is_eight};

/// The settings of a training loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopSettings {
    /// The game.
    pub variant: VariantKind,
    /// The board; the full one unless told.
    #[serde(default = "eight", skip_serializing_if = "is_eight")]
    pub size: Geometry,
    /// Loops of different seeds play different games.
    pub seed: u64,
    /// How many rounds.
    pub rounds: u32,
    /// How long the whole loop takes, about; without it every round has `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Games of a round; the most of one where time decides.
    pub games: u64,
    /// How far the players of a round look ahead; the last number holds for all later rounds.
    pub depths: Vec<u32>,
    /// From this many empty squares on games are played perfectly.
    pub solve: u32,
    /// Games of a file.
    pub shard: u64,
    /// One game in eight begins with an opening of this many enumerated plies; 0 for none.
    pub enumerated_plies: u32,
    /// Most passes over the positions of a stage.
    pub passes: usize,
    /// The most games of the test against the best weights so far.
    pub gate: u64,
    /// Games against each yardstick.
    pub yardstick: u64,
    /// Games that the error model of the last weights is fitted to.
    pub fitted: u64,
    /// The deepest search that it compares.
    pub deepest: u32,
}

/// What is told of a loop; the rest follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoopPlan {
    /// How long the whole loop takes, about.
    pub minutes: Option<f64>,
    /// Games of each round, where time is not told.
    pub games: Option<u64>,
    /// How many rounds.
    pub rounds: Option<u32>,
    /// Little of everything.
    pub quick: bool,
    /// How far the players of all rounds look ahead.
    pub depth: Option<u32>,
}

/// Rounds of a loop that is limited by games.
const ROUNDS: u32 = 3;
/// Games of a round where nothing is told of them.
const QUICK_GAMES: u64 = 8192;
/// Rounds of this many minutes are planned, on two cores.
const MINUTES_OF_A_ROUND: f64 = 6.0;
/// More than a round of a limited loop plays in its time.
const MOST_GAMES: u64 = 50_000_000;
/// The share of the first round's time that its games have. Later rounds know what the rest takes.
const FIRST_SHARE: f64 = 0.4;
/// Empties of small boards that are played perfectly.
const SOLVE_SMALL: u32 = 14;
/// Whatever the rest takes, this share of a round's time is for games.
const LEAST_SHARE: f64 = 0.25;

impl LoopSettings {
    /// The loop that is planned.
    pub fn planned(variant: VariantKind, seed: u64, plan: &LoopPlan) -> Self {
        let LoopPlan { minutes, games, rounds, quick, depth } = *plan;
        let settings = match minutes {
            Some(minutes) => Self::minutes(variant, seed, minutes, rounds),
            None => Self::games(variant, seed, games.unwrap_or(QUICK_GAMES), rounds.unwrap_or(ROUNDS)),
        };
        let settings = if quick { settings.quick() } else { settings };
        Self { depths: depth.map_or_else(|| settings.depths.clone(), |depth| vec![depth]), ..settings }
    }

    /// A loop of about so many minutes.
    pub fn minutes(variant: VariantKind, seed: u64, minutes: f64, rounds: Option<u32>) -> Self {
        let usual = (minutes / MINUTES_OF_A_ROUND).round().clamp(2.0, 20.0) as u32;
        Self {
            variant,
            size: eight(),
            seed,
            rounds: rounds.unwrap_or(usual),
            minutes: Some(minutes),
            games: MOST_GAMES,
            depths: vec![2, 3],
            solve: 12,
            shard: 4096,
            enumerated_plies: 7,
            passes: 25,
            gate: 2000,
            yardstick: 600,
            fitted: 320,
            deepest: 8,
        }
    }

    /// A loop whose rounds have so many games each: what it comes to does not depend on the machine.
    pub fn games(variant: VariantKind, seed: u64, games: u64, rounds: u32) -> Self {
        Self { minutes: None, games, ..Self::minutes(variant, seed, 0.0, Some(rounds)) }
    }

    /// The same on boards of this size. On small ones more empties are solved in the same time.
    #[must_use]
    pub fn on(self, size: Geometry) -> Self {
        Self { size, solve: if is_eight(&size) { self.solve } else { SOLVE_SMALL }, ..self }
    }

    /// The same in small, to see it work: with the usual games it passes hand-made in a minute on two cores.
    #[must_use]
    pub fn quick(self) -> Self {
        Self {
            depths: vec![1, 2],
            solve: 10,
            shard: 128,
            enumerated_plies: 0,
            passes: 15,
            gate: (self.games / 80).clamp(20, 100),
            yardstick: (self.games / 200).clamp(20, 40),
            fitted: 40,
            deepest: 5,
            ..self
        }
    }

    /// What is wrong with the settings, if anything.
    pub fn fault(&self) -> Option<String> {
        let check = |good: bool, fault: &str| (!good).then(|| fault.to_owned());
        check(self.minutes.is_none_or(|m| m > 0.0 && m <= 100_000.0), "minutes: above 0, at most 100,000")
            .or(check((1..=1000).contains(&self.rounds), "rounds: 1 to 1000"))
            .or(check(!self.depths.is_empty(), "depths: at least one"))
            .or(check(self.passes > 0, "passes: at least one"))
            .or(check(self.gate > 0 && self.yardstick > 0, "gate and yardstick: at least one game"))
            .or(check(self.fitted > 0 && (5..=14).contains(&self.deepest), "fitted: some games; deepest: 5 to 14"))
            .or(self.selfplay(1, "hand".to_owned()).fault())
    }

    /// What a loop may not continue without: all but when it ends.
    pub(super) fn without_end(&self) -> Self {
        Self { rounds: 1, minutes: self.minutes.map(|_| 1.0), ..self.clone() }
    }

    /// How far the players of a round look ahead.
    pub fn depth(&self, round: u32) -> u32 {
        let known = self.depths.get(round as usize - 1).or(self.depths.last());
        known.copied().unwrap_or(1)
    }

    /// How the games of a round are played, with this evaluation.
    pub(super) fn selfplay(&self, round: u32, evaluation: String) -> SelfplayPlan {
        let random = |least, most, share| Randomness { plies: [least, most], share, lead: None };
        SelfplayPlan {
            variant: self.variant,
            size: self.size,
            evaluation,
            games: self.games,
            seed: turncoat_players::seed::derive(self.seed, &[u64::from(round)]),
            depth: self.depth(round),
            selectivity: None,
            solve: self.solve,
            enumerate_every: if self.enumerated_plies > 0 { 8 } else { 0 },
            enumerated_plies: self.enumerated_plies,
            // On small boards games are shorter.
            random: if is_eight(&self.size) {
                vec![random(6, 14, 0.85), random(12, 30, 0.15)]
            } else {
                vec![random(2, 10, 0.6), random(8, 20, 0.4)]
            },
            shard: self.shard,
        }
    }

    /// The second at which the games of a round end that begins now, `used` seconds after the beginning; what the last
    /// round took beside its games is `rest`.
    pub(super) fn games_end(&self, round: u32, used: f64, rest: Option<f64>) -> Option<f64> {
        let left = self.minutes? * 60.0 - used;
        let share = left.max(0.0) / f64::from(self.rounds - round + 1);
        let games = rest.map_or(share * FIRST_SHARE, |rest| (share - rest).max(share * LEAST_SHARE));
        Some(used + games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_shared_among_the_rounds() {
        let settings = LoopSettings::minutes(VariantKind::Reversed, 1, 30.0, None);
        assert_eq!((settings.rounds, settings.fault()), (5, None));
        // Six minutes a round. The first has 40 % of them for games, a later one what the rest leaves.
        assert_eq!(settings.games_end(1, 0.0, None), Some(144.0));
        assert_eq!(settings.games_end(2, 360.0, Some(100.0)), Some(360.0 + 260.0));
        assert_eq!(settings.games_end(5, 1700.0, Some(100.0)), Some(1725.0));
        // Time that is over leaves the least that there is: one file of games.
        assert_eq!(settings.games_end(5, 1900.0, Some(100.0)), Some(1900.0));
        assert_eq!(LoopSettings::games(VariantKind::Reversed, 1, 100, 3).games_end(1, 0.0, None), None);
    }

    #[test]
    fn nonsense_is_named() {
        let good = LoopSettings::games(VariantKind::Reversi, 1, 100, 3).quick();
        assert_eq!(good.fault(), None);
        assert_eq!([1, 2, 9].map(|round| LoopSettings { depths: vec![2, 3], ..good.clone() }.depth(round)), [2, 3, 3]);
        for (bad, fault) in [
            (LoopSettings { rounds: 0, ..good.clone() }, "rounds"),
            (LoopSettings { minutes: Some(f64::NAN), ..good.clone() }, "minutes"),
            (LoopSettings { depths: Vec::new(), ..good.clone() }, "depths"),
            (LoopSettings { games: 0, ..good.clone() }, "games"),
            (LoopSettings { solve: 40, ..good.clone() }, "solve"),
            (LoopSettings { gate: 0, ..good.clone() }, "gate"),
            (LoopSettings { deepest: 3, ..good.clone() }, "deepest"),
        ] {
            let said = bad.fault().unwrap();
            assert!(said.contains(fault), "{said}");
        }
    }
}
