//! `train testset`: positions of strong play with exact scores, on which evaluations are compared.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use turncoat_players::StopFlag;
use turncoat_record::obf::ScoredPosition;
use turncoat_train::testset::{TestsetError, TestsetFile, TestsetPlan, TestsetWorker};

use super::lab::Bar;
use super::{to_resume, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train testset`
#[derive(Debug, Args)]
pub(super) struct TestsetArgs {
    /// The new file
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Resume the test set in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "games", "level", "empties"])]
    resume: Option<PathBuf>,
    /// Games to take positions from
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Level of both players
    #[arg(long, value_name = "LEVEL", default_value_t = 13, value_parser = clap::value_parser!(u8).range(1..=20))]
    level: u8,
    /// Numbers of empty squares at which a position of each game is taken
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10,12,14,16,18,20,22")]
    empties: Vec<u32>,
}

impl TestsetArgs {
    /// Whether a test set begins rather than continues.
    pub(super) const fn is_new(&self) -> bool {
        self.resume.is_none()
    }
}

pub(super) fn run(args: &TestsetArgs, common: &Common) -> Result<()> {
    use_threads(common)?;
    let (path, opened) = match (&args.out, &args.resume) {
        (_, Some(path)) => (path, TestsetFile::resume(path)),
        (Some(path), None) => {
            let empties = args.empties.iter().copied().collect();
            let plan = TestsetPlan::new(common.variant(), args.games, common.seed(), args.level, empties);
            (path, TestsetFile::create(path, plan.map_err(misuse)?))
        }
        (None, None) => return Err(misuse("--out FILE or --resume FILE is needed")),
    };
    let mut file = opened.map_err(failure)?;
    let plan = file.plan().clone();
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let bar = Bar::new(plan.games, "games", "{msg}, {elapsed}, {eta} left", common);
    bar.set_position(file.next());
    bar.reset_eta();
    // As many games as there are threads at a time: what a stop loses is little.
    let threads = rayon::current_num_threads() as u64;
    while file.next() < plan.games {
        let numbers = file.next()..plan.games.min(file.next() + threads);
        let played: Vec<Option<Vec<ScoredPosition>>> =
            numbers.into_par_iter().map(|number| play(&plan, number, &stop)).collect::<Result<_>>()?;
        for game in played {
            let Some(positions) = game else {
                bail!("stopped after {} games; {}", file.next(), to_resume("testset", path));
            };
            file.append(&positions).map_err(failure)?;
            bar.set_message(format!("{} positions", file.positions()));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let positions = file.positions();
    if common.json {
        return output::json(&json!({
            "summary": true, "file": path, "games": plan.games, "positions": positions,
        }));
    }
    output::line(format!("{positions} positions of {} games in {}", plan.games, path.display()))
}

/// The positions of a game; `None` if it was stopped.
fn play(plan: &TestsetPlan, number: u64, stop: &StopFlag) -> Result<Option<Vec<ScoredPosition>>> {
    Ok(TestsetWorker::new(plan, stop)?.positions(number)?)
}

/// What is wrong with what was asked for is a misuse; the rest is a failure.
fn failure(error: TestsetError) -> anyhow::Error {
    if error.is_misuse() { misuse(error) } else { error.into() }
}
