//! The ladder: players stand on rungs, and each challenges one a little above.
//!
//! At first they stand in the order in which they were named. In a round everyone but the first challenges one of
//! the three players above, by lot, to a pair of games with the colours swapped. A game won moves five points
//! from the loser to the winner; after the round the players stand in the order of their points, and equals as they
//! stood before. Who challenges whom depends on the seed and on results of earlier rounds alone.

use rand::RngExt;
use turncoat_players::seed::stream;

use crate::plan::purpose;
use crate::played::Played;
use crate::schedule::Fixture;

/// How far up a challenge may go.
const REACH: usize = 3;
/// Points that a game moves.
const STAKE: i64 = 5;

/// Rounds of challenges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// How many players there are.
    pub players: usize,
    /// How many rounds are played.
    pub rounds: u64,
    /// The master seed of the run.
    pub seed: u64,
}

/// A player's rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// The player.
    pub player: usize,
    /// Its points.
    pub points: i64,
}

impl Ladder {
    /// Games of a round.
    fn games_per_round(&self) -> u64 {
        2 * (self.players.max(1) as u64 - 1)
    }

    /// The number of all games.
    pub fn total(&self) -> u64 {
        self.rounds * self.games_per_round()
    }

    /// Who stands where after the whole rounds among these games, which are in the order of their numbers.
    pub fn rungs(&self, games: &[Played]) -> Vec<Rung> {
        let mut rungs: Vec<Rung> = (0..self.players).map(|player| Rung { player, points: 0 }).collect();
        let size = self.games_per_round().max(1) as usize;
        for round in games.chunks_exact(size) {
            for game in round {
                let gained = |player: usize| STAKE * (i64::from(game.half_points(player)) - 1);
                for rung in &mut rungs {
                    if game.fixture.black == rung.player || game.fixture.white == rung.player {
                        rung.points += gained(rung.player);
                    }
                }
            }
            rungs.sort_by_key(|rung| -rung.points);
        }
        rungs
    }

    /// The games of a round, once all games before it are known.
    pub fn round(&self, round: u64, games: &[Played]) -> Option<Vec<Fixture>> {
        let before = round.checked_mul(self.games_per_round())?;
        if round >= self.rounds || before > games.len() as u64 {
            return None;
        }
        let rungs = self.rungs(&games[..before as usize]);
        let mut fixtures = Vec::new();
        for place in (1..rungs.len()).rev() {
            let mut lots = stream(self.seed, &[purpose::LADDER, round, place as u64]);
            let above = place - 1 - lots.random_range(0..place.min(REACH));
            let (challenger, challenged) = (rungs[place].player, rungs[above].player);
            for (black, white) in [(challenger, challenged), (challenged, challenger)] {
                fixtures.push(Fixture { number: before + fixtures.len() as u64, opening: round, black, white });
            }
        }
        Some(fixtures)
    }

    /// The game of this number, once the rounds before it are known.
    pub fn fixture(&self, number: u64, games: &[Played]) -> Option<Fixture> {
        let size = self.games_per_round().max(1);
        let fixtures = self.round(number / size, games)?;
        fixtures.get((number % size) as usize).copied()
    }

    /// The games of the first round that is not whole among these.
    pub fn next(&self, games: &[Played]) -> Option<Vec<Fixture>> {
        self.round(games.len() as u64 / self.games_per_round().max(1), games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::Ending;
    use std::time::Duration;
    use turncoat_board::Score;

    /// Plays a ladder in which the player with the higher number wins.
    fn climb(ladder: Ladder) -> Vec<Played> {
        let mut games = Vec::new();
        while let Some(round) = ladder.next(&games) {
            for fixture in round {
                let score = if fixture.black > fixture.white { 10 } else { -10 };
                games.push(Played {
                    fixture,
                    start: None,
                    moves: String::new(),
                    ending: Ending::Finished { score: Score::new(score).unwrap() },
                    thinking: [Duration::ZERO; 2],
                });
            }
        }
        games
    }

    #[test]
    fn the_stronger_climb_to_the_top() {
        let ladder = Ladder { players: 5, rounds: 40, seed: 3 };
        let games = climb(ladder);
        assert_eq!(games.len() as u64, ladder.total());
        let order: Vec<usize> = ladder.rungs(&games).iter().map(|rung| rung.player).collect();
        assert_eq!(order, [4, 3, 2, 1, 0]);
        let points: i64 = ladder.rungs(&games).iter().map(|rung| rung.points).sum();
        assert_eq!(points, 0);
    }

    #[test]
    fn challenges_go_up_by_three_rungs_at_most_and_can_be_told_again() {
        let ladder = Ladder { players: 6, rounds: 5, seed: 1 };
        let games = climb(ladder);
        for (number, game) in (0..).zip(&games) {
            assert_eq!(ladder.fixture(number, &games), Some(game.fixture));
        }
        let first = ladder.round(0, &[]).unwrap();
        assert!(first.iter().all(|fixture| fixture.black.abs_diff(fixture.white) <= REACH));
        assert_eq!(ladder.round(1, &[]), None);
        assert_eq!(ladder.fixture(ladder.total(), &games), None);
    }
}
