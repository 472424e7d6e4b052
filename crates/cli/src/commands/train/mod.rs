//! `train`: the lab.

mod compare;
mod genetic;
mod lab;
mod measure;
mod numbers;
mod openings;
mod patterns;
mod probcut;
mod rate;
mod replicate;
mod reproduce;
mod rounds;
mod selfplay;
mod show;
mod sweep;
mod testset;
mod tune;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turncoat_train::run_folder::{FolderError, RunFolder, RunKind, settings};
use turncoat_util::shell::quote;

pub(crate) use self::reproduce::ReproduceArgs;
pub(super) use self::reproduce::run as reproduce;
use crate::args::Common;
use crate::failure::misuse;

/// `train`
#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Play games to learn from
    #[command(after_help = "Example: turncoat train selfplay experiments/patterns/selfplay.toml --out runs/games")]
    Selfplay(RunArgs),
    /// Learn the weights of the pattern evaluation from games
    #[command(after_help = "Example: turncoat train patterns experiments/patterns/patterns.toml --out runs/weights")]
    Patterns(RunArgs),
    /// Train weights from nothing: rounds of games and fitting, each tested against the best so far
    #[command(after_help = "Examples:\n  turncoat train loop --variant reversed --minutes 30 --out runs/loop\n  \
                      turncoat train loop --games 20000 --rounds 3 --out runs/same\n  \
                      turncoat train loop --resume runs/loop")]
    Loop(rounds::LoopArgs),
    /// Fit the error model of probability cuts to an evaluation
    #[command(after_help = "Example: turncoat train probcut --eval gene45 --out weights/probcut-gene45-reversed.toml")]
    Probcut(probcut::ProbcutArgs),
    /// Evolve the parameters of a classic player, as an experiment file says
    #[command(after_help = "Examples:\n  turncoat train genetic experiments/smoke.toml --out runs/first\n  \
                      turncoat train genetic experiments/smoke.toml --set algorithm.population=20 --out runs/small\n  \
                      turncoat train genetic --resume runs/first\n  \
                      turncoat train genetic --resume runs/first --generations 100")]
    Genetic(genetic::GeneticArgs),
    /// Show how far a run is, or all runs of a folder, at any moment, or any individual of a genetic run
    #[command(after_help = "Examples:\n  turncoat train show runs/first\n  turncoat train show runs\n  \
                      turncoat train show runs/first --generation 40 --rank 17 --out w.toml")]
    Show(show::ShowArgs),
    /// Write the report and the champion of a genetic run, or what several runs have come to, at any moment
    #[command(after_help = "Examples:\n  turncoat train report runs/first\n  \
                      turncoat train report runs/first --tensorboard runs/first/events")]
    Report(genetic::ReportArgs),
    /// Play generations of a genetic run against any player: a table and a curve, after the fact
    #[command(after_help = "Examples:\n  turncoat train rate runs/first --against gene45:depth=1\n  \
                      turncoat train rate runs/first --against random --games 6 --plies 0 --from saved\n  \
                      turncoat train rate runs/first --against turncoat:level=3 --generations 1,10..60:10 --games 200")]
    Rate(rate::RateArgs),
    /// Run a genetic experiment with several seeds: means and standard errors, as a table and as curves
    #[command(after_help = "Examples:\n  \
                      turncoat train replicate experiments/mode-2.toml --seeds 1..10 --out runs/mode-2\n  \
                      turncoat train replicate --resume runs/mode-2")]
    Replicate(replicate::ReplicateArgs),
    /// Run a genetic experiment with several values of some settings, in all combinations, each with several seeds
    #[command(after_help = "Examples:\n  \
                      turncoat train sweep experiments/smoke.toml --set algorithm.mutation=0.005,0.01,0.02 --seeds 1..3 \
                      --out runs/mutations\n  \
                      turncoat train sweep --resume runs/mutations")]
    Sweep(sweep::SweepArgs),
    /// The last populations of genetic runs against each other: games won by the rows as black
    #[command(
        after_help = "A folder of train replicate stands for all its runs: then cells are means and standard errors.\n\
                      Example: turncoat train compare runs/mode-1 runs/mode-2 runs/mode-3"
    )]
    Compare(compare::CompareArgs),
    /// Tune the options or weights of a player by games against itself (SPSA)
    #[command(after_help = "Examples:\n  turncoat train tune experiments/tuning/gene45.toml --out runs/tuned\n  \
                      turncoat train tune --resume runs/tuned")]
    Tune(RunArgs),
    /// Measure an evaluation against exact scores, of its own games or of a file of positions
    #[command(after_help = "Examples:\n  turncoat train measure --eval patterns --games 1000\n  \
                      turncoat train measure --eval hand --positions experiments/testsets/reversed.obf")]
    Measure(measure::MeasureArgs),
    /// Make a test set: positions of strong play with exact scores
    #[command(after_help = "Examples:\n  turncoat train testset --variant reversi --out mine.obf\n  \
                      turncoat train testset --resume mine.obf")]
    Testset(testset::TestsetArgs),
    /// Find balanced openings
    #[command(after_help = "Example: turncoat train openings --variant reversi --count 100 > mine.txt")]
    Openings(openings::OpeningsArgs),
}

