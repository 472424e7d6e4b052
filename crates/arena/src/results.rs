//! The results of a run: the games in the order of their numbers, and what each two players scored.
//!
//! Games finish in any order, but they count in theirs: a game is added up only when all before it have
//! been. So what is decided from results does not depend on which thread was faster.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::played::Played;
use crate::stats::elo::Pentanomial;
use crate::stats::ratings::Pairwise;

/// What two players scored against each other, from the view of the one with the lower index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by an own fault.
    pub faults: u64,
    /// Games won by a fault of the other.
    pub opponents_faults: u64,
    /// The sum of margins of the games that were played to their end.
    pub margin: i64,
    /// Pairs of games by their score.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Games counted.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points: 2 for a win, 1 for a draw.
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Games that were played to their end.
    pub const fn finished(&self) -> u64 {
        self.games() - self.faults - self.opponents_faults
    }

    /// The mean margin of the games that were played to their end.
    pub fn mean_margin(&self) -> Option<f64> {
        (self.finished() > 0).then(|| self.margin as f64 / self.finished() as f64)
    }

    /// The same from the other's view.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            faults: self.opponents_faults,
            opponents_faults: self.faults,
            margin: -self.margin,
            pairs,
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut pairs = self.pairs;
        for (sum, more) in pairs.0.iter_mut().zip(other.pairs.0) {
            *sum += more;
        }
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            faults: self.faults + other.faults,
            opponents_faults: self.opponents_faults + other.opponents_faults,
            margin: self.margin + other.margin,
            pairs,
        }
    }

    fn add(&mut self, played: &Played, player: usize, opponent: usize) {
        match played.half_points(player) {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.margin += i64::from(played.margin_of(player).unwrap_or_default());
        self.faults += u64::from(played.is_fault_of(player));
        self.opponents_faults += u64::from(played.is_fault_of(opponent));
    }
}

/// All results of a run.
#[derive(Debug, Clone)]
pub struct Results {
    players: usize,
    games: Vec<Played>,
    /// Finished before a game with a lower number.
    waiting: BTreeMap<u64, Played>,
    encounters: BTreeMap<(usize, usize), Tally>,
    /// Hashes of the games counted.
    distinct: BTreeSet<u64>,
}

impl Results {
    /// No games yet.
    pub const fn new(players: usize) -> Self {
        Self {
            players,
            games: Vec::new(),
            waiting: BTreeMap::new(),
            encounters: BTreeMap::new(),
            distinct: BTreeSet::new(),
        }
    }

    /// Takes a finished game in; it counts once all before it are there. Taking in a game that is
    /// there already changes nothing.
    pub fn add(&mut self, played: Played) {
        if played.fixture.number >= self.games.len() as u64 {
            self.waiting.entry(played.fixture.number).or_insert(played);
        }
    }

    /// Counts the next game in order, if it has been taken in.
    pub fn count_next(&mut self) -> Option<&Played> {
        let played = self.waiting.remove(&(self.games.len() as u64))?;
        let (a, b) = played.fixture.encounter();
        let tally = self.encounters.entry((a, b)).or_default();
        tally.add(&played, a, b);
        if !played.fixture.number.is_multiple_of(2)
            && let Some(first) = self.games.last()
        {
            tally.pairs.add(first.half_points(a) + played.half_points(a));
        }
        let mut hasher = DefaultHasher::new();
        (a, b, played.fixture.black, &played.start, &played.moves).hash(&mut hasher);
        self.distinct.insert(hasher.finish());
        self.games.push(played);
        self.games.last()
    }

    /// Forgets the games that have not been counted.
    pub fn drop_waiting(&mut self) {
        self.waiting.clear();
    }

    /// The number of players.
    pub const fn players(&self) -> usize {
        self.players
    }

    /// The games counted, in order.
    pub fn games(&self) -> &[Played] {
        &self.games
    }

