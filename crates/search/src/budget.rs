//! The clock of a whole game, and how it is divided between the moves.

use std::time::Duration;

/// What is left on a player's clock.
///
/// ```
/// use std::time::Duration;
/// use turncoat_search::Budget;
///
/// let budget = Budget { increment: Duration::from_secs(1), ..Budget::new(Duration::from_secs(60)) };
/// assert_eq!(budget.even_share(58).as_millis(), 2966); // 60 s and 29 increments for 30 moves
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The time left.
    pub remaining: Duration,
    /// What is added after each own move.
    pub increment: Duration,
    /// Own moves until the next time control; all of the game if not given.
    pub moves_to_go: Option<u32>,
    /// The most that one move may take.
    pub move_limit: Option<Duration>,
}

/// The time of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allotment {
    /// No iteration is begun after this.
    pub soft: Duration,
    /// By then the move is made, even if a search is under way.
    pub hard: Duration,
}

/// How many own moves are to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovesAhead {
    /// Those that need time to think.
    pub hard: u32,
    /// All of them, the quick ones included.
    pub all: u32,
}

impl MovesAhead {
    /// The own moves that are to come with this many empties, if those from `settled` empties on take no thought.
    pub fn new(empties: u32, settled: u32) -> Self {
        Self {
            // The first settled move still takes some work.
            hard: empties.saturating_sub(settled).div_ceil(2) + 1,
            // Half of the empty squares and one more, in case the other side passes.
            all: empties / 2 + 1,
        }
    }
}

impl Budget {
    /// A clock without increments.
    pub const fn new(remaining: Duration) -> Self {
        Self { remaining, increment: Duration::ZERO, moves_to_go: None, move_limit: None }
    }

    /// An even share of the clock for every own move that is to come, for players that do not manage it themselves.
    pub fn even_share(&self, empties: u32) -> Duration {
        let moves = self.clamped(MovesAhead::new(empties, 0)).all;
        let share = self.with_increments(self.remaining, moves) / moves;
        self.at_most(share.min(self.remaining))
    }

    /// The time of the next move. `delay` is by how much a move may exceed its time: that is kept back for each move to
    /// come.
    ///
    /// The clock does not run out as long as no move is later than that; where there is no time for all these delays, as
    /// long as none is later than three quarters of an even share.
    pub fn allot(&self, moves: MovesAhead, delay: Duration) -> Allotment {
        let MovesAhead { hard: moves, all } = self.clamped(moves);
        // Increments pay for the delays of later moves first.
        let later = delay.saturating_sub(self.increment).saturating_mul(all - 1);
        let kept_back = delay.saturating_add(later);
        let usable = self.remaining.checked_sub(kept_back).unwrap_or(self.remaining / all.saturating_mul(4));
        let share = self.with_increments(usable, moves) / moves;
        // A long search may take several shares, but later moves need time too.
        let most = if all > 1 { usable / 5 * 3 } else { usable };
        let most = self.at_most(most);
        Allotment { soft: (share / 10 * 7).min(most), hard: share.saturating_mul(3).min(most) }
    }

    fn clamped(&self, moves: MovesAhead) -> MovesAhead {
        let most = self.moves_to_go.unwrap_or(u32::MAX).max(1);
        MovesAhead { hard: moves.hard.clamp(1, most), all: moves.all.clamp(1, most) }
    }

    /// The time with the increments until the last of these moves.
    const fn with_increments(&self, time: Duration, moves: u32) -> Duration {
        time.saturating_add(self.increment.saturating_mul(moves.saturating_sub(1)))
    }

    fn at_most(&self, time: Duration) -> Duration {
        self.move_limit.map_or(time, |limit| time.min(limit))
    }
}

/// How late moves have been on a busy machine.
///
/// A thread that is suspended in the middle of a search loses a little depth; at its end, the answer is late. So the
/// longest suspension seen anywhere counts as what may happen at the end, for the rest of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness(Duration);

impl Lateness {
    /// What is expected of any machine: passing the answer on takes time too.
    pub const USUAL: Duration = Duration::from_millis(8);

    /// By how much the next move may be late: twice as much as the worst so far.
    pub const fn expected(&self) -> Duration {
        self.0.saturating_mul(2)
    }

