//! `train sweep`: one experiment with several values of some settings.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::json;
use turncoat_train::genetic::Choices;
use turncoat_train::genetic::replicates::{Estimate, Measure, Sweep, SweepSummary};
use turncoat_util::printable;

use super::genetic::{failure, readers};
use super::numbers::Numbers;
use super::replicate::{Worker, heads, legend};
use super::to_resume;
use crate::args::{Common, HostArgs};
use crate::failure::misuse;
use crate::output;

/// Columns of means and their errors.
const WIDTH: usize = 18;

/// `train sweep`
#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// The experiment file
    #[arg(value_name = "FILE", required_unless_present = "resume", conflicts_with = "resume")]
    file: Option<PathBuf>,
    /// A setting of the experiment and its values, as in algorithm.mutation=0.01,0.02; one value holds for all runs, values
    /// with a comma stand in quotes or brackets; may be repeated
    #[arg(long, value_name = "KEY=VALUE,…", required_unless_present = "resume", conflicts_with = "resume")]
    set: Vec<Choices>,
    /// The seeds of each combination, as in 1..10 or 1,5,9 [default: the experiment's own]
    #[arg(long, value_name = "SEEDS", conflicts_with = "resume")]
    seeds: Option<Numbers>,
    /// A new folder for the runs
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume the runs in this folder
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    host: HostArgs,
}

pub(super) fn run(args: &SweepArgs, common: &Common) -> Result<()> {
    let roster = args.host.roster(None);
    let opened = match (&args.file, &args.out, &args.resume) {
        (_, _, Some(folder)) => Sweep::resume(folder),
        (Some(file), Some(folder), None) => {
            let seeds = args.seeds.as_ref().map(|seeds| seeds.0.clone());
            Sweep::create(file, &args.set, seeds, folder, &roster)
        }
        _ => return Err(misuse("an experiment file, --set and --out DIR are needed, or --resume DIR")),
    };
    let sweep = opened.map_err(failure)?;
    let mut worker = Worker::new(roster, sweep.points().len() * sweep.seeds().len(), common)?;
    for (index, point) in sweep.points().iter().enumerate() {
        let runs = sweep.replicates(index, &worker.roster).map_err(failure)?;
        worker.play(&runs, &format!("{}, ", point.label()), &to_resume("sweep", sweep.folder()))?;
    }
    worker.finish();
    conclude(&sweep, &sweep.summarize(&worker.roster).map_err(failure)?, common)
}

/// `train report` of a sweep.
pub(super) fn report(folder: &Path, common: &Common) -> Result<()> {
    let sweep = Sweep::resume(folder).map_err(failure)?;
    conclude(&sweep, &sweep.summarize(&readers()).map_err(failure)?, common)
}

fn conclude(sweep: &Sweep, summary: &SweepSummary, common: &Common) -> Result<()> {
    let measures = summary.measures();
    if common.json {
        for (point, runs) in &summary.points {
            let estimates: Vec<Option<Estimate>> = measures.iter().map(|measure| runs.estimate(measure)).collect();
            output::json(&json!({"settings": point.label(), "runs": runs.runs.len(), "estimates": estimates}))?;
        }
        let labels: Vec<&str> = measures.iter().map(|measure| measure.label.as_str()).collect();
        return output::json(&json!({"summary": true, "measures": labels, "folder": sweep.folder()}));
    }
    let labels: Vec<String> = summary.points.iter().map(|(point, _)| printable(&point.label())).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or_default().max(8);
    output::line(format_args!("{}{:width$}{:>6}{}", legend(measures), "settings", "runs", heads(measures, WIDTH)))?;
    for (label, (_, runs)) in labels.iter().zip(&summary.points) {
        let values = measures.iter().map(|measure| format!("{:>WIDTH$}", shown(measure, runs.estimate(measure))));
        output::line(format_args!("{label:width$}{:>6}{}", runs.runs.len(), values.collect::<String>()))?;
    }
    output::line(format_args!("table and curves: {}", sweep.folder().display()))
}

/// A mean with its standard error.
fn shown(measure: &Measure, estimate: Option<Estimate>) -> String {
    let Some(Estimate { mean, error, .. }) = estimate else {
        return "–".to_owned();
    };
    let (scale, digits, unit) = if measure.is_share() { (100.0, 1, " %") } else { (1.0, 2, "") };
    let error = error.map_or_else(String::new, |error| format!(" ± {:.digits$}", scale * error));
    format!("{:.digits$}{error}{unit}", scale * mean)
}
