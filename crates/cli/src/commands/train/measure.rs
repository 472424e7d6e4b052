//! `train measure`: how far an evaluation is from exact scores, on positions of games that it played itself or of a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::{Value, json};
use turncoat_board::Variant;
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};
use turncoat_record::obf::ScoredPosition;
use turncoat_train::measure::{Errors, measure, measure_positions};
use turncoat_train::openings::Randomness;
use turncoat_train::selfplay::{SearchMemory, Selfplay, SelfplayPlan};
use turncoat_train::testset::read_positions;

use super::lab::Bar;
use super::use_threads;
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train measure`
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    /// The evaluation: its name, or a file of weights or of a network
    #[arg(long, value_name = "NAME", default_value = "patterns")]
    eval: String,
    /// Measure on the positions of this OBF file, which gives their exact scores
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "plies", "empties"])]
    positions: Option<PathBuf>,
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

impl MeasureArgs {
    /// Whether it plays games to take positions from.
    pub(super) const fn plays(&self) -> bool {
        self.positions.is_none()
    }
}

pub(super) fn run(args: &MeasureArgs, common: &Common) -> Result<()> {
    let errors = match &args.positions {
        Some(path) => of_file(path, args, common)?,
        None => of_games(args, common)?,
    };
    if errors.is_empty() {
        bail!("no game came to positions with so many empty squares");
    }
    let mut all = Errors::default();
    for &errors in errors.values() {
        all.add(errors);
    }
    if common.json {
        for (&empties, &errors) in &errors {
            let mut object = figures(errors);
            object["empties"] = empties.into();
            output::json(&object)?;
        }
        let mut summary = figures(all);
        summary["summary"] = true.into();
        summary["evaluation"] = args.eval.clone().into();
        return output::json(&summary);
    }
    output::line("empties  positions  deviation    bias  mean absolute error  share  root mean square")?;
    for (empties, &errors) in &errors {
        output::line(row(&empties.to_string(), errors))?;
    }
    output::line(row("all", all))
}

/// The errors on the positions of a file.
fn of_file(path: &Path, args: &MeasureArgs, common: &Common) -> Result<BTreeMap<u32, Errors>> {
    let entries = read_positions(path, common.variant(), common.geometry())
        .map_err(|error| if error.is_misuse() { misuse(error) } else { error.into() })?;
    with_evaluation(&args.eval, common.variant(), common.geometry(), OnPositions(&entries)).map_err(misuse)
}

/// The errors on positions of games that the evaluation plays itself.
fn of_games(args: &MeasureArgs, common: &Common) -> Result<BTreeMap<u32, Errors>> {
    if args.empties.iter().any(|empties| !(1..=22).contains(empties)) {
        return Err(misuse("--empties: 1 to 22 can be solved in reasonable time"));
    }
    use_threads(common)?;
    let plan = SelfplayPlan {
        variant: common.variant(),
        size: common.geometry(),
        evaluation: args.eval.clone(),
        games: args.games,
        // Games of training have seeds of their own; these have one that no run file should use.
        seed: common.seed() ^ 0x6d65_6173_7572_6500,
        depth: args.plies,
        selectivity: None,
        solve: args.empties.iter().copied().min().unwrap_or(10).min(12),
        enumerate_every: 0,
        enumerated_plies: 0,
        random: vec![Randomness { plies: [8, 12], share: 1.0, lead: None }],
        shard: 4096,
    };
    let bar = Bar::new(args.games, "games", "{elapsed}, {eta} left", common);
    let task = Measure {
        plan: &plan,
        empties: &args.empties,
        stop: signals::stop_flag().context("cannot handle signals")?,
        bar: &bar,
    };
    let errors = with_evaluation(&args.eval, common.variant(), common.geometry(), task).map_err(misuse)??;
    bar.finish_and_clear();
    Ok(errors)
}

/// A line of the table.
fn row(empties: &str, errors: Errors) -> String {
    format!(
        "{empties:>7}  {:>9}  {:>9.2}  {:>+6.2}  {:>19.3}  {:>5}  {:>16.3}",
        errors.count,
        errors.deviation(),
        errors.bias(),
        errors.mean_absolute(),
        errors.share().map_or_else(|| "–".to_owned(), |share| format!("{share:.3}")),
        errors.root_mean_square(),
    )
}

/// The figures for programs.
fn figures(errors: Errors) -> Value {
    json!({
        "positions": errors.count, "deviation": errors.deviation(), "bias": errors.bias(),
        "mean_absolute_error": errors.mean_absolute(), "share": errors.share(),
        "root_mean_square_error": errors.root_mean_square(),
    })
}

struct OnPositions<'a>(&'a [ScoredPosition]);

impl EvaluationTask for OnPositions<'_> {
    type Output = BTreeMap<u32, Errors>;

    fn run<V: Variant, E: Evaluation + 'static>(self, _: V, evaluation: E) -> Self::Output {
        measure_positions(&evaluation, self.0)
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
        let selfplay = Selfplay::new(self.plan, variant, &evaluation).map_err(misuse)?;
        let games: Vec<BTreeMap<u32, Errors>> = (0..self.plan.games)
            .into_par_iter()
            .map_init(SearchMemory::new, |memory, number| {
                if self.stop.is_raised() {
                    bail!("stopped after {} games", self.bar.position());
                }
                let memory = memory.as_ref().map_err(|error| anyhow!("{error}"))?;
                let errors = measure(&selfplay, self.empties, number, memory);
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