    /// How many of the games counted differ in players, colours or moves.
    pub fn distinct(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// All games that are there: those counted and those that wait for one before them.
    pub fn all(&self) -> impl Iterator<Item = &Played> {
        self.games.iter().chain(self.waiting.values())
    }

    /// Whether this game is there.
    pub fn contains(&self, number: u64) -> bool {
        number < self.games.len() as u64 || self.waiting.contains_key(&number)
    }

    /// What a player scored against an opponent.
    pub fn against(&self, player: usize, opponent: usize) -> Tally {
        let key = (player.min(opponent), player.max(opponent));
        let tally = self.encounters.get(&key).copied().unwrap_or_default();
        if player <= opponent { tally } else { tally.mirrored() }
    }

    /// What a player scored against all others.
    pub fn total(&self, player: usize) -> Tally {
        (0..self.players)
            .filter(|&other| other != player)
            .fold(Tally::default(), |sum, other| sum.plus(&self.against(player, other)))
    }

    /// Points of everyone against everyone, for ratings.
    pub fn pairwise(&self) -> Pairwise {
        let mut pairwise = Pairwise::new(self.players);
        for (&(a, b), tally) in &self.encounters {
            pairwise.add(a, b, tally.half_points() as f64 / 2.0);
            pairwise.add(b, a, tally.mirrored().half_points() as f64 / 2.0);
        }
        pairwise
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::played::Ending;
    use crate::schedule::Schedule;
    use std::time::Duration;
    use turncoat_board::{Color, Score};
    use turncoat_players::Fault;

    /// A game of a schedule with this score for black.
    pub(crate) fn game(schedule: &Schedule, number: u64, score: i32) -> Played {
        Played {
            fixture: schedule.fixture(number).unwrap(),
            start: None,
            moves: "f5d6c3".to_owned(),
            ending: Ending::Finished { score: Score::new(score).unwrap() },
            thinking: [Duration::ZERO; 2],
        }
    }

    fn count_all(results: &mut Results) -> u64 {
        let mut counted = 0;
        while results.count_next().is_some() {
            counted += 1;
        }
        counted
    }

    #[test]
    fn games_count_in_the_order_of_their_numbers() {
        let schedule = Schedule::round_robin(2, 3);
        let mut results = Results::new(2);
        for (number, counted) in [(3, 0), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0)] {
            results.add(game(&schedule, number, 2));
            assert_eq!(count_all(&mut results), counted, "{number}");
        }
        let numbers: Vec<_> = results.games().iter().map(|g| g.fixture.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }

    #[test]
    fn tallies_add_up_from_both_views() {
        let schedule = Schedule::round_robin(2, 3);
        let mut results = Results::new(2);
        // Black by 10, then white (the first player again) by 4: a pair of two points. Then a draw and a
        // loss of the first player by its own fault.
        results.add(game(&schedule, 0, 10));
        results.add(game(&schedule, 1, -4));
        results.add(game(&schedule, 2, 0));
        results.add(Played {
            ending: Ending::Fault { by: Color::White, fault: Fault::Timeout(String::new()) },
            ..game(&schedule, 3, 0)
        });
        results.add(game(&schedule, 4, 6));
        count_all(&mut results);
        let tally = results.against(0, 1);
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
        assert_eq!((tally.faults, tally.opponents_faults), (1, 0));
        assert_eq!((tally.margin, tally.finished()), (20, 4));
        assert_eq!(tally.mean_margin(), Some(5.0));
        assert_eq!(tally.pairs.0, [0, 1, 0, 0, 1], "the last game has no pair yet");
        let mirrored = results.against(1, 0);
        assert_eq!((mirrored.wins, mirrored.losses, mirrored.margin), (1, 3, -20));
        assert_eq!((mirrored.faults, mirrored.opponents_faults), (0, 1));
        assert_eq!(mirrored.pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(results.total(1), mirrored);
        assert_eq!(results.distinct(), 2, "the same moves with either colour");
    }
}
