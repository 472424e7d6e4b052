//! `train selfplay`: games to learn from, in files of a few thousand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::ProgressBar;
use serde_json::json;
use turncoat_board::Variant;
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};
use turncoat_train::selfplay::{Selfplay, SelfplayPlan, SelfplayRun};

use super::lab::Bar;
use super::{RunArgs, folder_failure, to_resume, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<()> {
    let folder = match (&args.file, &args.out, &args.resume) {
        (_, _, Some(folder)) => SelfplayRun::resume(folder),
        (Some(file), Some(folder), None) => SelfplayRun::create(file, folder),
        _ => return Err(misuse("a settings file and --out DIR are needed")),
    };
    let folder = folder.map_err(folder_failure)?;
    let plan = folder.plan();
    use_threads(common)?;
    let missing = folder.missing();
    let left: u64 = missing.iter().map(|&shard| games_in(plan, shard)).sum();
    let bar = Bar::new(plan.games, "games", "{msg}, {elapsed}, {eta} left", common);
    bar.set_position(plan.games - left);
    bar.reset_eta();
    let task = Play {
        folder: &folder,
        missing: &missing,
        stop: signals::stop_flag().context("cannot handle signals")?,
        bar: &bar,
    };
    let variant = plan.variant;
    let began = Instant::now();
    let positions = with_evaluation(&plan.evaluation, variant, plan.size, task).map_err(misuse)??;
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    if common.json {
        return output::json(&json!({
            "summary": true, "games": plan.games, "played": left, "positions": positions, "seconds": seconds,
        }));
    }
    if left == 0 {
        return output::line(format!("all {} games are there already, in {}", plan.games, folder.path().display()));
    }
    output::line(format!(
        "{left} games, {positions} positions in {seconds:.1} s: {:.0} games a second; in {}",
        left as f64 / seconds.max(1e-9),
        folder.path().display()
    ))
}

fn games_in(plan: &SelfplayPlan, shard: u64) -> u64 {
    let games = plan.games_of(shard);
    games.end - games.start
}

struct Play<'a> {
    folder: &'a SelfplayRun,
    missing: &'a [u64],
    stop: StopFlag,
    bar: &'a ProgressBar,
}

impl EvaluationTask for Play<'_> {
    type Output = Result<u64>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Result<u64> {
        let selfplay = Selfplay::new(self.folder.plan(), variant, &evaluation).map_err(misuse)?;
        let positions = AtomicU64::new(0);
        let began = Instant::now();
        // One file after the other: the games of each go to all threads, and little is lost by a stop.
        for &shard in self.missing {
            let games = selfplay.play_all(self.folder.plan().games_of(shard), &self.stop, |game| {
                let new = game.plies.len() as u64;
                let all = positions.fetch_add(new, Ordering::Relaxed) + new;
                let each_second = all as f64 / began.elapsed().as_secs_f64();
                self.bar.set_message(format!("{each_second:.0} positions/s"));
                self.bar.inc(1);
            });
            let Some(games) = games.map_err(|error| anyhow!("{error}"))? else {
                bail!("stopped; {}", to_resume("selfplay", self.folder.path()));
            };
            self.folder.keep(shard, &games)?;
        }
        Ok(positions.into_inner())
    }
}
