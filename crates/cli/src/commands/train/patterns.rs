//! `train patterns`: weights from games.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use turncoat_board::VariantKind;
use turncoat_eval::patterns::STAGES;
use turncoat_train::patterns::{Event, Learned, Settings, TrainingError, train, unready};
use turncoat_train::run_folder::RunKind;
use turncoat_util::printable;
use turncoat_util::shell::join;

use super::lab::Bar;
use super::{RunArgs, to_resume, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::output;

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<()> {
    let (folder, settings) =
        args.open(RunKind::Patterns, |settings: &Settings| settings.fault().or_else(|| unready(settings)))?;
    use_threads(common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let bar = Bar::new(STAGES as u64, "stages", "{msg}, {elapsed}", common);
    let result = train(&settings, &folder, &|event| {
        match event {
            Event::Read(read, all) => {
                bar.set_message(format!("{read} of {all} files of games read"));
            }
            Event::Gathered(gathered) => {
                bar.set_message(format!("{} games, {} positions", gathered.games, gathered.positions));
            }
            Event::Stage(stage, positions, _) => {
                bar.set_message(format!("stage {stage}: {positions} positions"));
            }
            Event::Passed(stage, passed) => bar.set_message(format!(
                "stage {stage}, pass {}: error {:.3}, on games kept back {}",
                passed.pass,
                passed.error,
                discs(passed.kept_back)
            )),
            Event::Found(_) => {}
            Event::Finished(learned) => {
                bar.inc(1);
                if tell(learned, common).is_err() {
                    return false;
                }
            }
        }
        !stop.is_raised()
    });
    bar.finish_and_clear();
    match result {
        Err(TrainingError::Stopped) => {
            anyhow::bail!("stopped; {}", to_resume("patterns", folder.path()))
        }
        result => {
            result?;
            let path = folder.path().join("patterns.weights");
            let test = test(&settings, &path);
            if common.json {
                return output::json(&json!({"summary": true, "weights": path, "test": test}));
            }
            output::line(format_args!("weights in {}", path.display()))?;
            output::line(format_args!("test them: {}", printable(&test)))
        }
    }
}

/// The match that tells whether the weights are better than those before; from nothing, than the hand-made evaluation.
fn test(settings: &Settings, weights: &Path) -> String {
    let before = settings.start.as_ref().map_or_else(|| "hand".to_owned(), |start| start.display().to_string());
    let players = [weights.display().to_string(), before].map(|eval| format!("turncoat:eval={eval},depth=2"));
    let mut words = vec!["turncoat", "match", &players[0], &players[1]];
    if settings.variant == VariantKind::Reversi {
        words.extend(["--variant", "reversi"]);
    }
    join(words)
}

/// What a stage came to: the weights that are kept, which need not be those of the last pass.
fn tell(learned: Learned, common: &Common) -> Result<()> {
    let Learned { stage, positions, passes, start, best } = learned;
    if common.json {
        return output::json(&json!({
            "stage": stage, "positions": positions, "passes": passes, "best": best.pass,
            "error": best.error, "kept_back": best.kept_back, "start_kept_back": start.kept_back,
        }));
    }
    if common.quiet {
        return Ok(());
    }
    let which = match best.pass {
        0 => "nothing better than the start".to_owned(),
        pass => format!("pass {pass} is the best"),
    };
    output::line(format!(
        "stage {stage:2}: {positions:9} positions, {passes:2} passes, {which}: error {:.3} discs, on games kept back {} \
         (it was {})",
        best.error,
        discs(best.kept_back),
        discs(start.kept_back)
    ))
}

/// An error in discs, if there is something to measure it by.
fn discs(error: Option<f64>) -> String {
    error.map_or_else(|| "–".to_owned(), |error| format!("{error:.3}"))
}
