//! `train loop`: weights from nothing, round by round.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde_json::json;
use turncoat_board::Geometry;
use turncoat_train::patterns::Event;
use turncoat_train::rounds::{
    Here, LoopError, LoopEvent, LoopPlan, LoopRun, LoopSettings, LoopStep, REPORT, RoundRecord,
};
use turncoat_util::shell::quote;

use super::lab::Bar;
use super::{folder_failure, to_resume, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train loop`
#[derive(Debug, Args)]
pub(super) struct LoopArgs {
    /// About how long the whole loop takes; with --resume a new total
    #[arg(long, value_name = "M", required_unless_present_any = ["games", "resume", "quick"], allow_hyphen_values = true)]
    minutes: Option<f64>,
    /// Games of each round instead: then the weights do not depend on the machine
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    games: Option<u64>,
    /// How many rounds in all [default: one for six minutes, at least two; three with --games]; with --resume more than before
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Little of everything, to see it work in a minute: 8192 games a round unless --minutes or --games tells
    #[arg(long)]
    quick: bool,
    /// A new folder for the loop
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Resume the loop in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "games", "quick"])]
    resume: Option<PathBuf>,
}

impl LoopArgs {
    /// Whether a loop begins rather than continues.
    pub(super) const fn is_new(&self) -> bool {
        self.resume.is_none()
    }

    fn settings(&self, common: &Common) -> LoopSettings {
        let Self { minutes, games, rounds, quick, .. } = *self;
        LoopSettings::planned(
            common.variant(),
            common.seed(),
            &LoopPlan { minutes, games, rounds, quick, depth: common.depth },
        )
        .on(common.geometry())
    }
}

pub(super) fn run(args: &LoopArgs, common: &Common) -> Result<()> {
    let mut run = match (&args.resume, &args.out) {
        (Some(folder), _) => LoopRun::resume(folder).and_then(|mut run| {
            if args.rounds.is_some() || args.minutes.is_some() {
                run.prolong(args.rounds, args.minutes)?;
            }
            Ok(run)
        }),
        (None, Some(folder)) => {
            let settings = args.settings(common);
            if let Some(fault) = settings.fault() {
                return Err(misuse(fault));
            }
            LoopRun::create(settings, folder)
        }
        (None, None) => return Err(misuse("--out DIR is needed, or --resume DIR")),
    }
    .map_err(failure)?;
    use_threads(common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let bar = Bar::new(run.settings().rounds.into(), "rounds", "{msg}, {elapsed}", common);
    loop {
        let done = run.rounds().len() as u64;
        bar.set_position(done);
        let (began, total) = (Instant::now(), run.settings().rounds.into());
        let hear = |event: LoopEvent<'_>| {
            let under_way = if done < total { format!("round {}: ", done + 1) } else { String::new() };
            bar.set_message(under_way + &message(event, began));
        };
        match run.step(&mut Here { stop: &stop, hear: &hear }) {
            Ok(LoopStep::Round(record)) => bar.suspend(|| tell(&record, common))?,
            Ok(LoopStep::Complete) => {
                bar.finish_and_clear();
                return conclude(&run, common);
            }
            Ok(LoopStep::Interrupted) => {
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

/// What is under way.
fn message(event: LoopEvent<'_>, began: Instant) -> String {
    match event {
        LoopEvent::Games(played, depth) => {
            let speed = played as f64 / began.elapsed().as_secs_f64().max(1e-9);
            format!("{played} games at depth {depth}, {speed:.0} games/s")
        }
        LoopEvent::Fitting(Event::Read(read, all)) => format!("{read} of {all} files of games read"),
        LoopEvent::Fitting(Event::Gathered(gathered)) => format!("{} positions", gathered.positions),
        LoopEvent::Fitting(Event::Stage(stage, ..) | Event::Found(stage)) => format!("stage {stage}"),
        LoopEvent::Fitting(Event::Passed(stage, passed)) => {
            format!("stage {stage}, pass {}, error {:.3}", passed.pass, passed.error)
        }
        LoopEvent::Fitting(Event::Finished(learned)) => format!("stage {} fitted", learned.stage),
        LoopEvent::Match(opponent, played, most) => format!("{played} of at most {most} games against {opponent}"),
        LoopEvent::ErrorModel(played, all) => format!("error model, {played} of {all} games"),
    }
}

/// What a round came to.
fn tell(record: &RoundRecord, common: &Common) -> Result<()> {
    if common.json {
        return output::json(record);
    }
    if common.quiet {
        return Ok(());
    }
    let mut met: Vec<String> =
        record.yardsticks.iter().map(|met| format!("against {} {} Elo", met.opponent, met.result.elo_text())).collect();
    let test = &record.test;
    met.push(format!("against {} {} Elo in {} games", test.opponent, test.result.elo_text(), test.result.games()));
    output::line(format_args!(
        "round {}: {} games at depth {}, {} positions fitted; {}: {}",
        record.round,
        record.games,
        record.depth,
        record.positions,
        met.join(", "),
        if record.accepted { "accepted" } else { "refused" }
    ))
}

fn conclude(run: &LoopRun, common: &Common) -> Result<()> {
    let report = run.folder().join(REPORT);
    if common.json {
        return output::json(&json!({
            "summary": true, "rounds": run.rounds().len(), "weights": run.best(), "report": report,
        }));
    }
    let Some(weights) = run.best() else {
        return output::line(format_args!(
            "no round was better than the hand-made evaluation; report: {}",
            report.display()
        ));
    };
    output::line(format_args!("weights:  {}", weights.display()))?;
    output::line(format_args!("report:   {}", report.display()))?;
    let (variant, size) = (run.settings().variant, run.settings().size);
    let size = if size == Geometry::EIGHT { String::new() } else { format!(" --size {}", size.side()) };
    let player = format!("turncoat:eval={}", weights.display());
    output::line(format_args!("try it:   turncoat play --variant {variant}{size} --white {}", quote(&player)))
}

/// `train report` of a loop.
pub(super) fn report(folder: &Path, common: &Common) -> Result<()> {
    let run = LoopRun::resume(folder).map_err(failure)?;
    run.write_report().map_err(folder_failure)?;
    conclude(&run, common)
}

fn failure(error: LoopError) -> anyhow::Error {
    match error {
        LoopError::Folder(error) => folder_failure(error),
        error => error.into(),
    }
}

fn stopped(run: &LoopRun, why: &str) -> anyhow::Error {
    let (done, all) = (run.rounds().len(), run.settings().rounds);
    anyhow!("{why}; {done} of {all} rounds are done; {}", to_resume("loop", run.folder()))
}
