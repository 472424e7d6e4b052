//! A real-coded genetic algorithm with what the reports wished for: crossover and several mutations.

use rand::RngExt;
use turncoat_players::seed::Stream;

use super::{Population, Rated, normal, numbers, survivor};
use crate::genetic::experiment::{Algorithm, Crossover, Mutation};
use crate::genetic::genome::{Gene, Genome};
use crate::genetic::lab::Lab;

pub(super) fn breed(lab: &Lab, rated: &[Rated], next: &mut Population, stream: &mut Stream) {
    let Algorithm::Real { population, elite, tournament, crossover, crossover_rate, mutations } =
        &lab.experiment.algorithm
    else {
        return;
    };
    next.individuals.extend(rated[..*elite].iter().map(survivor));
    while next.individuals.len() < *population {
        let mut parent = || {
            // The list is sorted, so the first of those drawn is the best of them.
            let drawn = (0..*tournament).map(|_| stream.random_range(0..rated.len()));
            numbers(&rated[drawn.min().unwrap_or(0)])
        };
        let (one, other) = (parent(), parent());
        let mut child =
            if stream.random_bool(*crossover_rate) { mixed(one, other, *crossover, stream) } else { one.to_vec() };
        for (number, gene) in child.iter_mut().zip(lab.layout.genes()) {
            for mutation in mutations {
                mutate(number, gene, *mutation, stream);
            }
            *number = gene.kept(*number);
        }
        next.bear(Genome::Numbers(child));
    }
}

fn mixed(one: &[f64], other: &[f64], crossover: Crossover, stream: &mut Stream) -> Vec<f64> {
    let mix = |(&one, &other): (&f64, &f64)| match crossover {
        Crossover::Uniform => {
            if stream.random_bool(0.5) {
                one
            } else {
                other
            }
        }
        Crossover::Blend => {
            // From half the distance before the one to half of it behind the other.
            let share = 2.0 * stream.random::<f64>() - 0.5;
            one + (other - one) * share
        }
        Crossover::SimulatedBinary => {
            const INDEX: f64 = 10.0;
            let share = stream.random::<f64>();
            let base = if share < 0.5 { 2.0 * share } else { 0.5 / (1.0 - share) };
            let spread = libm::pow(base, 1.0 / (INDEX + 1.0));
            let sign = if stream.random_bool(0.5) { 1.0 } else { -1.0 };
            f64::midpoint(one, other) + sign * spread * (other - one) / 2.0
        }
    };
    one.iter().zip(other).map(mix).collect()
}

fn mutate(number: &mut f64, gene: &Gene, mutation: Mutation, stream: &mut Stream) {
    match mutation {
        Mutation::Gaussian { rate, size } if stream.random_bool(rate) => {
            *number += size * gene.scale() * normal(stream);
        }
        Mutation::Reset { rate } if stream.random_bool(rate) => {
            *number = gene.start[0] + gene.scale() * stream.random::<f64>();
        }
        Mutation::Negate { rate } if stream.random_bool(rate) => *number = -*number,
        Mutation::Scale { rate, factor } if stream.random_bool(rate) => {
            let exponent = 2.0 * stream.random::<f64>() - 1.0;
            *number *= libm::pow(factor, exponent);
        }
        _ => {}
    }
}
