//! Who plays whom, in which order.
//!
//! A schedule is an iterator over numbered games, and the number alone says who plays which opening with
//! which colour. So it can be cut, resumed and prolonged. Systems whose later rounds depend on results
//! are a row of such iterators: each round is run to its end before the next one is made.

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fixture {
    /// Its number in the run, from 0. Games 2n and 2n + 1 are a pair.
    pub number: u64,
    /// Which opening it begins with; both games of a pair have the same.
    pub opening: u64,
    /// Who plays black, as an index into the players of the run.
    pub black: usize,
    /// Who plays white.
    pub white: usize,
}

impl Fixture {
    /// The two players, the one with the lower index first.
    pub fn encounter(&self) -> (usize, usize) {
        (self.black.min(self.white), self.black.max(self.white))
    }
}

/// Rounds of encounters. In every round each encounter is a pair of games: the same opening twice, with
/// the colours swapped. All encounters of a round share the opening, so that the players are compared on
/// the same ground.
///
/// ```
/// use turncoat_arena::Schedule;
///
/// let schedule = Schedule::round_robin(3, 2);
/// assert_eq!(schedule.total(), 12);
/// let games: Vec<_> = schedule.map(|f| (f.black, f.white, f.opening)).collect();
/// assert_eq!(games[..4], [(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0)]);
/// assert_eq!(games[6], (0, 1, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    rounds: u64,
    next: u64,
}

impl Schedule {
    /// Everyone against everyone. With two players this is a match.
    pub fn round_robin(players: usize, rounds: u64) -> Self {
        let encounters = (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b)));
        Self::new(encounters.collect(), rounds)
    }

    /// The first player against each of the others.
    pub fn gauntlet(players: usize, rounds: u64) -> Self {
        Self::new((1..players).map(|b| (0, b)).collect(), rounds)
    }

    const fn new(encounters: Vec<(usize, usize)>, rounds: u64) -> Self {
        Self { encounters, rounds, next: 0 }
    }

    /// The number of games from the first to the last.
    pub fn total(&self) -> u64 {
        2 * self.rounds * self.encounters.len() as u64
    }

    /// The game with this number, if there is one.
    pub fn fixture(&self, number: u64) -> Option<Fixture> {
        if number >= self.total() {
            return None;
        }
        let (pair, encounters) = (number / 2, self.encounters.len() as u64);
        let (a, b) = self.encounters[(pair % encounters) as usize];
        let (black, white) = if number.is_multiple_of(2) { (a, b) } else { (b, a) };
        Some(Fixture { number, opening: pair / encounters, black, white })
    }
}

impl Iterator for Schedule {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        let fixture = self.fixture(self.next)?;
        self.next += 1;
        Some(fixture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn everyone_meets_everyone_equally_with_both_colours() {
        for players in 2..8 {
            let mut met: HashMap<(usize, usize), Vec<u64>> = HashMap::new();
            for (number, fixture) in (0..).zip(Schedule::round_robin(players, 3)) {
                assert_eq!(fixture.number, number);
                met.entry((fixture.black, fixture.white)).or_default().push(fixture.opening);
            }
            assert_eq!(met.len(), players * (players - 1));
            assert!(met.values().all(|openings| openings == &[0, 1, 2]));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let games: Vec<_> = Schedule::gauntlet(4, 2).collect();
        assert_eq!(games.len(), 12);
        assert!(games.iter().all(|f| f.encounter().0 == 0));
        assert_eq!(Schedule::gauntlet(4, 2).total(), 12);
    }

    #[test]
    fn a_longer_schedule_begins_with_the_shorter_one() {
        let short: Vec<_> = Schedule::round_robin(4, 2).collect();
        let long: Vec<_> = Schedule::round_robin(4, 5).collect();
        assert_eq!(long[..short.len()], short);
    }

    #[test]
    fn nobody_plays_nothing() {
        assert_eq!(Schedule::round_robin(1, 5).total(), 0);
        assert_eq!(Schedule::gauntlet(0, 5).next(), None);
    }
}
