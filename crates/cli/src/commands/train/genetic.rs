//! `train genetic` and `train report`: runs of the genetic lab in the terminal.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;
use turncoat_host::Hosting;
use turncoat_players::Roster;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::report::REPORT;
use turncoat_train::genetic::run::{self, ChampionMatch, FinalGames, FinalStanding, GeneticError, Run, Snapshot, Step};
use turncoat_train::genetic::tensorboard::write_events;
use turncoat_train::genetic::{Assignment, End, Experiment, Lab};
use turncoat_train::run_folder::RunKind;
use turncoat_util::printable;
use turncoat_util::shell::join;

use super::lab::{View, keep_faults_off_the_terminal, pool};
use super::{replicate, rounds, sweep, to_resume};
use crate::args::{Common, HostArgs};
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train genetic`
#[derive(Debug, Args)]
pub(super) struct GeneticArgs {
    /// The experiment file
    #[arg(value_name = "FILE", required_unless_present = "resume", conflicts_with = "resume")]
    file: Option<PathBuf>,
    /// A new or empty folder for the run [default: runs/NAME, after the file]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume the run in this folder
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// How many generations, whatever the experiment says; with --resume this prolongs the run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    /// Change a setting of the experiment for this run, as in algorithm.population=30; with --resume only generations,
    /// patience and target; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Assignment>,
    #[command(flatten)]
    host: HostArgs,
}

impl GeneticArgs {
    /// Whether a run begins rather than continues.
    pub(super) const fn is_new(&self) -> bool {
        self.resume.is_none()
    }

    /// What is changed about the experiment.
    fn changes(&self) -> Vec<Assignment> {
        let generations = self.generations.map(|generations| Assignment::new("generations", generations));
        self.set.iter().cloned().chain(generations).collect()
    }
}

/// `train report`
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The folder of a genetic run, of several, of a sweep or of a training loop
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write the curves as an event file of TensorBoard into this folder too
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
    #[command(flatten)]
    host: HostArgs,
}

pub(super) fn run(args: &GeneticArgs, common: &Common) -> Result<()> {
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let roster = args.host.roster(None);
    let mut run = open(args, common, &roster)?;
    keep_faults_off_the_terminal();
    let pool = pool(common)?;
    let mut games = Threads { stop, roster, ..Threads::default() };
    let view = view(&run, &games, common);
    loop {
        let step = pool.install(|| run.step(&mut games));
        match step {
            Ok(Step::Generation(record)) => {
                view.advance(u64::from(record.generation), &format!("best {}, mean {:.2}", record.best, record.mean));
                if common.json {
                    output::json(&record)?;
                }
            }
            Ok(Step::Complete(standings)) => {
                view.finish();
                let found = FinalGames { standings, last_match: run.last_match().map_err(failure)? };
                return conclude(run.folder(), run.lab(), (run.done(), run.end()), &found, common);
            }
            Ok(Step::Interrupted) => {
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

/// The progress of a run, after a line about it.
fn view(run: &Run, games: &Threads, common: &Common) -> View {
    let total = u64::from(run.lab().experiment.generations);
    // Before the bar, which would be left above it.
    if !common.quiet {
        let genes = run.lab().layout.genes().len();
        output::note(format_args!(
            "{}: {genes} parameters of {}, {total} generations of {}, in {}",
            printable(&run.lab().experiment.title),
            printable(&run.lab().experiment.player),
            run.lab().population(),
            run.folder().display()
        ));
        note_depths(run.lab());
    }
    View::new("generations", u64::from(run.done()), total, &games.played, common)
}

/// Says who will look ahead as far as it likes, which is minutes a generation rather than seconds.
pub(super) fn note_depths(lab: &Lab) {
    if !lab.without_depth.is_empty() {
        output::note(format_args!(
            "note: without depth= in {} the games take long; experiments have depth=1 and, of a player that has it, final=0",
            printable(&lab.without_depth.join(" and "))
        ));
    }
}

/// Creates or resumes the run.
fn open(args: &GeneticArgs, common: &Common, roster: &Roster) -> Result<Run> {
    let opened = match (&args.file, &args.resume) {
        (Some(file), None) => {
            let named = file.file_stem().map(|stem| Path::new("runs").join(stem));
            let usual = || named.ok_or_else(|| misuse("--out DIR is needed: the folder of the run"));
            let folder = args.out.clone().map_or_else(usual, Ok)?;
            Run::create(file, &args.changes(), &folder, common.seed, roster)
        }
        (_, Some(folder)) => Run::prolong(folder, &args.changes(), roster),
        (None, None) => return Err(misuse("an experiment file or --resume DIR is needed")),
    };
    opened.map_err(failure)
}

/// What is wrong with what was asked for is a misuse; the rest is a failure.
pub(super) fn failure(error: GeneticError) -> anyhow::Error {
    if error.is_misuse() { misuse(error) } else { error.into() }
}

fn stopped(run: &Run, why: &str) -> anyhow::Error {
    anyhow!(
        "{why}\n{} of {} generations are safe in {}; {}",
        run.done(),
        run.lab().experiment.generations,
        run.folder().display(),
        to_resume("genetic", run.folder())
    )
}

/// Why a run ended before its last generation, in words.
pub(super) fn early_end(end: Option<End>, experiment: &Experiment) -> Option<String> {
    match (end?, experiment) {
        (End::Generations, _) => None,
        (End::Target, Experiment { target, .. }) => {
            Some(format!("the target of {} is reached", target.unwrap_or_default()))
        }
        (End::Patience, Experiment { patience, .. }) => {
            Some(format!("no better best for {} generations (patience)", patience.unwrap_or_default()))
        }
    }
}

#[derive(Serialize)]
struct Conclusion<'a> {
    summary: bool,
    generations: u32,
    ended: Option<End>,
    champion: Option<&'a FinalStanding>,
    #[serde(rename = "match")]
    last_match: Option<&'a ChampionMatch>,
    weights: PathBuf,
    report: PathBuf,
}

fn conclude(
    folder: &Path,
    lab: &Lab,
    (done, ended): (u32, Option<End>),
    found: &FinalGames,
    common: &Common,
) -> Result<()> {
    let (weights, report) = (folder.join(run::CHAMPION), folder.join(REPORT));
    if common.json {
        return output::json(&Conclusion {
            summary: true,
            generations: done,
            ended,
            champion: found.standings.first(),
            last_match: found.last_match.as_ref(),
            weights,
            report,
        });
    }
    if let Some(why) = early_end(ended, &lab.experiment) {
        output::line(format_args!("ended:    after {done} of {} generations: {why}", lab.experiment.generations))?;
    }
    if let Some(champion) = found.standings.first() {
        output::line(format_args!(
            "champion: individual {} of generation {}, {} points of {} games against the best of {} generations",
            champion.id,
            champion.generation,
            champion.points,
            champion.tally.games(),
            found.standings.len()
        ))?;
    }
    output::line(format_args!("weights:  {}", weights.display()))?;
    output::line(format_args!("report:   {}", report.display()))?;
    if let Some(last_match) = &found.last_match {
        let player = printable(&lab.experiment.player);
        output::line(format_args!("match:    {} against {player} as it was", last_match.summary()))?;
    }
    if weights.to_string_lossy().contains(',') {
        // The text of a player cannot have it.
        return output::line("again:    copy the weights to a path without a comma, for weights=");
    }
    let words = lab.match_words(&weights);
    output::line(format_args!("again:    turncoat {}", printable(&join(words.iter().map(String::as_str)))))
}

pub(super) fn report(args: &ReportArgs, common: &Common) -> Result<()> {
    let kind = RunKind::of(&args.run).filter(|_| args.tensorboard.is_none());
    match kind {
        Some(RunKind::Replicates) => return replicate::report(&args.run, common),
        Some(RunKind::Sweep) => return sweep::report(&args.run, common),
        Some(RunKind::Rounds) => return rounds::report(&args.run, common),
        _ => {}
    }
    let stop = signals::stop_flag().context("cannot handle signals")?;
    keep_faults_off_the_terminal();
    let roster = args.host.roster(None);
    let mut games = Threads { stop, roster: roster.clone(), ..Threads::default() };
    let view = View::new("final round robins", 0, 1, &games.played, common);
    let written = pool(common)?.install(|| run::write_report(&args.run, &roster, &mut games)).map_err(failure);
    view.finish();
    let Some((run, found)) = written? else {
        return Err(anyhow!("interrupted; nothing was written"));
    };
    let events = args.tensorboard.as_ref().map(|folder| write_events(&run, folder)).transpose().map_err(failure)?;
    conclude(&args.run, run.lab(), (run.log().len() as u32, run.end()), &found, common)?;
    match events {
        Some(path) if !common.json => output::line(format_args!("events:   {}", path.display())),
        _ => Ok(()),
    }
}

/// The roster of commands that only read runs, in which their pools do not play: no program is started.
pub(super) fn readers() -> Roster {
    Roster::default().with_programs(Hosting { trust: true, ..Hosting::default() })
}

/// A run as it is now.
pub(super) fn snapshot(folder: &Path) -> Result<Snapshot> {
    Snapshot::read(folder, &readers()).map_err(failure)
}
