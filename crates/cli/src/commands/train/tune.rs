//! `train tune`: the parameters of a player, by games against itself.

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use turncoat_board::{Geometry, VariantKind};
use turncoat_train::genetic::games::Threads;
use turncoat_train::tune::{TuneError, TuneRun, TuneStep};
use turncoat_util::printable;
use turncoat_util::shell::join;

use super::lab::{View, keep_faults_off_the_terminal, pool};
use super::{RunArgs, to_resume};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// Values that a line of progress shows; the log has all.
const SHOWN: usize = 5;

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<()> {
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let opened = match (&args.file, &args.out, &args.resume) {
        (_, _, Some(folder)) => TuneRun::resume(folder),
        (Some(file), Some(folder), None) => TuneRun::create(file, folder),
        _ => return Err(misuse("a settings file and --out DIR are needed")),
    };
    let mut run = opened.map_err(failure)?;
    keep_faults_off_the_terminal();
    let pool = pool(common)?;
    let mut games = Threads { stop, ..Threads::default() };
    let view = view(&run, &games, common);
    loop {
        let step = pool.install(|| run.step(&mut games));
        match step {
            Ok(TuneStep::Batch(line)) => {
                view.advance(run.done(), &current(&run));
                if let (Some(line), true) = (line, common.json) {
                    output::json(&line)?;
                }
            }
            Ok(TuneStep::Complete) => {
                view.finish();
                return conclude(&run, common);
            }
            Ok(TuneStep::Interrupted) => {
                view.finish();
                return Err(stopped(&run, "interrupted"));
            }
            Err(error) => {
                view.finish();
                return Err(stopped(&run, &error.to_string()));
            }
        }
    }
}

/// What is wrong with what was asked for is a misuse; the rest is a failure.
fn failure(error: TuneError) -> anyhow::Error {
    if error.is_misuse() { misuse(error) } else { error.into() }
}

fn stopped(run: &TuneRun, why: &str) -> anyhow::Error {
    anyhow!("{why}; {}", to_resume("tune", run.folder()))
}

/// The progress of a run, after a line about it.
fn view(run: &TuneRun, games: &Threads, common: &Common) -> View {
    let settings = run.tuner().settings();
    // Before the bar, which would be left above it.
    if !common.quiet {
        output::note(format_args!(
            "{} parameters of {}, {} iterations of {} games, in {}",
            run.values().len(),
            printable(&settings.player),
            settings.iterations,
            2 * settings.pairs,
            run.folder().display()
        ));
    }
    View::new("iterations", run.done(), settings.iterations, &games.played, common)
}

/// The first values as they are now.
fn current(run: &TuneRun) -> String {
    let values = run.settled();
    let named = run.tuner().subject().names().zip(&values).take(SHOWN);
    let mut shown: Vec<String> = named.map(|(name, value)| format!("{name} {value}")).collect();
    if values.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join("  ")
}

fn conclude(run: &TuneRun, common: &Common) -> Result<()> {
    let [tuned, before] = run.players();
    let test = test(run, &tuned, &before);
    if common.json {
        return output::json(&json!({
            "summary": true, "iterations": run.done(), "values": run.settled(), "player": tuned, "test": test,
            "chart": run.chart(),
        }));
    }
    let axes = &run.tuner().spsa().axes;
    for ((name, axis), value) in run.tuner().subject().names().zip(axes).zip(run.settled()) {
        output::line(format_args!("{name}: {} → {value}", axis.start))?;
    }
    output::line(format_args!("player:  {}", printable(&tuned)))?;
    output::line(format_args!("chart:   {}", run.chart().display()))?;
    output::line(format_args!("test it: {}", printable(&test)))
}

/// The match that tells whether the tuned player is stronger.
fn test(run: &TuneRun, tuned: &str, before: &str) -> String {
    let settings = run.tuner().settings();
    let mut words = vec!["turncoat", "match", tuned, before, "--sprt", "elo0=0,elo1=10"];
    if settings.variant == VariantKind::Reversi {
        words.extend(["--variant", "reversi"]);
    }
    let side = settings.size.side().to_string();
    if settings.size != Geometry::EIGHT {
        words.extend(["--size", &side]);
    }
    if let Some(openings) = &settings.openings {
        words.extend(["--openings", openings]);
    }
    join(words)
}
