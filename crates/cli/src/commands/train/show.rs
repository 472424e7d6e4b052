//! `train show`: how far a genetic run is, and any individual of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use turncoat_train::genetic::fitness;
use turncoat_train::genetic::run::{CHAMPION, GenerationRecord, Snapshot, Stage};
use turncoat_util::{OutputFile, printable};

use super::genetic::{early_end, failure, snapshot};
use super::to_resume;
use crate::args::Common;
use crate::failure::output_failure;
use crate::output;

/// Generations that are listed; the log has all.
const SHOWN: usize = 10;

/// `train show`
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The folder of a genetic run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// List the logged individuals of this generation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// Print the parameters of the individual of this rank, the best being 1, of the generation or of the last one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rank: Option<u32>,
    /// Write the parameters to this file, for weights=; those of rank 1 if no rank is given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    force: bool,
}

pub(super) fn run(args: &ShowArgs, common: &Common) -> Result<()> {
    if let Some(path) = &args.out {
        OutputFile::check(path, args.force).map_err(|error| output_failure(path, error))?;
    }
    let run = snapshot(&args.run)?;
    if args.rank.is_some() || args.out.is_some() {
        individual(&run, args, common)
    } else if let Some(generation) = args.generation {
        individuals(&run, generation, common)
    } else {
        progress(&run, common)
    }
}

/// One individual as a parameter file.
fn individual(run: &Snapshot, args: &ShowArgs, common: &Common) -> Result<()> {
    let generation = args.generation.unwrap_or(run.log().len() as u32);
    let rank = args.rank.unwrap_or(1) as usize;
    let rated = run.individual(generation, rank).map_err(failure)?;
    let what = format!("individual {} of generation {generation}, rank {rank}", rated.individual.id);
    let file = run.lab().parameter_file(&rated.individual.genome, &what);
    if let Some(path) = &args.out {
        output::file(path, &file, args.force)?;
    }
    if common.json {
        return output::json(&json!({
            "generation": generation, "rank": rank, "individual": rated, "parameters": file, "out": args.out,
        }));
    }
    match &args.out {
        Some(path) => output::line(format_args!("{what}, fitness {}: {}", rated.fitness, path.display())),
        None => output::line(file.trim_end()),
    }
}

/// The logged individuals of a generation.
fn individuals(run: &Snapshot, generation: u32, common: &Common) -> Result<()> {
    let individuals = run.individuals(generation).map_err(failure)?;
    if !common.json {
        output::line("rank  individual  age   fitness  won as black  as white  drawn  lost")?;
    }
    for (rank, rated) in (1..).zip(&individuals) {
        if common.json {
            output::json(&json!({"generation": generation, "rank": rank, "individual": rated}))?;
            continue;
        }
        let tally = &rated.tally;
        output::line(format_args!(
            "{rank:>4}{:>12}{:>5}{:>10}{:>14}{:>10}{:>7}{:>6}",
            rated.individual.id,
            rated.individual.age,
            rated.fitness,
            tally.black_wins,
            tally.white_wins,
            tally.draws,
            tally.losses
        ))?;
    }
    Ok(())
}

/// The generation with the highest best fitness, the first of equals.
fn highest(log: &[GenerationRecord]) -> Option<&GenerationRecord> {
    log.iter().reduce(|highest, record| if record.best > highest.best { record } else { highest })
}

/// How far the run is, and what is under way.
fn progress(run: &Snapshot, common: &Common) -> Result<()> {
    let (log, planned) = (run.log(), run.lab().experiment.generations);
    let seconds: BTreeMap<u32, f64> = run.seconds().into_iter().collect();
    let total: f64 = seconds.values().sum();
    let (last, highest) = (log.last(), highest(log));
    let worker = run.worker();
    let state = match (run.stage(), worker) {
        (Stage::Finished, _) => "finished",
        (_, Some(_)) => "running",
        (_, None) => "stopped",
    };
    let next = match run.stage() {
        Stage::Generation(_) => {
            let games = fitness::games(run.lab(), run.population()).games.len();
            Some(format!("generation {}, {games} games", run.population().generation))
        }
        Stage::Final => Some("the final round robin".to_owned()),
        Stage::Finished => None,
    };
    if common.json {
        return output::json(&json!({
            "title": run.lab().experiment.title, "state": state, "generation": log.len(), "generations": planned,
            "best": last.map(|last| last.best), "mean": last.map(|last| last.mean),
            "highest": highest.map(|record| json!({"generation": record.generation, "best": record.best})),
            "ended": run.end(), "seconds": total, "next": next, "process": worker.map(|(process, _)| process),
            "under_way_for": worker.map(|(_, time)| time.as_secs_f64()),
        }));
    }
    output::line(format_args!("{}: {state}", printable(&run.lab().experiment.title)))?;
    let ended = early_end(run.end(), &run.lab().experiment).map_or_else(String::new, |why| format!("; ended: {why}"));
    output::line(format_args!("{} of {planned} generations, {total:.1} s{ended}", log.len()))?;
    if let (Some(last), Some(highest)) = (last, highest) {
        output::line(format_args!(
            "best {}, mean {:.2}; the highest was {} in generation {}",
            last.best, last.mean, highest.best, highest.generation
        ))?;
    }
    match (next, worker) {
        (Some(next), Some((process, time))) => {
            output::line(format_args!("under way: {next}, for {:.1} s, in process {process}", time.as_secs_f64()))?;
        }
        (Some(next), None) => {
            output::line(format_args!("next: {next}; {}", to_resume("genetic", run.folder())))?;
        }
        (None, _) => output::line(format_args!("champion: {}", run.folder().join(CHAMPION).display()))?,
    }
    table(log, &seconds)
}

/// The last generations.
fn table(log: &[GenerationRecord], seconds: &BTreeMap<u32, f64>) -> Result<()> {
    if log.is_empty() {
        return Ok(());
    }
    output::line("generation      best      mean     worst  spread   seconds")?;
    for record in &log[log.len().saturating_sub(SHOWN)..] {
        let took = seconds.get(&record.generation).map_or_else(|| "–".to_owned(), |took| format!("{took:.2} s"));
        output::line(format_args!(
            "{:>10}{:>10}{:>10.2}{:>10}{:>8.3}{took:>10}",
            record.generation, record.best, record.mean, record.worst, record.spread
        ))?;
    }
    Ok(())
}
