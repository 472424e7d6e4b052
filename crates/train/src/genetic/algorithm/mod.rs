//! How generations follow each other: pure functions of the experiment, a population and its games.
//!
//! No state of a random generator is kept anywhere. Every population is drawn from a stream of its own, which
//! depends on the seed and the number of the generation, so a run goes on from any checkpoint as if it had
//! never stopped.

mod binary;
mod cma_es;
mod eigen;
mod modes;
mod normal;
mod real;

use rand::RngExt;
use serde::{Deserialize, Serialize};
use turncoat_players::seed::{self, Stream};

pub use self::cma_es::Distribution;
use self::normal::normal;
use super::experiment::{Algorithm, GenomeKind};
use super::genome::{Dna, Genome, Layout};
use super::individual::{Individual, Population, Rated};
use super::lab::Lab;
use super::purpose;

/// What an algorithm remembers beside the individuals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Nothing.
    Plain,
    /// The distribution that samples are drawn from.
    CmaEs(Box<Distribution>),
}

/// The first population.
pub fn first(lab: &Lab) -> Population {
    let mut population = Population { generation: 1, next_id: 1, individuals: Vec::new(), method: Method::Plain };
    let mut stream = seed::stream(lab.seed, &[purpose::FIRST]);
    if let Algorithm::CmaEs { sigma, .. } = lab.experiment.algorithm {
        let distribution = Distribution::new(lab, sigma);
        distribution.sample(lab, &mut population, &mut stream);
        population.method = Method::CmaEs(Box::new(distribution));
        return population;
    }
    for genome in &lab.seeds {
        population.bear(genome.clone());
    }
    while population.individuals.len() < lab.population() {
        let seed = match lab.seeds.len() {
            0 => None,
            count => Some(&lab.seeds[population.individuals.len() % count]),
        };
        let genome = match (lab.experiment.genome.around, seed) {
            (Some(around), Some(Genome::Numbers(numbers))) => near(&lab.layout, numbers, around, &mut stream),
            _ => anywhere(&lab.layout, &mut stream),
        };
        population.bear(genome);
    }
    population
}

/// A genome by chance.
fn anywhere(layout: &Layout, stream: &mut Stream) -> Genome {
    match layout.kind() {
        GenomeKind::Binary => {
            let bits = (0..layout.bits()).map(|_| stream.random_bool(0.5)).collect();
            Genome::Bits(Dna(bits))
        }
        GenomeKind::Real => {
            let genes = layout.genes().iter();
            let number = |[low, high]: [f64; 2], share: f64| low + (high - low) * share;
            Genome::Numbers(genes.map(|gene| number(gene.start, stream.random())).collect())
        }
    }
}

/// A genome of numbers about another one.
fn near(layout: &Layout, numbers: &[f64], around: f64, stream: &mut Stream) -> Genome {
    let genes = layout.genes().iter().zip(numbers);
    let moved = genes.map(|(gene, number)| number + around * gene.scale() * normal(stream));
    Genome::Numbers(moved.collect())
}

/// The population after this one, whose individuals were rated, best first.
pub fn next(lab: &Lab, population: &Population, rated: &[Rated]) -> Population {
    let mut next = Population {
        generation: population.generation + 1,
        next_id: population.next_id,
        individuals: Vec::new(),
        method: Method::Plain,
    };
    let numbers = [purpose::BREED, u64::from(next.generation)];
    let mut stream = seed::stream(lab.seed, &numbers);
    let size = lab.population();
    match &lab.experiment.algorithm {
        Algorithm::Binary { mutation, .. } => {
            binary::breed(rated, *mutation, size, &mut next, &mut stream);
        }
        Algorithm::Mode1 { step, .. } => {
            modes::best_and_mutations(rated, *step, size, &mut next, &mut stream);
        }
        Algorithm::Mode2 { step, .. } => {
            modes::third_plus_minus(rated, *step, size, &mut next, &mut stream);
        }
        Algorithm::Mode3 { step, .. } => {
            modes::plus_minus(rated, *step, size, &mut next, &mut stream);
        }
        Algorithm::Real { .. } => real::breed(lab, rated, &mut next, &mut stream),
        Algorithm::CmaEs { .. } => {
            let mut distribution = match &population.method {
                Method::CmaEs(distribution) => distribution.clone(),
                Method::Plain => return first(lab),
            };
            distribution.learn(lab, population, rated);
            distribution.sample(lab, &mut next, &mut stream);
            next.method = Method::CmaEs(distribution);
        }
    }
    next
}

/// How many of a generation, the best, the next one depends on.
pub(super) fn parents(lab: &Lab) -> usize {
    let size = lab.population();
    match lab.experiment.algorithm {
        Algorithm::Binary { .. } => (size / 2).max(2),
        Algorithm::Mode1 { .. } | Algorithm::Mode3 { .. } => size.div_ceil(2),
        Algorithm::Mode2 { .. } => size - 2 * (size / 3),
        Algorithm::Real { .. } => size,
        // The mean may be among the best, and nothing is learned from it.
        Algorithm::CmaEs { .. } => 1 + ((size - 1) / 2).max(1),
    }
}

/// Who stands for a generation in the last round robin: the best, and where the algorithm has an opinion of
/// its own, that one too.
pub fn representatives<'a>(population: &Population, rated: &'a [Rated]) -> Vec<&'a Rated> {
    let mut all: Vec<&Rated> = rated.first().into_iter().collect();
    if let (Method::CmaEs(_), Some(mean)) = (&population.method, population.individuals.first()) {
        all.extend(rated.iter().skip(1).find(|other| other.individual.id == mean.id));
    }
    all
}

/// An individual that stays, one generation older.
fn survivor(rated: &Rated) -> Individual {
    Individual { age: rated.individual.age + 1, ..rated.individual.clone() }
}

/// The numbers of an individual; none for bits.
fn numbers(rated: &Rated) -> &[f64] {
    match &rated.individual.genome {
        Genome::Numbers(numbers) => numbers,
        Genome::Bits(_) => &[],
    }
}
