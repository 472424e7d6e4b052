//! `train measure`: how far an evaluation is from exact scores, on positions of games that it played itself.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::json;
use turncoat_board::Variant;
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};
use turncoat_train::measure::{Errors, measure};
use turncoat_train::openings::Randomness;
use turncoat_train::selfplay::{SearchMemory, SelfplayPlan};

use super::{bar, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train measure`
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    /// The evaluation: its name, or a file of weights
    #[arg(long, value_name = "NAME", default_value = "patterns")]
    eval: String,
    /// Games to take positions from
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Search depth of the players in these games
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=14))]
    plies: u32,
    /// Numbers of empty squares to measure at
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10,12,14,16,18")]
    empties: Vec<u32>,
}

pub(super) fn run(args: &MeasureArgs, common: &Common) -> Result<()> {
    if args.empties.iter().any(|empties| !(1..=22).contains(empties)) {
        return Err(misuse("--empties: 1 to 22 can be solved in reasonable time"));
    }
    use_threads(common)?;
    let plan = SelfplayPlan {
        variant: common.variant(),
        evaluation: args.eval.clone(),
        games: args.games,
        // Games of training have seeds of their own; these have one that no run file should use.
        seed: common.seed() ^ 0x6d65_6173_7572_6500,
        depth: args.plies,
        solve: args.empties.iter().copied().min().unwrap_or(10).min(12),
        enumerate_every: 0,
        enumerated_plies: 0,
        random: vec![Randomness { plies: [8, 12], share: 1.0 }],
        shard: 4096,
    };
    let bar = bar(args.games, "{bar:30} {pos} of {len} games, {elapsed}, {eta} left", common);
    let task = Measure {
        plan: &plan,
        empties: &args.empties,
        stop: signals::stop_flag().context("cannot handle signals")?,
        bar: &bar,
    };
    let errors = with_evaluation(&args.eval, common.variant(), common.geometry(), task).map_err(misuse)??;
    bar.finish_and_clear();
    for (empties, errors) in errors {
        if common.json {
            output::json(&json!({
                "empties": empties, "positions": errors.count, "deviation": errors.deviation(),
                "mean_absolute_error": errors.mean_absolute(), "root_mean_square_error": errors.root_mean_square(),
                "bias": errors.bias(),
            }))?;
        } else {
            output::line(format!(
                "{empties:2} empties: {:6} positions, scores' deviation {:5.2}, mean absolute error {:5.3}{}, root mean square {:5.3}, bias {:+.2}",
                errors.count,
                errors.deviation(),
                errors.mean_absolute(),
                share_of_deviation(errors),
                errors.root_mean_square(),
                errors.bias(),
            ))?;
        }
    }
    Ok(())
}

/// The error as a part of the scores' deviation; nothing where all scores are the same.
fn share_of_deviation(errors: Errors) -> String {
    if errors.deviation() > 0.0 {
        format!(" ({:.3} of it)", errors.mean_absolute() / errors.deviation())
    } else {
        String::new()
    }
}

struct Measure<'a> {
    plan: &'a SelfplayPlan,
    empties: &'a [u32],
    stop: StopFlag,
    bar: &'a ProgressBar,
}

impl EvaluationTask for Measure<'_> {
    type Output = Result<BTreeMap<u32, Errors>>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let games: Vec<BTreeMap<u32, Errors>> = (0..self.plan.games)
            .into_par_iter()
            .map_init(SearchMemory::new, |memory, number| {
                if self.stop.is_raised() {
                    bail!("stopped after {} games", self.bar.position());
                }
                let memory = memory.as_ref().map_err(|error| anyhow!("{error}"))?;
                let (plan, empties) = (self.plan, self.empties);
                let errors = measure(variant, &evaluation, plan, empties, number, memory);
                self.bar.inc(1);
                Ok(errors)
            })
            .collect::<Result<_>>()?;
        let mut all = BTreeMap::new();
        for (empties, errors) in games.into_iter().flatten() {
            all.entry(empties).or_insert_with(Errors::default).add(errors);
        }
        Ok(all)
    }
}
