//! Who challenges whom: whoever has played least meets one a little above.
//!
//! The challenger is the program with the fewest games, so that all have as many. It meets one of the three players above
//! it, or below if it leads, whom it has met least; equals by lot. Each challenge is a pair of games from one opening with
//! the colours swapped. Yardsticks are challenged and challenge nobody.

use rand::{Rng, RngExt};

/// How far a challenge may go.
const REACH: usize = 3;

/// A player on the ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rung {
    /// The version that plays.
    pub version: i64,
    /// Whether it is a yardstick.
    pub is_yardstick: bool,
    /// Its games, those decided on included.
    pub games: u64,
}

/// The next challenge on a ladder whose best comes first: challenger and challenged. `met` counts the games of two
/// versions, those decided on included.
pub fn next(rungs: &[Rung], met: impl Fn(i64, i64) -> u64, lots: &mut impl Rng) -> Option<(i64, i64)> {
    let challengers = rungs.iter().enumerate().filter(|(_, rung)| !rung.is_yardstick);
    let (place, challenger) = least(challengers, |(_, rung)| rung.games, lots)?;
    let above = &rungs[place.saturating_sub(REACH)..place];
    let below = &rungs[place + 1..rungs.len().min(place + 1 + REACH)];
    let others = if above.is_empty() { below } else { above };
    let challenged = least(others.iter(), |rung| (met(challenger.version, rung.version), rung.games), lots)?;
    Some((challenger.version, challenged.version))
}

/// One of those with the least value, by lot.
fn least<T, V: Ord>(all: impl Iterator<Item = T>, value: impl Fn(&T) -> V, lots: &mut impl Rng) -> Option<T> {
    let mut best: Vec<T> = Vec::new();
    for one in all {
        match best.first().map(|first| value(&one).cmp(&value(first))) {
            None | Some(std::cmp::Ordering::Equal) => best.push(one),
            Some(std::cmp::Ordering::Less) => best = vec![one],
            Some(std::cmp::Ordering::Greater) => {}
        }
    }
    let chosen = if best.is_empty() { return None } else { lots.random_range(0..best.len()) };
    Some(best.swap_remove(chosen))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use turncoat_players::seed::stream;

    use super::*;

    /// Lets challenges be decided on for a while; the ladder keeps its order.
    fn play(programs: usize, yardsticks: usize, rounds: usize, seed: u64) -> (Vec<Rung>, HashMap<(i64, i64), u64>) {
        let rung = |version: usize| Rung { version: version as i64, is_yardstick: version < yardsticks, games: 0 };
        let mut rungs: Vec<Rung> = (0..programs + yardsticks).map(rung).collect();
        let mut met: HashMap<(i64, i64), u64> = HashMap::new();
        for round in 0..rounds {
            let count = |a: i64, b: i64| met.get(&(a.min(b), a.max(b))).copied().unwrap_or(0);
            let Some((a, b)) = next(&rungs, count, &mut stream(seed, &[round as u64])) else { break };
            *met.entry((a.min(b), a.max(b))).or_default() += 2;
            rungs.iter_mut().filter(|rung| [a, b].contains(&rung.version)).for_each(|rung| rung.games += 2);
        }
        (rungs, met)
    }

    proptest! {
        #[test]
        fn programs_have_as_many_games_and_meet_their_neighbours(
            programs in 2usize..30, yardsticks in 0usize..5, seed in 0u64..100
        ) {
            let (rungs, met) = play(programs, yardsticks, programs * 10, seed);
            let games = rungs.iter().filter(|rung| !rung.is_yardstick).map(|rung| rung.games);
            let (least, most) = (games.clone().min().unwrap(), games.max().unwrap());
            prop_assert!(least >= 10 && most - least <= 20, "{} to {}", least, most);
            for &(a, b) in met.keys() {
                prop_assert!(a != b && a.abs_diff(b) <= REACH as u64);
                prop_assert!(!(rungs[a as usize].is_yardstick && rungs[b as usize].is_yardstick));
            }
        }
    }

    #[test]
    fn nobody_is_challenged_where_nobody_is() {
        let one = Rung { version: 1, is_yardstick: false, games: 0 };
        let lots = &mut stream(1, &[]);
        assert_eq!(next(&[], |_, _| 0, lots), None);
        assert_eq!(next(&[one], |_, _| 0, lots), None);
        let yardstick = Rung { is_yardstick: true, version: 2, ..one };
        assert_eq!(next(&[yardstick], |_, _| 0, lots), None);
        assert_eq!(next(&[yardstick, one], |_, _| 0, lots), Some((1, 2)));
        assert_eq!(next(&[one, yardstick], |_, _| 0, lots), Some((1, 2)));
    }
}
