//! The three breeding modes of nine-weights' report, for real-valued genes. A mutation adds a random number to each
//! parameter; unless the steps are set otherwise, it is positive, as in the report.

use rand::RngExt;
use turncoat_players::seed::Stream;

use super::{Population, Rated, numbers, survivor};
use crate::genetic::genome::Genome;

/// The numbers of an individual with something added to each, and with the same taken away.
fn moved(rated: &Rated, step: [f64; 2], stream: &mut Stream) -> [Genome; 2] {
    let own = numbers(rated);
    let steps: Vec<f64> = own.iter().map(|_| step[0] + (step[1] - step[0]) * stream.random::<f64>()).collect();
    let with = |sign: f64| {
        let pairs = own.iter().zip(&steps);
        Genome::Numbers(pairs.map(|(number, step)| number + sign * step).collect())
    };
    [with(1.0), with(-1.0)]
}

/// Mode 1: the single best, filled up with mutations of the first half in turn.
pub(super) fn best_and_mutations(
    rated: &[Rated],
    step: [f64; 2],
    size: usize,
    next: &mut Population,
    stream: &mut Stream,
) {
    next.individuals.push(survivor(&rated[0]));
    let half = rated.len().div_ceil(2);
    for place in (0..half).cycle().take(size - 1) {
        let [plus, _] = moved(&rated[place], step, stream);
        next.bear(plus);
    }
}

/// Mode 2: the best third stays, and has a plus and a minus child each. Where a third is not whole, one or
/// two more stay.
pub(super) fn third_plus_minus(
    rated: &[Rated],
    step: [f64; 2],
    size: usize,
    next: &mut Population,
    stream: &mut Stream,
) {
    let parents = size / 3;
    let stay = &rated[..size - 2 * parents];
    next.individuals.extend(stay.iter().map(survivor));
    for parent in &rated[..parents] {
        for child in moved(parent, step, stream) {
            next.bear(child);
        }
    }
}

/// Mode 3: nobody stays; plus and minus children of the best half. Of an odd population the last has a plus
/// child alone.
pub(super) fn plus_minus(rated: &[Rated], step: [f64; 2], size: usize, next: &mut Population, stream: &mut Stream) {
    for parent in &rated[..size.div_ceil(2)] {
        for child in moved(parent, step, stream) {
            if next.individuals.len() < size {
                next.bear(child);
            }
        }
    }
}
