//! `train show`: how far a genetic run is, and any individual of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use serde_json::json;
use turncoat_api::{RunDetails, RunState, Runs, YardstickView};
use turncoat_train::genetic::run::{CHAMPION, GenerationRecord, Snapshot, Stage};
use turncoat_train::genetic::{RunsFolder, fitness};
use turncoat_train::run_folder::RunKind;
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
    /// The folder of a run, or one with runs in it
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
    let asks = args.generation.is_some() || args.rank.is_some() || args.out.is_some();
    if !asks && RunKind::of(&args.run) != Some(RunKind::Genetic) && list(&args.run, common)? {
        return Ok(());
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
    // The sum of nothing is -0.
    let total = seconds.values().sum::<f64>() + 0.0;
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
    table(run, &seconds)
}

/// The last generations.
fn table(run: &Snapshot, seconds: &BTreeMap<u32, f64>) -> Result<()> {
    let (log, yardsticks) = (run.log(), &run.lab().experiment.yardstick);
    if log.is_empty() {
        return Ok(());
    }
    let heads: Vec<String> = yardsticks.iter().map(|plan| format!("  against {}", printable(&plan.player))).collect();
    let widths: Vec<usize> = heads.iter().map(|head| head.chars().count()).collect();
    let heads = heads.concat();
    output::line(format_args!("generation      best      mean     worst  spread   seconds{heads}"))?;
    for record in &log[log.len().saturating_sub(SHOWN)..] {
        let took = seconds.get(&record.generation).map_or_else(|| "–".to_owned(), |took| format!("{took:.2} s"));
        let won = |index: usize| {
            let met = record.yardsticks.iter().find(|met| met.yardstick == index);
            met.map_or_else(|| "–".to_owned(), |met| format!("{:.1} %", 100.0 * met.win_rate()))
        };
        let won: String = widths.iter().enumerate().map(|(index, &width)| format!("{:>width$}", won(index))).collect();
        output::line(format_args!(
            "{:>10}{:>10}{:>10.2}{:>10}{:>8.3}{took:>10}{won}",
            record.generation, record.best, record.mean, record.worst, record.spread
        ))?;
    }
    Ok(())
}

/// The runs in a folder, or its loop by rounds; `false` if there are none.
fn list(folder: &Path, common: &Common) -> Result<bool> {
    let Ok(runs) = RunsFolder::open(folder) else { return Ok(false) };
    let mut views = runs.list().map_err(|fault| anyhow!(fault.error))?;
    views.sort_by(|a, b| a.name.cmp(&b.name));
    if let (Some(RunKind::Rounds), [view]) = (RunKind::of(folder), views.as_slice()) {
        let details = runs.one(&view.name).map_err(|fault| anyhow!(fault.error))?;
        return rounds(&details, common).map(|()| true);
    }
    let width = views.iter().map(|view| view.name.chars().count()).max().unwrap_or_default().max(3);
    for (index, view) in views.iter().enumerate() {
        if common.json {
            output::json(view)?;
            continue;
        }
        if index == 0 {
            output::line(format_args!("{:width$}  state           done      best      mean   seconds", "run"))?;
        }
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
        output::line(format_args!(
            "{:width$}  {:8}{:>12}{:>10}{:>10}{:>10}{}",
            printable(&view.name),
            state(view.state),
            format!("{} of {}", view.generation, view.generations),
            number(view.best),
            number(view.mean),
            format!("{:.1} s", view.seconds),
            view.fault.as_ref().map_or_else(String::new, |fault| format!("  {}", printable(fault)))
        ))?;
    }
    Ok(!views.is_empty())
}

/// A training loop: its rounds' Elo against each opponent.
fn rounds(details: &RunDetails, common: &Common) -> Result<()> {
    if common.json {
        return output::json(details);
    }
    let RunDetails { run, elo, .. } = details;
    output::line(format_args!("{}: {}", run.title, state(run.state)))?;
    output::line(format_args!("{} of {} rounds, {:.1} s", run.generation, run.generations, run.seconds))?;
    if run.generation > 0 {
        let heads: String = elo.iter().map(|curve| format!("  against {}", curve.player)).collect();
        output::line(format_args!("round{heads}"))?;
    }
    for round in 1..=run.generation {
        let cell = |curve: &YardstickView| {
            let found = curve.points.iter().find(|(at, _)| *at == round);
            let text = found.map_or_else(|| "–".to_owned(), |(_, elo)| format!("{elo:+.0} Elo"));
            format!("{text:>width$}", width = curve.player.chars().count() + 10)
        };
        output::line(format_args!("{round:>5}{}", elo.iter().map(cell).collect::<String>()))?;
    }
    Ok(())
}

/// What becomes of a run, in a word.
const fn state(state: RunState) -> &'static str {
    match state {
        RunState::Running => "running",
        RunState::Stopped => "stopped",
        RunState::Finished => "finished",
        RunState::Damaged => "damaged",
    }
}
