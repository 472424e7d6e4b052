//! Binary genes, after gene45's report. The better half survives; two distinct survivors have a child by uniform
//! crossover, bit by bit, whose bits are then turned over with a small chance.
//!
//! The printed Algorithm 27 turns bits of a copy over and never writes it back: not so here.

use rand::RngExt;
use turncoat_players::seed::Stream;

use super::{Population, Rated, survivor};
use crate::genetic::genome::{Dna, Genome};

pub(super) fn breed(rated: &[Rated], mutation: f64, size: usize, next: &mut Population, stream: &mut Stream) {
    let survivors = &rated[..(rated.len() / 2).max(2)];
    next.individuals.extend(survivors.iter().map(survivor));
    while next.individuals.len() < size {
        let one = stream.random_range(0..survivors.len());
        let other = stream.random_range(0..survivors.len() - 1);
        let other = other + usize::from(other >= one);
        let dna = |parent: usize| match &survivors[parent].individual.genome {
            Genome::Bits(dna) => dna.0.as_slice(),
            Genome::Numbers(_) => &[],
        };
        let child = dna(one).iter().zip(dna(other)).map(|(&one, &other)| {
            let bit = if stream.random_bool(0.5) { one } else { other };
            bit ^ stream.random_bool(mutation)
        });
        let child = Dna(child.collect());
        next.bear(Genome::Bits(child));
    }
}