    /// Notes a move: the time it had, the time it took, the CPU time of its thread, and the longest gap between two
    /// readings of the clock.
    pub fn note(&mut self, had: Duration, took: Duration, worked: Duration, gap: Duration) {
        let held_up = gap.min(took.saturating_sub(worked));
        let late = took.saturating_sub(had);
        self.0 = self.0.max(held_up).max(late);
    }
}

impl Default for Lateness {
    fn default() -> Self {
        Self(Self::USUAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Plays the own moves of a game and returns what is left; `None` if the clock ran down. Every move takes all it
    /// may and is late by what `late` says of its number.
    fn play(mut budget: Budget, empties: u32, settled: u32, late: impl Fn(u32) -> Duration) -> Option<Duration> {
        let mut lateness = Lateness::default();
        for (number, empties) in (0..=empties).rev().step_by(2).enumerate() {
            let moves = MovesAhead::new(empties, settled);
            let Allotment { soft, hard } = budget.allot(moves, lateness.expected());
            assert!(soft <= hard && hard <= budget.remaining);
            let late = late(number as u32);
            lateness.note(hard, hard + late, hard, late);
            budget.remaining = budget.remaining.checked_sub(hard + late)? + budget.increment;
        }
        Some(budget.remaining)
    }

    #[test]
    fn the_clock_never_runs_down() {
        for remaining in [1, 10, 320, 1000, 60_000, 3_600_000].map(millis) {
            for increment in [0, 1, 100, 5000].map(millis) {
                for settled in [0, 10, 20, 60] {
                    let budget = Budget { increment, ..Budget::new(remaining) };
                    let late = |_| (remaining / 64).min(Lateness::USUAL);
                    assert!(play(budget, 60, settled, late).is_some(), "{remaining:?} + {increment:?}, {settled}");
                }
            }
        }
    }

    #[test]
    fn a_machine_that_becomes_busy_is_noticed_in_time() {
        // A game in which single moves are held up for half a second, now and then or always.
        for every in 1..6 {
            let late = |number: u32| {
                if number.is_multiple_of(every) { millis(500) } else { Duration::ZERO }
            };
            assert!(play(Budget::new(millis(40_000)), 60, 18, late).is_some(), "{every}");
        }
    }

    #[test]
    fn most_of_the_time_is_used_and_settled_moves_get_less() {
        let left = play(Budget::new(millis(60_000)), 60, 20, |_| Duration::ZERO).unwrap();
        assert!(left < millis(1000), "{left:?}");
        let budget = Budget::new(millis(60_000));
        let delay = Lateness::USUAL;
        let soft = |settled| budget.allot(MovesAhead::new(60, settled), delay).soft;
        assert!(soft(20) > soft(10) && soft(10) > soft(0));
    }

    #[test]
    fn limits_of_the_clock_are_kept() {
        let budget = Budget { move_limit: Some(millis(50)), ..Budget::new(millis(60_000)) };
        assert_eq!(budget.allot(MovesAhead::new(60, 0), millis(10)).hard, millis(50));
        assert_eq!(budget.even_share(60), millis(50));
        // The last move before the next time may take all of it, less the delay.
        let last = Budget { moves_to_go: Some(1), ..Budget::new(millis(1000)) };
        assert_eq!(last.allot(MovesAhead::new(60, 0), millis(10)).hard, millis(990));
        assert_eq!(last.even_share(60), millis(1000));
        // Nonsense divides nothing by nothing.
        let none = Budget { moves_to_go: Some(0), increment: Duration::MAX, ..Budget::new(Duration::MAX) };
        assert!(none.allot(MovesAhead::new(0, 0), Duration::MAX).hard <= Duration::MAX);
        assert_eq!(Budget::new(Duration::ZERO).even_share(60), Duration::ZERO);
    }

    #[test]
    fn work_is_not_lateness() {
        let mut lateness = Lateness::default();
        lateness.note(millis(100), millis(90), millis(90), millis(80));
        assert_eq!(lateness.expected(), millis(16));
        lateness.note(millis(100), millis(100), millis(60), millis(30));
        assert_eq!(lateness.expected(), millis(60));
        lateness.note(millis(100), millis(150), millis(150), millis(1));
        assert_eq!(lateness.expected(), millis(100));
    }
}
