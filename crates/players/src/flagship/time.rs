//! How `turncoat` spends its time: from how many empties on it plays perfectly, and how it divides the clock of a game
//! between its moves.

use std::time::Duration;

use turncoat_board::Square;
use turncoat_eval::UNITS;
use turncoat_search::{Lateness, Limits, MovesAhead, Watch};

/// How many more empties than the depth are solved: that costs about as much as the search to the depth.
const BEYOND_DEPTH: u32 = 4;
/// Empties that are solved in seconds; each more takes twice as long. A depth alone solves no more, unless it reaches
/// the end.
pub(super) const SOLVED_IN_SECONDS: u32 = 24;
/// Empties that are solved in a millisecond.
const SOLVED_IN_A_MILLISECOND: u32 = 12;
/// Positions that the solver enters in a millisecond.
const NODES_A_MILLISECOND: u64 = 40_000;

/// How many empties can be solved within all of the limits.
pub(super) fn affordable(limits: &Limits) -> u32 {
    let by_time = limits.time.map(solved_in);
    let by_nodes = limits.nodes.map(|nodes| match nodes / NODES_A_MILLISECOND {
        0 => {
            let fewer = (NODES_A_MILLISECOND / nodes.max(1)).ilog2();
            SOLVED_IN_A_MILLISECOND.saturating_sub(fewer)
        }
        millis => solved_in(Duration::from_millis(millis)),
    });
    let by_depth = limits.depth.map(|depth| depth.max((depth + BEYOND_DEPTH).min(SOLVED_IN_SECONDS)));
    let all = [by_time, by_nodes, by_depth];
    all.into_iter().flatten().min().unwrap_or(0)
}

/// How many empties can be solved in this time: five more take about 64 times as long.
fn solved_in(time: Duration) -> u32 {
    let millis = time.as_millis().max(1);
    SOLVED_IN_A_MILLISECOND + millis.ilog2() * 5 / 6
}

/// The clock of a game, move by move.
#[derive(Debug, Default)]
pub(super) struct TimeManager {
    lateness: Lateness,
}

impl TimeManager {
    /// The limits of a move with this many empties. Where they have the clock of a game, it is divided by the
    /// moves that are still to be thought about.
    pub(super) fn divide(&self, empties: u32, limits: &Limits) -> Limits {
        let Some(budget) = limits.game else {
            return limits.clone();
        };
        let settled = solved_in(budget.even_share(empties));
        let moves = MovesAhead::new(empties, settled);
        let allotted = budget.allot(moves, self.lateness.expected());
        Limits { time: Some(allotted.hard), soft: Some(allotted.soft), ..limits.clone() }
    }

    /// Notes how a move went that began when its thread had worked so long.
    pub(super) fn note(&mut self, limits: &Limits, watch: &Watch, worked: Duration) {
        let Some(had) = limits.time.filter(|_| limits.game.is_some()) else {
            return;
        };
        let worked = limits.work.now().saturating_sub(worked);
        self.lateness.note(had, watch.elapsed(), worked, watch.longest_gap());
    }
}

/// How much the iterations of a search disagree: what a clear move leaves of its share of the clock, trouble may use.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    best: Option<Square>,
    /// Iterations for which it has been the best.
    steady: usize,
    /// The values of the last two iterations.
    values: [Option<i32>; 2],
    has_fallen: bool,
}

impl Trouble {
    /// The share of a move that has been the best for so many iterations after the first, in percent.
    const BY_STEADY: [u32; 7] = [150, 125, 105, 95, 85, 75, 65];
    /// A value that falls by this much, and the share then.
    const FALL: i32 = UNITS;
    const FALLEN: u32 = 130;

    /// Notes the best move of an iteration and its value.
    pub(super) fn note(&mut self, best: Square, value: i32) {
        self.steady = if self.best == Some(best) { self.steady + 1 } else { 0 };
        self.best = Some(best);
        // Values of odd and even depths differ systematically.
        let [before, last] = self.values;
        self.has_fallen = before.is_some_and(|before| value <= before - Self::FALL);
        self.values = [last, Some(value)];
    }

    /// What the move may have where an unremarkable one has this.
    pub(super) fn share_of(&self, usual: Duration) -> Duration {
        let steady = Self::BY_STEADY[self.steady.min(Self::BY_STEADY.len() - 1)];
        let fallen = if self.has_fallen { Self::FALLEN } else { 100 };
        usual * steady * fallen / 10_000
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::Geometry;

    use super::*;

    #[test]
    fn a_clear_move_has_less_time_and_trouble_more() {
        let [one, other] = ["f5", "d6"].map(|square| Geometry::EIGHT.square(square).unwrap());
        let usual = Duration::from_secs(1);
        let mut trouble = Trouble::default();
        for value in [3, 5, 3, 5, 3, 5, 3, 5] {
            trouble.note(one, value * UNITS);
        }
        assert_eq!(trouble.share_of(usual), Duration::from_millis(650));
        trouble.note(one, UNITS);
        assert_eq!(trouble.share_of(usual), Duration::from_millis(845));
        trouble.note(other, 3 * UNITS);
        assert_eq!(trouble.share_of(usual), Duration::from_millis(1950));
        trouble.note(other, UNITS);
        assert_eq!(trouble.share_of(usual), Duration::from_millis(1250));
    }

    #[test]
    fn what_is_solved_follows_from_every_limit() {
        let millis = |n| Limits { time: Some(Duration::from_millis(n)), ..Limits::default() };
        let nodes = |n| Limits { nodes: Some(n), ..Limits::default() };
        let depth = |n| Limits { depth: Some(n), ..Limits::default() };
        assert_eq!([0, 1, 100, 1000, 60_000].map(|n| affordable(&millis(n))), [12, 12, 17, 19, 24]);
        assert_eq!([0, 1, 4000, 40_000, 4_000_000].map(|n| affordable(&nodes(n))), [0, 0, 9, 12, 17]);
        assert_eq!([1, 10, 20, 22, 30, 60].map(|n| affordable(&depth(n))), [5, 14, 24, 24, 30, 60]);
        let both = Limits { depth: Some(10), ..millis(60_000) };
        assert_eq!(affordable(&both), 14);
    }
}
