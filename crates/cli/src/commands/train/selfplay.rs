//! `train selfplay`: games to learn from, in files of a few thousand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::json;
use turncoat_board::{Geometry, Square, Variant};
use turncoat_eval::Estimator;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EstimatorTask, with_evaluation};
use turncoat_train::games::write_shard;
use turncoat_train::openings::enumerated;
use turncoat_train::selfplay::{Desk, Plan, play};

use super::{RunArgs, bar, use_threads};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

pub(super) fn run(args: &RunArgs, common: &Common) -> Result<()> {
    // An evaluation that is not there is told before anything is made.
    let (folder, plan) = args.open(|plan: &Plan| {
        let variant = plan.variant.into();
        let found = || with_evaluation(&plan.evaluation, variant, Geometry::EIGHT, IsThere).err();
        plan.fault().or_else(found)
    })?;
    use_threads(common)?;
    let missing: Vec<u64> = (0..plan.shards())
        .filter(|&shard| !shard_path(&folder, shard).exists())
        .collect();
    let left: u64 = missing.iter().map(|&shard| games_in(&plan, shard)).sum();
    let bar = bar(
        plan.games,
        "{bar:30} {pos} of {len} games, {msg}, {elapsed}, {eta} left",
        common,
    );
    bar.set_position(plan.games - left);
    bar.reset_eta();
    let task = Play {
        plan: &plan,
        folder: &folder,
        missing: &missing,
        stop: signals::stop_flag().context("signals cannot be watched for")?,
        bar: &bar,
    };
    let variant = plan.variant.into();
    let began = Instant::now();
    let positions =
        with_evaluation(&plan.evaluation, variant, Geometry::EIGHT, task).map_err(misuse)??;
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    if common.json {
        return output::json(&json!({
            "summary": true, "games": plan.games, "played": left, "positions": positions, "seconds": seconds,
        }));
    }
    output::line(format!(
        "{left} games, {positions} positions in {seconds:.1} s: {:.0} games a second; in {}",
        left as f64 / seconds.max(1e-9),
        folder.display()
    ))
}

fn shard_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join(format!("{shard:06}.games"))
}

fn games_in(plan: &Plan, shard: u64) -> u64 {
    let games = plan.games_of(shard);
    games.end - games.start
}

struct IsThere;

impl EstimatorTask for IsThere {
    type Output = ();

    fn run<V: Variant, E: Estimator + 'static>(self, _variant: V, _estimator: E) {}
}

struct Play<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    missing: &'a [u64],
    stop: StopFlag,
    bar: &'a ProgressBar,
}

impl EstimatorTask for Play<'_> {
    type Output = Result<u64>;

    fn run<V: Variant, E: Estimator + 'static>(self, variant: V, estimator: E) -> Result<u64> {
        let openings = enumerated(self.plan.enumerated_plies);
        let positions = AtomicU64::new(0);
        let began = Instant::now();
        let played = self.missing.iter().map(|&shard| {
            self.shard(variant, &estimator, &openings, shard, |new| {
                let all = positions.fetch_add(new, Ordering::Relaxed) + new;
                let each_second = all as f64 / began.elapsed().as_secs_f64();
                self.bar
                    .set_message(format!("{each_second:.0} positions/s"));
                self.bar.inc(1);
            })
        });
        // One file after the other: the games of each go to all threads, and little is lost by a stop.
        played.collect::<Result<Vec<()>>>()?;
        Ok(positions.into_inner())
    }
}

impl Play<'_> {
    /// Plays the games of one file and puts it in its place.
    fn shard<V: Variant, E: Estimator>(
        &self,
        variant: V,
        estimator: &E,
        openings: &[Vec<Square>],
        shard: u64,
        played: impl Fn(u64) + Sync,
    ) -> Result<()> {
        let games = self
            .plan
            .games_of(shard)
            .into_par_iter()
            .map_init(Desk::new, |desk, number| {
                if self.stop.is_raised() {
                    bail!("stopped; go on with --resume {}", self.folder.display());
                }
                let desk = desk.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
                let game = play(variant, estimator, self.plan, openings, number, desk);
                played(game.plies.len() as u64);
                Ok(game)
            })
            .collect::<Result<Vec<_>>>()?;
        let path = shard_path(self.folder, shard);
        let part = path.with_extension("part");
        let bytes = write_shard(V::KIND, &games);
        fs::write(&part, bytes).with_context(|| part.display().to_string())?;
        fs::rename(&part, &path).with_context(|| path.display().to_string())
    }
}
