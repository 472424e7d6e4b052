//! The table of a tournament.

use std::cmp::Ordering;

use crate::results::{Results, Tally};
use crate::stats::ratings::Rating;

/// One player's line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// The place; equal results share it.
    pub rank: usize,
    /// The player, as an index into the players of the run.
    pub player: usize,
    /// What it scored against all others.
    pub total: Tally,
    /// Its rating among the players of this run.
    pub rating: Rating,
}

impl Standing {
    /// Points of the course's platform: a win is +5, a draw 0, a loss -5.
    pub const fn course_points(&self) -> i64 {
        5 * (self.total.wins as i64 - self.total.losses as i64)
    }

    /// Points: a win is 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.total.half_points() as f64 / 2.0
    }
}

/// The table: by the share of points, then by the mean margin, then in the order of the players. Only
/// whole numbers are compared, so that the order is the same on every machine. When everyone has played
/// as many games, this is also the order of the course's points.
pub fn standings(results: &Results) -> Vec<Standing> {
    let ratings = results.pairwise().ratings();
    let mut table: Vec<Standing> = (0..results.players())
        .map(|player| Standing { rank: 0, player, total: results.total(player), rating: ratings[player] })
        .collect();
    table.sort_by(|a, b| compare(&b.total, &a.total));
    for place in 0..table.len() {
        let shared = place > 0 && compare(&table[place - 1].total, &table[place].total).is_eq();
        table[place].rank = if shared { table[place - 1].rank } else { place + 1 };
    }
    table
}

fn compare(a: &Tally, b: &Tally) -> Ordering {
    let points = ratio((a.half_points() as i64, a.games()), (b.half_points() as i64, b.games()));
    points.then_with(|| ratio((a.margin, a.finished()), (b.margin, b.finished())))
}

/// Compares two fractions; nothing of nothing is zero.
fn ratio(a: (i64, u64), b: (i64, u64)) -> Ordering {
    let cross = |x: (i64, u64), y: (i64, u64)| i128::from(x.0) * i128::from(y.1.max(1));
    cross(a, b).cmp(&cross(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::game;
    use crate::schedule::Schedule;

    fn results(players: usize, scores: &[i32]) -> Results {
        let schedule = Schedule::round_robin(players, 1);
        let mut results = Results::new(players);
        for (number, &score) in (0..).zip(scores) {
            results.add(game(&schedule, number, score));
        }
        while results.count_next().is_some() {}
        results
    }

    #[test]
    fn the_table_has_the_course_points_in_order() {
        // 0 beats 1 twice, 2 beats 0 twice, 1 and 2 draw once and 2 wins once.
        let table = standings(&results(3, &[10, -2, -6, 8, 0, 4]));
        let lines: Vec<_> = table.iter().map(|s| (s.rank, s.player, s.course_points(), s.points())).collect();
        assert_eq!(lines, [(1, 2, 15, 3.5), (2, 0, 0, 2.0), (3, 1, -15, 0.5)]);
        assert!(table[0].rating.elo > table[1].rating.elo);
    }

    #[test]
    fn margins_break_ties_and_equals_share_the_rank() {
        // Everyone wins once against everyone.
        let table = standings(&results(3, &[10, 4, 2, 2, 2, 2]));
        let order: Vec<_> = table.iter().map(|s| (s.rank, s.player)).collect();
        assert_eq!(order, [(1, 0), (2, 2), (3, 1)]);
        let none = standings(&Results::new(3));
        assert!(none.iter().all(|s| s.rank == 1 && s.course_points() == 0));
    }
}