/// A run in its folder.
#[derive(Debug, Args)]
struct RunArgs {
    /// The settings file
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    file: Option<PathBuf>,
    /// A new folder for the run
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Resume the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "out"])]
    resume: Option<PathBuf>,
}

pub(super) fn run(args: &TrainArgs, common: &Common) -> Result<()> {
    match &args.what {
        What::Selfplay(args) => {
            refuse_unused(common, "selfplay", &[], &["variant", "size", "depth", "seed"])?;
            selfplay::run(args, common)
        }
        What::Openings(args) => {
            refuse_unused(common, "openings", &["variant", "depth", "seed"], &[])?;
            openings::run(args, common)
        }
        What::Patterns(args) => {
            refuse_unused(common, "patterns", &[], &["variant", "size"])?;
            patterns::run(args, common)
        }
        What::Loop(args) => {
            let (used, in_file): (&[&str], &[&str]) = (&["variant", "size", "depth", "seed"], &[]);
            let (used, in_file) = if args.is_new() { (used, in_file) } else { (in_file, used) };
            refuse_unused(common, "loop", used, in_file)?;
            rounds::run(args, common)
        }
        What::Probcut(args) => {
            refuse_unused(common, "probcut", &["variant", "size", "seed"], &[])?;
            probcut::run(args, common)
        }
        What::Genetic(args) => {
            let seed: &[&str] = if args.is_new() { &["seed"] } else { &[] };
            refuse_unused(common, "genetic", seed, &["variant", "size", "depth", "seed"])?;
            genetic::run(args, common)
        }
        What::Show(args) => {
            refuse_unused(common, "show", &[], &["variant", "size", "depth", "seed"])?;
            show::run(args, common)
        }
        What::Report(args) => {
            refuse_unused(common, "report", &[], &["variant", "size", "depth", "seed"])?;
            genetic::report(args, common)
        }
        What::Rate(args) => {
            refuse_unused(common, "rate", &["seed"], &["variant", "size", "depth"])?;
            rate::run(args, common)
        }
        What::Replicate(args) => {
            refuse_unused(common, "replicate", &[], &["variant", "size", "depth"])?;
            replicate::run(args, common)
        }
        What::Sweep(args) => {
            refuse_unused(common, "sweep", &[], &["variant", "size", "depth"])?;
            sweep::run(args, common)
        }
        What::Compare(args) => {
            refuse_unused(common, "compare", &["seed"], &["variant", "size", "depth"])?;
            compare::run(args, common)
        }
        What::Tune(args) => {
            refuse_unused(common, "tune", &[], &["variant", "size", "depth", "seed", "time", "hash"])?;
            tune::run(args, common)
        }
        What::Measure(args) => {
            let used: &[&str] = if args.plays() { &["variant", "size", "seed"] } else { &["variant", "size"] };
            refuse_unused(common, "measure", used, &[])?;
            measure::run(args, common)
        }
        What::Testset(args) => {
            let used: &[&str] = if args.is_new() { &["variant", "seed"] } else { &[] };
            refuse_unused(common, "testset", used, if args.is_new() { &[] } else { &["variant", "seed"] })?;
            testset::run(args, common)
        }
    }
}

/// Refuses the options that a command does not use: those that the run's file decides, and those that mean nothing to it.
fn refuse_unused(common: &Common, command: &str, used: &[&str], in_file: &[&str]) -> Result<()> {
    let options = [
        ("variant", common.variant.is_some()),
        ("size", common.size.is_some()),
        ("depth", common.depth.is_some()),
        ("seed", common.seed.is_some()),
        ("time", common.time.is_some()),
        ("hash", common.hash.is_some()),
    ];
    let unused = options.into_iter().find(|(option, given)| *given && !used.contains(option));
    Err(misuse(match unused {
        None => return Ok(()),
        Some((option, _)) if in_file.contains(&option) => {
            format!("--{option} has no effect on train {command}: the file of the run decides it")
        }
        Some(("size", _)) => format!("--size has no effect on train {command}: it is for 8x8 alone"),
        Some((option, _)) => format!("--{option} has no effect on train {command}"),
    }))
}

/// How a stopped run is resumed.
fn to_resume(command: &str, folder: &Path) -> String {
    format!("to resume:\n  turncoat train {command} --resume {}", quote(&folder.display().to_string()))
}

impl RunArgs {
    /// The folder and settings of a run: a new one, or one to resume.
    fn open<S: DeserializeOwned + Serialize>(
        &self,
        kind: RunKind,
        check: impl Fn(&S) -> Option<String>,
    ) -> Result<(RunFolder, S)> {
        match (&self.file, &self.out, &self.resume) {
            (_, _, Some(folder)) => settings::resume(folder, kind, check),
            (Some(file), Some(folder), None) => settings::create(file, folder, kind, check),
            _ => return Err(misuse("a settings file and --out DIR are needed")),
        }
        .map_err(folder_failure)
    }
}

/// Settings that make no sense are a misuse; the rest is a failure.
fn folder_failure(error: FolderError) -> anyhow::Error {
    if error.is_misuse() { misuse(error) } else { error.into() }
}

/// As many threads as asked for; all cores if not.
fn use_threads(common: &Common) -> Result<()> {
    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .context("cannot start threads")?;
    }
    Ok(())
}
