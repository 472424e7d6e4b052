//! Populations of finished runs against each other, as nine-weights' report compares its three modes: every black
//! individual of one against every white one of the other.

use super::games::{Batch, BatchGame, Contender, Counts};
use super::{Lab, Population};

/// The games of one population as black against another as white; each pair meets once.
pub fn games(black: (&Lab, &Population), white: (&Lab, &Population), plies: u32, seed: u64) -> Batch {
    let everyone = |(lab, population): (&Lab, &Population)| -> Vec<Contender> {
        let genomes = population.individuals.iter().map(|i| &i.genome);
        genomes.map(|genome| lab.contender(genome)).collect()
    };
    let mut contenders = everyone(black);
    let first_white = contenders.len();
    contenders.extend(everyone(white));
    let mut fixtures = Vec::new();
    for one in 0..first_white {
        for other in first_white..contenders.len() {
            let opening = fixtures.len() as u64;
            fixtures.push(BatchGame {
                black: one as u32,
                white: other as u32,
                opening,
                number: opening,
                counts: Counts::Both,
            });
        }
    }
    black.0.batch(seed, plies, contenders, fixtures)
}
