//! `train probcut`: the error model of cuts by probability.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use turncoat_board::{Geometry, Variant};
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation, write_error_model};
use turncoat_search::pvs::ErrorModel;
use turncoat_train::probcut::Spreads;
use turncoat_util::OutputFile;

use super::lab::Bar;
use super::use_threads;
use crate::args::Common;
use crate::commands::signals;
use crate::failure::{misuse, output_failure};
use crate::output;

/// `train probcut`
#[derive(Debug, Args)]
pub(super) struct ProbcutArgs {
    /// The evaluation: its name, or a file of weights or of a network
    #[arg(long, value_name = "NAME")]
    eval: String,
    /// Games to take positions from
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// The deepest search to compare
    #[arg(long, value_name = "PLIES", default_value_t = 9, value_parser = clap::value_parser!(u32).range(5..=14))]
    deepest: u32,
    /// The file to write; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    force: bool,
}

/// What more games are needed for.
const TOO_FEW: &str = "too few positions for a fit: take more games (40 are enough for --deepest 5, 160 for 8)";

pub(super) fn run(args: &ProbcutArgs, common: &Common) -> Result<()> {
    if let Some(path) = &args.out {
        // Found out before the first game rather than after the last one.
        OutputFile::check(path, args.force).map_err(|error| output_failure(path, error))?;
    }
    use_threads(common)?;
    let bar = Bar::new(args.games, "games", "{elapsed}, {eta} left", common);
    let task = Measure {
        args,
        size: common.geometry(),
        seed: common.seed(),
        stop: signals::stop_flag().context("cannot handle signals")?,
        bar: &bar,
    };
    let (spreads, checksum) =
        with_evaluation(&args.eval, common.variant(), common.geometry(), task).map_err(misuse)??;
    bar.finish_and_clear();
    let coefficients = spreads.fit().context(TOO_FEW)?;
    let end = spreads.fit_end();
    // What would not be taken from the file is not put there.
    ErrorModel::new(common.variant(), common.geometry(), checksum, &coefficients, end.as_ref()).context(TOO_FEW)?;
    if !common.quiet && !common.json {
        show(&spreads);
    }
    let text =
        write_error_model(&args.eval, common.variant(), common.geometry(), checksum, &coefficients, end.as_ref());
    if let Some(path) = &args.out {
        let mut file = OutputFile::create(path, args.force).map_err(|error| output_failure(path, error))?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
        written.with_context(|| path.display().to_string())?;
    }
    if common.json {
        output::json(&json!({
            "evaluation": args.eval, "variant": common.variant().to_string(),
            "checksum": format!("{checksum:016x}"), "coefficients": coefficients, "end": end,
            "differences": spreads.count(), "file": args.out,
        }))
    } else if args.out.is_none() {
        output::line(text.trim_end())
    } else {
        Ok(())
    }
}

/// The spreads that were measured, for people.
fn show(spreads: &Spreads) {
    output::note(format!("{:.0} differences; standard deviations in discs by depth and empties:", spreads.count()));
    output::note("depth shallow   0-9  10-19  20-29  30-39  40-49  50-59");
    for (depth, shallow, bands) in spreads.table() {
        let bands: Vec<String> = bands.iter().map(|spread| format!("{spread:6.2}")).collect();
        output::note(format!("{depth:5} {shallow:7} {}", bands.join(" ")));
    }
}

struct Measure<'a> {
    args: &'a ProbcutArgs,
    size: Geometry,
    seed: u64,
    stop: StopFlag,
    bar: &'a ProgressBar,
}

impl EvaluationTask for Measure<'_> {
    type Output = Result<(Spreads, u64)>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let ProbcutArgs { deepest, games, .. } = *self.args;
        let all = Spreads::from_games(variant, &evaluation, self.size, deepest, self.seed, games, &self.stop, || {
            self.bar.inc(1);
        })?;
        Ok((all.context("stopped; nothing was written")?, evaluation.checksum()))
    }
}
