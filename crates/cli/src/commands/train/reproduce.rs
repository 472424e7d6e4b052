//! `reproduce`: the tables and figures of a course report again, beside its own numbers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde_json::json;
use turncoat_train::reproduce::{PAGE, ReproduceError, Reproduction, Scale, Step};
use turncoat_util::shell::quote;

use super::lab::{Bar, keep_faults_off_the_terminal, pool};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `reproduce`
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// The player of the report: gene45, nine-weights, top-six, shifting-weights or six-stage
    #[arg(value_name = "REPORT", required_unless_present = "resume", conflicts_with = "resume")]
    report: Option<String>,
    /// A new folder for it [default: runs/reproduce-REPORT]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume in this folder
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Little of everything, to see it work: the numbers say nothing
    #[arg(long, conflicts_with = "resume")]
    quick: bool,
    /// Ten seeds where the report compares runs, a thousand games a match and more
    #[arg(long, conflicts_with_all = ["quick", "resume"])]
    full: bool,
}

pub(in crate::commands) fn run(args: &ReproduceArgs, common: &Common) -> Result<()> {
    refuse_unused(args, common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let mut run = open(args, common).map_err(failure)?;
    keep_faults_off_the_terminal();
    let pool = pool(common)?;
    let bar = Bar::new(run.done().1 as u64, "parts", "{msg}, {elapsed}", common);
    loop {
        bar.set_position(run.done().0 as u64);
        let step = pool.install(|| run.step(&stop, &|under_way| bar.set_message(under_way.to_owned())));
        match step {
            Ok(Step::Part(id, seconds)) => bar.suspend(|| tell(&run, &id, seconds, common))?,
            Ok(Step::Complete) => {
                bar.finish_and_clear();
                let page = run.folder().join(PAGE);
                if common.json {
                    return output::json(&json!({ "summary": true, "parts": run.done().0, "page": page }));
                }
                return output::line(format_args!("page: {}", page.display()));
            }
            Ok(Step::Interrupted) => {
                bar.finish_and_clear();
                return Err(stopped(&run, "interrupted"));
            }
            Err(error) => {
                bar.finish_and_clear();
                return Err(stopped(&run, &error.to_string()));
            }
        }
    }
}

fn open(args: &ReproduceArgs, common: &Common) -> Result<Reproduction, ReproduceError> {
    if let Some(folder) = &args.resume {
        return Reproduction::resume(folder);
    }
    let report = args.report.as_deref().unwrap_or_default();
    let scale = match (args.quick, args.full) {
        (true, _) => Scale::Quick,
        (_, true) => Scale::Full,
        _ => Scale::Usual,
    };
    let usual = || Path::new("runs").join(format!("reproduce-{report}"));
    Reproduction::create(report, scale, common.seed(), &args.out.clone().unwrap_or_else(usual))
}

/// Refuses the options that the report decides, and those of a run that has begun.
fn refuse_unused(args: &ReproduceArgs, common: &Common) -> Result<()> {
    let unused = [
        ("variant", common.variant.is_some()),
        ("size", common.size.is_some()),
        ("depth", common.depth.is_some()),
        ("time", common.time.is_some()),
        ("hash", common.hash.is_some()),
        ("seed", common.seed.is_some() && args.resume.is_some()),
    ];
    match unused.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(misuse(format!("--{option} has no effect on reproduce: the report decides it"))),
        None => Ok(()),
    }
}

/// What a part came to: its tables.
fn tell(run: &Reproduction, id: &str, seconds: f64, common: &Common) -> Result<()> {
    let part = run.report().parts.iter().find(|part| part.id == id);
    let title = part.map_or(id, |part| part.title.as_str());
    if common.json {
        let tables = run.outcomes().get(id).map(|outcome| &outcome.tables);
        return output::json(&json!({ "part": id, "title": title, "seconds": seconds, "tables": tables }));
    }
    if common.quiet { Ok(()) } else { output::line(format_args!("{title}: {seconds:.1} s")) }
}

fn failure(error: ReproduceError) -> anyhow::Error {
    if error.is_misuse() { misuse(error) } else { error.into() }
}

fn stopped(run: &Reproduction, why: &str) -> anyhow::Error {
    let (done, all) = run.done();
    let folder = run.folder().display().to_string();
    anyhow!("{why}; {done} of {all} parts are done; to resume:\n  turncoat reproduce --resume {}", quote(&folder))
}
