//! `train measure`: how far an evaluation is from exact scores, on positions of games that it played itself.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use turncoat_board::{Geometry, Variant};
use turncoat_eval::Estimator;
use turncoat_players::flagship::{EstimatorTask, with_evaluation};
use turncoat_train::measure::{Errors, measure};
use turncoat_train::openings::Randomness;
use turncoat_train::selfplay::{Desk, Plan, VariantName};

use super::use_threads;
use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// `train measure`
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    /// The evaluation: its name, or a file of weights
    #[arg(long, value_name = "NAME", default_value = "patterns")]
    eval: String,
    /// Games to take positions from
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// How far the players of the games look ahead
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=14))]
    plies: u32,
    /// Empty squares of the positions
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "10,12,14,16,18"
    )]
    empties: Vec<u32>,
}

pub(super) fn run(args: &MeasureArgs, common: &Common) -> Result<()> {
    if common.size != Geometry::EIGHT {
        return Err(misuse("small boards have no trained evaluation"));
    }
    if args
        .empties
        .iter()
        .any(|empties| !(1..=22).contains(empties))
    {
        return Err(misuse("--empties: 1 to 22 can be solved in good time"));
    }
    use_threads(common)?;
    let plan = Plan {
        variant: match common.variant {
            turncoat_board::VariantKind::Reversed => VariantName::Reversed,
            turncoat_board::VariantKind::Reversi => VariantName::Reversi,
        },
        evaluation: args.eval.clone(),
        games: args.games,
        // Games of training have seeds of their own; these have one that no run file should use.
        seed: common.seed ^ 0x6d65_6173_7572_6500,
        depth: args.plies,
        solve: args.empties.iter().copied().min().unwrap_or(10).min(12),
        enumerate_every: 0,
        enumerated_plies: 0,
        random: vec![Randomness {
            plies: [8, 12],
            share: 1.0,
        }],
        shard: 4096,
    };
    let task = Measure {
        plan: &plan,
        empties: &args.empties,
    };
    let errors = with_evaluation(&args.eval, common.variant, common.size, task).map_err(misuse)?;
    let errors = errors.context("there is no memory for the search")?;
    for (empties, errors) in errors {
        if common.json {
            output::json(&json!({
                "empties": empties, "positions": errors.count, "deviation": errors.deviation(),
                "mean_absolute_error": errors.mean_absolute(), "root_mean_square_error": errors.root_mean_square(),
                "bias": errors.bias(),
            }))?;
        } else {
            output::line(format!(
                "{empties:2} empties: {:6} positions, scores' deviation {:5.2}, mean absolute error {:5.3} ({:.3} of it), root mean square {:5.3}, bias {:+.2}",
                errors.count,
                errors.deviation(),
                errors.mean_absolute(),
                errors.mean_absolute() / errors.deviation(),
                errors.root_mean_square(),
                errors.bias(),
            ))?;
        }
    }
    Ok(())
}

struct Measure<'a> {
    plan: &'a Plan,
    empties: &'a [u32],
}

impl EstimatorTask for Measure<'_> {
    type Output = Option<BTreeMap<u32, Errors>>;

    fn run<V: Variant, E: Estimator + 'static>(self, variant: V, estimator: E) -> Self::Output {
        let games: Vec<BTreeMap<u32, Errors>> = (0..self.plan.games)
            .into_par_iter()
            .map_init(Desk::new, |desk, number| {
                let desk = desk.as_ref().ok()?;
                Some(measure(
                    variant,
                    &estimator,
                    self.plan,
                    self.empties,
                    number,
                    desk,
                ))
            })
            .collect::<Option<_>>()?;
        let mut all = BTreeMap::new();
        for (empties, errors) in games.into_iter().flatten() {
            all.entry(empties)
                .or_insert_with(Errors::default)
                .add(errors);
        }
        Some(all)
    }
}
