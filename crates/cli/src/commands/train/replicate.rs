//! `train replicate`: one experiment with several seeds.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use rayon::ThreadPool;
use serde_json::json;
use turncoat_players::Roster;
use turncoat_train::genetic::Assignment;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::replicates::{Estimate, Measure, Replicates, Summary};
use turncoat_train::genetic::run::{GenerationRecord, Step};

use super::genetic::{failure, note_depths, readers};
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

/// What plays runs to their ends, one after the other, and shows how far it is.
pub(super) struct Worker {
    pub(super) roster: Roster,
    pool: ThreadPool,
    games: Threads,
    view: View,
    done: u64,
    tells: bool,
}

impl Worker {
    /// A worker for so many runs.
    pub(super) fn new(roster: Roster, runs: usize, common: &Common) -> Result<Self> {
        let stop = signals::stop_flag().context("cannot handle signals")?;
        keep_faults_off_the_terminal();
        let games = Threads { stop, roster: roster.clone(), ..Threads::default() };
        let view = View::new("runs", 0, runs as u64, &games.played, common);
        Ok(Self { roster, pool: pool(common)?, games, view, done: 0, tells: !common.quiet })
    }

    /// Plays the runs of a folder, which are called `name` in the view. An error ends with how to resume them.
    pub(super) fn play(&mut self, runs: &Replicates, name: &str, to_resume: &str) -> Result<()> {
        for &seed in runs.seeds() {
            let mut run = runs.run(seed, &self.roster).map_err(failure)?;
            if self.done == 0 && self.tells {
                note_depths(run.lab());
            }
            loop {
                let why = match self.pool.install(|| run.step(&mut self.games)) {
                    Ok(Step::Generation(GenerationRecord { generation, best, .. })) => {
                        self.view
                            .advance(self.done, &format!("{name}seed {seed}, generation {generation}, best {best}"));
                        continue;
                    }
                    Ok(Step::Complete(_)) => break,
                    Ok(Step::Interrupted) => "interrupted".to_owned(),
                    Err(error) => format!("{name}seed {seed}: {error}"),
                };
                self.view.finish();
                return Err(anyhow!("{why}; {to_resume}"));
            }
            self.done += 1;
        }
        Ok(())
    }

    /// Takes the view off the terminal.
    pub(super) fn finish(&self) {
        self.view.finish();
    }
}

pub(super) fn run(args: &ReplicateArgs, common: &Common) -> Result<()> {
    let roster = args.host.roster(None);
    let opened = match (&args.file, &args.seeds, &args.out, &args.resume) {
        (_, _, _, Some(folder)) => Replicates::resume(folder),
        (Some(file), Some(seeds), Some(folder), None) => {
            Replicates::create(file, &args.set, seeds.0.clone(), folder, &roster)
        }
        _ => return Err(misuse("an experiment file, --seeds and --out DIR are needed, or --resume DIR")),
    };
    let runs = opened.map_err(failure)?;
    let mut worker = Worker::new(roster, runs.seeds().len(), common)?;
    worker.play(&runs, "", &to_resume("replicate", runs.folder()))?;
    worker.finish();
    conclude(&runs, &runs.summarize(&worker.roster).map_err(failure)?, common)
}

/// `train report` of several runs.
pub(super) fn report(folder: &Path, common: &Common) -> Result<()> {
    let runs = Replicates::resume(folder).map_err(failure)?;
    conclude(&runs, &runs.summarize(&readers()).map_err(failure)?, common)
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
    output::line(format_args!("{}{:>8}{:>12}{}", legend(measures), "seed", "generations", heads(measures, 10)))?;
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

/// What the columns of yardsticks are, a line each.
pub(super) fn legend(measures: &[Measure]) -> String {
    let yardsticks = (1..).zip(measures.iter().skip(2));
    yardsticks.map(|(number, measure)| format!("won {number}: games won, {}\n", measure.label)).collect()
}

/// The heads of the columns of measures.
pub(super) fn heads(measures: &[Measure], width: usize) -> String {
    let won = (1..measures.len().saturating_sub(1)).map(|number| format!("won {number}"));
    let heads = ["best", "mean"].map(str::to_owned).into_iter().chain(won);
    heads.map(|head| format!("{head:>width$}")).collect()
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
