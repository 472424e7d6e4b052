//! `train replicate`: one experiment with several seeds.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde_json::json;
use turncoat_train::genetic::Assignment;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::replicates::{Estimate, Measure, Replicates, Summary};
use turncoat_train::genetic::run::Step;

use super::genetic::failure;
use super::lab::{View, keep_faults_off_the_terminal, pool};
use super::numbers::Numbers;
use super::to_resume;
use crate::args::{Common, HostArgs};
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train replicate`
#[derive(Debug, Args)]
pub(super) struct ReplicateArgs {
    /// The experiment file
    #[arg(value_name = "FILE", required_unless_present = "resume", conflicts_with = "resume")]
    file: Option<PathBuf>,
    /// The seeds, as in 1..10 (both included) or 1,5,9; a seed in the file does not count
    #[arg(long, value_name = "SEEDS", required_unless_present = "resume", conflicts_with = "resume")]
    seeds: Option<Numbers>,
    /// A new folder for the runs
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume the runs in this folder
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Change a setting of the experiment, as in algorithm.population=30; may be repeated
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    set: Vec<Assignment>,
    #[command(flatten)]
    host: HostArgs,
}

pub(super) fn run(args: &ReplicateArgs, common: &Common) -> Result<()> {
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let roster = args.host.roster(None);
    let opened = match (&args.file, &args.seeds, &args.out, &args.resume) {
        (_, _, _, Some(folder)) => Replicates::resume(folder),
        (Some(file), Some(seeds), Some(folder), None) => {
            Replicates::create(file, &args.set, seeds.0.clone(), folder, &roster)
        }
        _ => return Err(misuse("an experiment file, --seeds and --out DIR are needed, or --resume DIR")),
    };
    let runs = opened.map_err(failure)?;
    keep_faults_off_the_terminal();
    let pool = pool(common)?;
    let mut games = Threads { stop, roster: roster.clone(), ..Threads::default() };
    let view = View::new("runs", 0, runs.seeds().len() as u64, &games.played, common);
    let stopped = |why: &str| anyhow!("{why}; {}", to_resume("replicate", runs.folder()));
    for (done, &seed) in (0..).zip(runs.seeds()) {
        let mut run = runs.run(seed, &roster).map_err(failure)?;
        loop {
            match pool.install(|| run.step(&mut games)) {
                Ok(Step::Generation(record)) => {
                    let message = format!("seed {seed}, generation {}, best {}", record.generation, record.best);
                    view.advance(done, &message);
                }
                Ok(Step::Complete(_)) => break,
                Ok(Step::Interrupted) => {
                    view.finish();
                    return Err(stopped("interrupted"));
                }
                Err(error) => {
                    view.finish();
                    return Err(stopped(&format!("seed {seed}: {error}")));
                }
            }
        }
    }
    view.finish();
    conclude(&runs, &runs.summarize(&roster).map_err(failure)?, common)
}

fn conclude(runs: &Replicates, summary: &Summary, common: &Common) -> Result<()> {
    let measures = &summary.measures;
    if common.json {
        for run in &summary.runs {
            let values: Vec<Option<f64>> = measures.iter().map(|measure| summary.last(measure, run)).collect();
            output::json(&json!({"seed": run.seed, "generations": run.log.len(), "values": values}))?;
        }
        let estimates: Vec<Option<Estimate>> = measures.iter().map(|measure| summary.estimate(measure)).collect();
        let labels: Vec<&str> = measures.iter().map(|measure| measure.label.as_str()).collect();
        return output::json(&json!({
            "summary": true, "runs": summary.runs.len(), "measures": labels, "estimates": estimates,
            "folder": runs.folder(),
        }));
    }
    for (number, measure) in measures.iter().enumerate().skip(2) {
        output::line(format_args!("won {}: games won, {}", number - 1, measure.label))?;
    }
    let won = (1..measures.len().saturating_sub(1)).map(|number| format!("{:>10}", format!("won {number}")));
    output::line(format_args!(
        "{:>8}{:>12}{:>10}{:>10}{}",
        "seed",
        "generations",
        "best",
        "mean",
        won.collect::<String>()
    ))?;
    for run in &summary.runs {
        let values = measures.iter().map(|measure| shown(measure, summary.last(measure, run)));
        output::line(format_args!("{:>8}{:>12}{}", run.seed, run.log.len(), values.collect::<String>()))?;
    }
    let estimates: Vec<(&Measure, Option<Estimate>)> =
        measures.iter().map(|own| (own, summary.estimate(own))).collect();
    let means = estimates.iter().map(|(own, estimate)| shown(own, estimate.map(|estimate| estimate.mean)));
    output::line(format_args!("{:>8}{:>12}{}", "mean", "", means.collect::<String>()))?;
    let errors = estimates.iter().map(|(own, estimate)| shown(own, estimate.and_then(|estimate| estimate.error)));
    output::line(format_args!("{:>8}{:>12}{}", "±", "", errors.collect::<String>()))?;
    output::line(format_args!("table and curves: {}", runs.folder().display()))
}

/// A value in its column.
fn shown(measure: &Measure, value: Option<f64>) -> String {
    let text = match value {
        None => "–".to_owned(),
        Some(value) if measure.is_share() => format!("{:.1} %", 100.0 * value),
        Some(value) => format!("{value:.2}"),
    };
    format!("{text:>10}")
}
