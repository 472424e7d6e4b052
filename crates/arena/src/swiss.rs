//! The Swiss system: in each round players meet who have as many points, and nobody meets anybody twice.
//!
//! Each pairing is a pair of games with the colours swapped. After each round the players are ordered by their points,
//! equals as they were named, and paired from the top: each with the next one it has not met. Where that leaves somebody
//! without an opponent, earlier choices are taken back; only where there is no way at all do players meet again. Of an odd
//! number, the lowest that has not sat out yet sits out.

use std::collections::BTreeSet;

use crate::played::Played;
use crate::schedule::Fixture;

/// Choices that are tried for a round before players may meet again.
const MOST_TRIES: usize = 20_000;

/// Rounds of the Swiss system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swiss {
    /// How many players there are.
    pub players: usize,
    /// How many rounds are played.
    pub rounds: u64,
}

impl Swiss {
    /// Games of a round.
    const fn games_per_round(&self) -> u64 {
        2 * (self.players as u64 / 2)
    }

    /// The number of all games.
    pub const fn total(&self) -> u64 {
        self.rounds * self.games_per_round()
    }

    /// The games of a round, once all games before it are known.
    pub fn round(&self, round: u64, games: &[Played]) -> Option<Vec<Fixture>> {
        let before = round.checked_mul(self.games_per_round())?;
        if round >= self.rounds || before > games.len() as u64 {
            return None;
        }
        let games = &games[..before as usize];
        let mut points = vec![0; self.players];
        let mut met = BTreeSet::new();
        let mut played = vec![0_u64; self.players];
        for game in games {
            met.insert(game.fixture.encounter());
            for player in [game.fixture.black, game.fixture.white] {
                points[player] += game.half_points(player);
                played[player] += 1;
            }
        }
        let mut order: Vec<usize> = (0..self.players).collect();
        // Who sat out has what two draws would have brought.
        let share = |player: usize| points[player] + (before_each(round) - played[player]) as u32;
        order.sort_by_key(|&player| std::cmp::Reverse(share(player)));
        if order.len() % 2 == 1 {
            let most = played.iter().copied().max().unwrap_or(0);
            let sits = order.iter().rposition(|&player| played[player] == most).unwrap_or(order.len() - 1);
            order.remove(sits);
        }
        let pairs = pairs(&order, &met);
        let mut fixtures = Vec::new();
        for (a, b) in pairs {
            for (black, white) in [(a, b), (b, a)] {
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

/// Games that a player has before a round, if it never sat out.
const fn before_each(round: u64) -> u64 {
    2 * round
}

/// Pairs an even number of players in their order, those who have met apart if there is a way.
fn pairs(order: &[usize], met: &BTreeSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut tries = MOST_TRIES;
    let mut paired = Vec::new();
    if !pair_up(order, met, &mut paired, &mut tries) {
        return order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    }
    paired
}

/// Pairs the first with the next one it has not met and the rest likewise; whether there is a way.
fn pair_up(
    rest: &[usize],
    met: &BTreeSet<(usize, usize)>,
    paired: &mut Vec<(usize, usize)>,
    tries: &mut usize,
) -> bool {
    let Some((&first, others)) = rest.split_first() else { return true };
    for (place, &other) in others.iter().enumerate() {
        if met.contains(&(first.min(other), first.max(other))) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let mut left = others.to_vec();
        left.remove(place);
        paired.push((first, other));
        if pair_up(&left, met, paired, tries) {
            return true;
        }
        paired.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use proptest::prelude::*;
    use turncoat_board::Score;

    use super::*;
    use crate::played::Ending;

    /// Plays a tournament in which the player with the lower number wins.
    fn play(swiss: Swiss) -> Vec<Played> {
        let mut games = Vec::new();
        while let Some(round) = swiss.next(&games) {
            for fixture in round {
                let score = if fixture.black < fixture.white { 10 } else { -10 };
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

    proptest! {
        #[test]
        fn nobody_meets_anybody_twice_and_all_play_as_often(players in 2usize..40, rounds in 1u64..8) {
            let swiss = Swiss { players, rounds: rounds.min((players as u64 - 1) / 2).max(1) };
            let games = play(swiss);
            prop_assert_eq!(games.len() as u64, swiss.total());
            let mut met: HashMap<(usize, usize), u64> = HashMap::new();
            let mut played = vec![0_u64; players];
            for (number, game) in (0..).zip(&games) {
                prop_assert_eq!(swiss.fixture(number, &games), Some(game.fixture));
                *met.entry((game.fixture.black, game.fixture.white)).or_default() += 1;
                played[game.fixture.black] += 1;
                played[game.fixture.white] += 1;
            }
            prop_assert!(met.iter().all(|(&(a, b), &count)| count == 1 && met[&(b, a)] == 1));
            let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
            let uneven = if players % 2 == 1 { 2 } else { 0 };
            prop_assert!(most - least <= uneven);
        }
    }

    #[test]
    fn the_best_find_each_other() {
        let swiss = Swiss { players: 8, rounds: 3 };
        let games = play(swiss);
        let last = swiss.round(2, &games).unwrap();
        assert_eq!(last[0].encounter(), (0, 4), "these two have won everything");
        assert_eq!(swiss.round(3, &games), None);
        assert_eq!(Swiss { players: 2, rounds: 3 }.next(&play(Swiss { players: 2, rounds: 2 })).unwrap().len(), 2);
        assert_eq!(Swiss { players: 1, rounds: 3 }.total(), 0);
    }
}
