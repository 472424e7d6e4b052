//! `train probcut`: the error model of cuts by probability.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use turncoat_board::{Geometry, Position, Variant};
use turncoat_eval::Estimator;
use turncoat_players::flagship::{EstimatorTask, with_evaluation, write_fit};
use turncoat_search::table::Table;
use turncoat_train::probcut::Spreads;
use turncoat_train::sample;

use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// `train probcut`
#[derive(Debug, Args)]
pub(super) struct ProbcutArgs {
    /// The evaluation: its name, or a file of weights
    #[arg(long, value_name = "NAME")]
    eval: String,
    /// Games to take positions from
    #[arg(long, value_name = "N", default_value_t = 400)]
    games: u64,
    /// The deepest search that is compared
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = clap::value_parser!(u32).range(5..=14))]
    deepest: u32,
    /// The file to write; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &ProbcutArgs, common: &Common) -> Result<()> {
    if common.size != Geometry::EIGHT {
        return Err(misuse("nothing is cut by probability on small boards"));
    }
    let task = Measure {
        args,
        seed: common.seed,
    };
    let (spreads, checksum) =
        with_evaluation(&args.eval, common.variant, common.size, task).map_err(misuse)?;
    let coefficients = spreads.fit().context(
        "too few positions to fit to: take more games (40 are enough for --deepest 5, 160 for 8)",
    )?;
    if !common.quiet {
        eprintln!(
            "{:.0} differences; standard deviations in discs by depth and empties:",
            spreads.count()
        );
        eprintln!("depth   0-9  10-19  20-29  30-39  40-49  50-59");
        for (depth, bands) in spreads.table() {
            let bands: Vec<String> = bands.iter().map(|spread| format!("{spread:6.2}")).collect();
            eprintln!("{depth:5} {}", bands.join(" "));
        }
    }
    let text = write_fit(&args.eval, common.variant, checksum, &coefficients);
    match &args.out {
        Some(path) => fs::write(path, text).with_context(|| path.display().to_string()),
        None => output::line(text.trim_end()),
    }
}

struct Measure<'a> {
    args: &'a ProbcutArgs,
    seed: u64,
}

impl EstimatorTask for Measure<'_> {
    type Output = (Spreads, u64);

    fn run<V: Variant, E: Estimator + 'static>(self, variant: V, estimator: E) -> Self::Output {
        let deepest = self.args.deepest;
        // Each game on its own and the sums in their order: any number of threads gives the same fit.
        let games: Vec<Spreads> = (0..self.args.games)
            .into_par_iter()
            .map(|number| {
                let mut spreads = Spreads::new(deepest);
                let Ok(table) = Table::new(4) else {
                    return spreads;
                };
                let positions =
                    sample::game(variant, &estimator, 2, self.seed << 32 | number, &table);
                for position in every_sixth(&positions, number) {
                    spreads.measure(variant, &estimator, position, &table);
                }
                spreads
            })
            .collect();
        let mut all = Spreads::new(deepest);
        for spreads in &games {
            all.add(spreads);
        }
        (all, estimator.checksum())
    }
}

/// Positions far enough apart to be different.
fn every_sixth(positions: &[Position], number: u64) -> impl Iterator<Item = Position> {
    positions
        .iter()
        .copied()
        .skip(number as usize % 6)
        .step_by(6)
}
