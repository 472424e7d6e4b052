//! The table of a ladder: ratings with errors from all games that the current versions have played against each other.

use std::collections::{BTreeMap, HashMap};

use turncoat_arena::Tally;
use turncoat_arena::stats::ratings::{Pairwise, Rating};

/// What versions have scored against each other.
#[derive(Debug, Clone, Default)]
pub struct Tallies(BTreeMap<(i64, i64), Tally>);

impl Tallies {
    /// Adds games of one result between two versions; `margin` is black's in all of them.
    pub fn add(&mut self, black: i64, white: i64, winner: &str, is_fault: bool, games: u64, margin: i64) {
        let (a, b) = (black.min(white), black.max(white));
        let swapped = black > white;
        let a_won = match winner {
            "draw" => None,
            winner => Some((winner == "black") != swapped),
        };
        let tally = self.0.entry((a, b)).or_default();
        match a_won {
            None => tally.draws += games,
            Some(true) => tally.wins += games,
            Some(false) => tally.losses += games,
        }
        match a_won {
            Some(true) if is_fault => tally.opponents_faults += games,
            Some(false) if is_fault => tally.faults += games,
            _ => {}
        }
        tally.margin += if swapped { -margin } else { margin };
    }

    /// What a version has scored against another.
    pub fn between(&self, version: i64, other: i64) -> Tally {
        let tally = self.0.get(&(version.min(other), version.max(other))).copied().unwrap_or_default();
        if version <= other { tally } else { tally.mirrored() }
    }
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The version.
    pub version: i64,
    /// Its place; `None` without a game.
    pub rank: Option<usize>,
    /// Its rating among the versions of the table.
    pub rating: Rating,
    /// What it scored against them.
    pub total: Tally,
}

/// The table of these versions, best first; those without a game come last.
pub fn table(versions: &[i64], tallies: &Tallies) -> Vec<Line> {
    let mut pairwise = Pairwise::new(versions.len());
    let mut totals = vec![Tally::default(); versions.len()];
    let places: HashMap<i64, usize> = versions.iter().copied().zip(0..).collect();
    for ((a, b), tally) in &tallies.0 {
        let (Some(&a), Some(&b)) = (places.get(a), places.get(b)) else { continue };
        for (player, opponent, tally) in [(a, b, *tally), (b, a, tally.mirrored())] {
            pairwise.add(player, opponent, tally.half_points() as f64 / 2.0);
            totals[player] = totals[player].plus(&tally);
        }
    }
    let ratings = if versions.is_empty() { Vec::new() } else { pairwise.ratings() };
    let lines = versions.iter().zip(ratings).zip(totals);
    let mut lines: Vec<Line> =
        lines.map(|((&version, rating), total)| Line { version, rank: None, rating, total }).collect();
    lines.sort_by(|a, b| {
        let played = |line: &Line| line.total.games() > 0;
        played(b).cmp(&played(a)).then(b.rating.elo.total_cmp(&a.rating.elo)).then(a.version.cmp(&b.version))
    });
    for (place, line) in (1..).zip(&mut lines) {
        line.rank = (line.total.games() > 0).then_some(place);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_add_up_whoever_was_black() {
        let mut tallies = Tallies::default();
        tallies.add(7, 3, "black", false, 2, 20);
        tallies.add(3, 7, "black", true, 1, 0);
        tallies.add(3, 7, "draw", false, 1, 0);
        let seven = tallies.between(7, 3);
        assert_eq!((seven.wins, seven.draws, seven.losses, seven.faults, seven.margin), (2, 1, 1, 1, 20));
        assert_eq!(tallies.between(3, 7), seven.mirrored());
        assert_eq!(tallies.between(3, 4), Tally::default());
    }

    #[test]
    fn only_games_among_the_versions_count_and_newcomers_come_last() {
        let mut tallies = Tallies::default();
        tallies.add(1, 2, "white", false, 10, -100);
        tallies.add(2, 9, "white", false, 50, -100);
        let lines = table(&[1, 2, 3], &tallies);
        let order: Vec<_> = lines.iter().map(|line| (line.version, line.rank, line.total.games())).collect();
        assert_eq!(order, [(2, Some(1), 10), (1, Some(2), 10), (3, None, 0)]);
        assert!(lines[0].rating.elo > 100.0 && lines[1].rating.elo < -100.0);
        assert_eq!(table(&[], &tallies), []);
    }
}
