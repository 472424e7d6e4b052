//! What is written about each generation.

use serde::{Deserialize, Serialize};

use crate::genetic::algorithm::Method;
use crate::genetic::{ColorTally, Lab, Population, Rated, Who};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GenerationRecord {
    /// Which.
    pub generation: u32,
    /// Games that counted for fitness.
    pub games: u64,
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The worst fitness.
    pub worst: f64,
    /// The mean absolute value of the best one's parameters.
    pub size: f64,
    /// How far individuals are apart: the standard deviation of a gene over the population, as a share of its
    /// start range, on average over the genes.
    pub spread: f64,
    /// The step size, of an algorithm that has one.
    pub sigma: Option<f64>,
    /// How it fares against the yardsticks.
    pub yardsticks: Vec<YardstickRecord>,
}

/// Games against a yardstick.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct YardstickRecord {
    /// Its place among the yardsticks.
    pub yardstick: usize,
    /// Its player.
    pub player: String,
    /// Who played against it.
    pub who: Who,
    /// The individual's games.
    #[serde(flatten)]
    pub tally: ColorTally,
}

impl YardstickRecord {
    /// The share of games won.
    pub fn win_rate(&self) -> f64 {
        self.tally.win_rate()
    }
}

/// A line of the individuals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndividualsRecord {
    /// Which generation.
    pub generation: u32,
    /// Who stands for it in the last round robin.
    pub representatives: Vec<u64>,
    /// The best ones.
    pub individuals: Vec<Rated>,
}

impl GenerationRecord {
    pub(super) fn new(
        lab: &Lab,
        population: &Population,
        rated: &[Rated],
        games: usize,
        yardsticks: Vec<YardstickRecord>,
    ) -> Self {
        let count = rated.len().max(1) as f64;
        let fitness = |rated: Option<&Rated>| rated.map_or(0.0, |rated| rated.fitness);
        let values: Vec<Vec<f64>> = rated.iter().map(|rated| lab.layout.values(&rated.individual.genome)).collect();
        let genes = lab.layout.genes();
        let best = values.first().map_or(&[] as &[f64], Vec::as_slice);
        let spread: f64 = genes
            .iter()
            .enumerate()
            .map(|(i, gene)| {
                let mean = values.iter().map(|own| own[i]).sum::<f64>() / count;
                let square = |own: &Vec<f64>| (own[i] - mean) * (own[i] - mean);
                (values.iter().map(square).sum::<f64>() / count).sqrt() / gene.scale()
            })
            .sum();
        Self {
            generation: population.generation,
            games: games as u64,
            best: fitness(rated.first()),
            mean: rated.iter().map(|rated| rated.fitness).sum::<f64>() / count,
            worst: fitness(rated.last()),
            size: best.iter().map(|value| value.abs()).sum::<f64>() / genes.len() as f64,
            spread: spread / genes.len() as f64,
            sigma: match &population.method {
                Method::Plain => None,
                Method::CmaEs(distribution) => Some(distribution.sigma),
            },
            yardsticks,
        }
    }
}
