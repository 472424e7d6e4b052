//! Individuals, their results, and populations.

use serde::{Deserialize, Serialize};

use super::algorithm::Method;
use super::genome::Genome;

/// One set of parameters, alive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Its number in the run, in the order of birth.
    pub id: u64,
    /// Generations it has survived.
    pub age: u32,
    /// Its genes.
    pub genome: Genome,
}

/// The games that count for an individual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColorTally {
    /// Games won as black.
    pub black_wins: u32,
    /// Games won as white.
    pub white_wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// Discs ahead, over all games.
    pub margin: i64,
}

impl ColorTally {
    /// Counts a game by its margin for the individual.
    pub fn add(&mut self, as_black: bool, margin: i8) {
        self.margin += i64::from(margin);
        match margin.signum() {
            1 if as_black => self.black_wins += 1,
            1 => self.white_wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Counts the games of another tally too.
    pub const fn include(&mut self, other: &Self) {
        self.black_wins += other.black_wins;
        self.white_wins += other.white_wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.margin += other.margin;
    }

    /// Games won.
    pub const fn wins(&self) -> u32 {
        self.black_wins + self.white_wins
    }

    /// The share of games won.
    pub fn win_rate(&self) -> f64 {
        f64::from(self.wins()) / f64::from(self.games().max(1))
    }

    /// All games.
    pub const fn games(&self) -> u32 {
        self.wins() + self.losses + self.draws
    }
}

/// An individual after its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// Who.
    #[serde(flatten)]
    pub individual: Individual,
    /// What its games are worth.
    pub fitness: f64,
    /// Its games.
    #[serde(flatten)]
    pub tally: ColorTally,
}

/// The individuals of one generation, before their games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Population {
    /// Its number, counted from 1.
    pub generation: u32,
    /// The number of the next one to be born.
    pub next_id: u64,
    /// Its individuals.
    pub individuals: Vec<Individual>,
    /// What the algorithm remembers beside them.
    pub method: Method,
}

impl Population {
    /// Adds a newborn.
    pub(super) fn bear(&mut self, genome: Genome) {
        self.individuals.push(Individual { id: self.next_id, age: 0, genome });
        self.next_id += 1;
    }
}
