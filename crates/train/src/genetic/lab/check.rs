//! Values of an experiment that make no sense, whatever its players are.

use super::error::{LabError, value};
use crate::genetic::experiment::{Algorithm, Experiment, GenomeKind, Mutation, Opponents};
use crate::genetic::genome::Layout;

/// Numbers that make no sense whatever the player.
pub(super) fn check_numbers(experiment: &Experiment) -> Result<(), LabError> {
    let at_least_one = [
        ("generations", experiment.generations as usize),
        ("keep", experiment.keep),
        ("fitness.openings", experiment.fitness.openings as usize),
        ("champion.openings", experiment.champion.openings as usize),
    ];
    for (key, number) in at_least_one {
        if !(1..=1_000_000).contains(&number) {
            return Err(value(key, format!("1 to 1000000, not {number}")));
        }
    }
    if experiment.patience == Some(0) {
        return Err(value("patience", "at least 1 generation"));
    }
    if experiment.target.is_some_and(|target| !target.is_finite()) {
        return Err(value("target", "a number"));
    }
    if experiment.champion.most.is_some_and(|most| most < 2) {
        return Err(value("champion.most", "at least 2 take part"));
    }
    if experiment.champion.games > 0 {
        check_games("champion.games", experiment.champion.games)?;
    }
    let pool = experiment.champion.pool;
    if pool > 100_000 || (pool > 0 && experiment.fitness.pool.is_empty()) {
        let fault = "at most 100000 openings against the pool, which there must be";
        return Err(value("champion.pool", fault));
    }
    check_plies("fitness.plies", experiment.fitness.plies, experiment.size)?;
    check_plies("champion.plies", experiment.champion.plies, experiment.size)?;
    for plan in &experiment.yardstick {
        check_games("yardstick.games", plan.games)?;
        check_plies("yardstick.plies", plan.plies, experiment.size)?;
        if plan.every == 0 {
            return Err(value("yardstick.every", "at least 1"));
        }
    }
    let pool_wanted = experiment.fitness.opponents != Opponents::Population;
    if pool_wanted == experiment.fitness.pool.is_empty() {
        let fault = "opponents = \"pool\" or \"both\" and a pool go together";
        return Err(value("fitness.pool", fault));
    }
    check_algorithm(&experiment.algorithm)
}

/// Games against one opponent.
pub(in crate::genetic) fn check_games(key: &str, games: u32) -> Result<(), LabError> {
    match games {
        2..=100_000 if games.is_multiple_of(2) => Ok(()),
        _ => Err(value(key, "an even number from 2 to 100000: half with each colour")),
    }
}

/// Random plies of openings.
pub(in crate::genetic) fn check_plies(key: &str, plies: u32, size: u8) -> Result<(), LabError> {
    let most = u32::from(size).pow(2).saturating_sub(8);
    if plies > most { Err(value(key, format!("at most {most} random plies"))) } else { Ok(()) }
}

fn check_algorithm(algorithm: &Algorithm) -> Result<(), LabError> {
    let chance = |key: &str, rate: f64| {
        if (0.0..=1.0).contains(&rate) { Ok(()) } else { Err(value(key, format!("a chance from 0 to 1, not {rate}"))) }
    };
    match algorithm {
        Algorithm::Binary { mutation, .. } => chance("algorithm.mutation", *mutation),
        Algorithm::Mode1 { step, .. } | Algorithm::Mode2 { step, .. } | Algorithm::Mode3 { step, .. } => {
            if step[0] < step[1] && step.iter().all(|s| s.abs() <= 1e6) {
                Ok(())
            } else {
                Err(value("algorithm.step", "two rising numbers within a million"))
            }
        }
        Algorithm::CmaEs { sigma, .. } => {
            if *sigma > 0.0 && *sigma <= 10.0 {
                Ok(())
            } else {
                Err(value("algorithm.sigma", "above 0 and at most 10"))
            }
        }
        Algorithm::Real { population, elite, tournament, crossover_rate, mutations, .. } => {
            if elite >= population || *tournament == 0 || tournament > population {
                let fault = "elite is smaller than the population, a tournament 1 to all of it";
                return Err(value("algorithm", fault));
            }
            chance("algorithm.crossover_rate", *crossover_rate)?;
            for mutation in mutations {
                let (rate, size) = match *mutation {
                    Mutation::Gaussian { rate, size } => (rate, size),
                    Mutation::Reset { rate } | Mutation::Negate { rate } => (rate, 1.0),
                    Mutation::Scale { rate, factor } => (rate, factor - 1.0),
                };
                chance("algorithm.mutations.rate", rate)?;
                if !(size > 0.0 && size <= 1000.0) {
                    let fault = "size is above 0 and factor above 1";
                    return Err(value("algorithm.mutations", fault));
                }
            }
            Ok(())
        }
    }
}

/// Bits for the binary algorithm, numbers for the others.
pub(super) fn check_kinds(experiment: &Experiment, layout: &Layout) -> Result<(), LabError> {
    let binary = matches!(experiment.algorithm, Algorithm::Binary { .. });
    if binary != (layout.kind() == GenomeKind::Binary) {
        let fault = "the algorithm \"binary\" and a binary genome go together";
        return Err(value("genome.kind", fault));
    }
    if let Some(around) = experiment.genome.around {
        if binary || experiment.genome.seeds.is_empty() {
            return Err(value("genome.around", "numbers with seeds lie about them"));
        }
        if !(around > 0.0 && around <= 10.0) {
            return Err(value("genome.around", "above 0 and at most 10"));
        }
    }
    Ok(())
}
