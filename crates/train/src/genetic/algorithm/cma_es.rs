//! Covariance matrix adaptation (Hansen, "The CMA evolution strategy: a tutorial", 2016), the modern
//! yardstick: samples of a normal distribution, which moves towards the better half of them and learns their
//! shape.
//!
//! Coordinates are shares of each gene's start range. The first individual of a generation is the mean
//! itself: of noisy samples it is the best guess, so it stands for its generation at the end, but the
//! distribution does not learn from it.

use serde::{Deserialize, Serialize};
use turncoat_players::seed::Stream;

use super::eigen::{self, Matrix};
use super::{Population, Rated, normal};
use crate::genetic::genome::Genome;
use crate::genetic::lab::Lab;

/// What samples are drawn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// The middle.
    mean: Vec<f64>,
    /// The size of a step.
    pub sigma: f64,
    covariance: Matrix,
    /// Where the mean has been going lately, in the distribution's own measure, and in plain coordinates.
    path_sigma: Vec<f64>,
    path: Vec<f64>,
}

/// The constants of the tutorial's Table 1, for so many genes and samples.
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The expected length of a normal vector.
    chi: f64,
}

impl Constants {
    fn new(genes: usize, samples: usize) -> Self {
        let n = genes as f64;
        let parents = (samples / 2).max(1);
        let raw = |place: usize| libm::log(samples as f64 / 2.0 + 0.5) - libm::log(place as f64 + 1.0);
        let sum: f64 = (0..parents).map(raw).sum();
        let weights: Vec<f64> = (0..parents).map(|place| raw(place) / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let damping = 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff);
        Self {
            d_sigma: 1.0 + damping + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_mu: c_mu.min(1.0 - c_1),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
            mu_eff,
            c_sigma,
            c_1,
        }
    }
}

impl Distribution {
    /// The distribution that a run begins with: about the first seed, or the middle of the start ranges.
    pub(super) fn new(lab: &Lab, sigma: f64) -> Self {
        let genes = lab.layout.genes().len();
        let mean = match lab.seeds.first() {
            Some(Genome::Numbers(numbers)) => shares(lab, numbers),
            _ => vec![0.5; genes],
        };
        Self { mean, sigma, covariance: eigen::identity(genes), path_sigma: vec![0.0; genes], path: vec![0.0; genes] }
    }

    /// Draws a population, the mean first.
    pub(super) fn sample(&self, lab: &Lab, population: &mut Population, stream: &mut Stream) {
        let (values, vectors) = eigen::symmetric(&self.covariance);
        population.bear(numbers(lab, &self.mean));
        while population.individuals.len() < lab.population() {
            let mut point = self.mean.clone();
            for (value, vector) in values.iter().zip(&vectors) {
                let length = self.sigma * value.max(0.0).sqrt() * normal(stream);
                for (x, direction) in point.iter_mut().zip(vector) {
                    *x += length * direction;
                }
            }
            population.bear(numbers(lab, &point));
        }
    }

    /// Moves towards the better samples.
    pub(super) fn learn(&mut self, lab: &Lab, population: &Population, rated: &[Rated]) {
        let mean_id = population.individuals.first().map(|mean| mean.id);
        let samples: Vec<&Rated> = rated.iter().filter(|rated| Some(rated.individual.id) != mean_id).collect();
        let constants = Constants::new(self.mean.len(), samples.len());
        // Steps of the better samples, in units of sigma.
        let steps: Vec<Vec<f64>> = samples[..constants.weights.len()]
            .iter()
            .map(|rated| {
                let point = shares(lab, super::numbers(rated));
                let pairs = point.iter().zip(&self.mean);
                pairs.map(|(x, m)| (x - m) / self.sigma).collect()
            })
            .collect();
        let mut step = vec![0.0; self.mean.len()];
        for (weight, own) in constants.weights.iter().zip(&steps) {
            for (sum, x) in step.iter_mut().zip(own) {
                *sum += weight * x;
            }
        }
        for (m, y) in self.mean.iter_mut().zip(&step) {
            *m += self.sigma * y;
        }
        let straight = self.update_paths(&constants, &step, population.generation);
        self.update_covariance(&constants, &steps, straight);
        let length = norm(&self.path_sigma);
        let change = constants.c_sigma / constants.d_sigma * (length / constants.chi - 1.0);
        // A population of equals must not let the step grow without end.
        self.sigma = (self.sigma * libm::exp(change.min(1.0))).clamp(1e-9, 1e3);
    }

    /// Follows the mean; whether it goes on so fast that the plain path must wait for the step to grow.
    fn update_paths(&mut self, constants: &Constants, step: &[f64], generation: u32) -> bool {
        let (values, vectors) = eigen::symmetric(&self.covariance);
        let c = constants.c_sigma;
        let gain = (c * (2.0 - c) * constants.mu_eff).sqrt();
        for x in &mut self.path_sigma {
            *x *= 1.0 - c;
        }
        for (value, vector) in values.iter().zip(&vectors) {
            let along: f64 = vector.iter().zip(step).map(|(v, y)| v * y).sum();
            let scaled = gain * along / value.max(1e-20).sqrt();
            for (x, v) in self.path_sigma.iter_mut().zip(vector) {
                *x += scaled * v;
            }
        }
        let generations = i32::try_from(generation).unwrap_or(i32::MAX);
        let begun = (1.0 - power(1.0 - c, 2 * i64::from(generations))).sqrt();
        let n = self.mean.len() as f64;
        let straight = norm(&self.path_sigma) / begun < (1.4 + 2.0 / (n + 1.0)) * constants.chi;
        let c = constants.c_c;
        let gain = if straight { (c * (2.0 - c) * constants.mu_eff).sqrt() } else { 0.0 };
        for (x, y) in self.path.iter_mut().zip(step) {
            *x = (1.0 - c) * *x + gain * y;
        }
        straight
    }

    fn update_covariance(&mut self, constants: &Constants, steps: &[Vec<f64>], straight: bool) {
        let waiting = if straight { 0.0 } else { constants.c_1 * constants.c_c * (2.0 - constants.c_c) };
        let kept = 1.0 + waiting - constants.c_1 - constants.c_mu;
        for (i, row) in self.covariance.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let mut spread = 0.0;
                for (weight, step) in constants.weights.iter().zip(steps) {
                    spread += weight * step[i] * step[j];
                }
                *entry = kept * *entry + constants.c_1 * self.path[i] * self.path[j] + constants.c_mu * spread;
            }
        }
    }
}

/// A whole power, by repeated squaring: the same on every machine.
fn power(base: f64, mut exponent: i64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Numbers of genes as shares of their start ranges.
fn shares(lab: &Lab, numbers: &[f64]) -> Vec<f64> {
    let genes = lab.layout.genes().iter().zip(numbers);
    genes.map(|(gene, number)| (number - gene.start[0]) / gene.scale()).collect()
}

/// Shares as numbers of genes.
fn numbers(lab: &Lab, shares: &[f64]) -> Genome {
    let genes = lab.layout.genes().iter().zip(shares);
    let number = genes.map(|(gene, share)| gene.start[0] + share * gene.scale());
    Genome::Numbers(number.collect())
}
