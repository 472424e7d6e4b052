//! `train openings`: balanced beginnings of games, found by drawing random plies and judging what comes of them.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use turncoat_arena::{Openings, Source};
use turncoat_board::Game;
use turncoat_players::{Limits, Spec};
use turncoat_record::transcript;

use super::lab::Bar;
use super::use_threads;
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train openings`
#[derive(Debug, Args)]
pub(super) struct OpeningsArgs {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    count: u64,
    /// Random plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: u32,
    /// Largest lead in discs that counts as balanced
    #[arg(long, value_name = "DISCS", default_value_t = 1.0)]
    within: f64,
}

/// How far it looks ahead unless `--depth` says otherwise.
const DEPTH: u32 = 12;
/// Openings drawn before it looks whether there are enough.
const DRAWN: u64 = 64;
/// Openings drawn for each that is wanted, before it gives up.
const TRIES: u64 = 200;
/// Times that nothing new is drawn, before it gives up.
const WITHOUT_NEW: u32 = 16;

pub(super) fn run(args: &OpeningsArgs, common: &Common) -> Result<()> {
    if !(args.within >= 0.0 && args.within <= 64.0) {
        return Err(misuse("--within is 0 to 64 discs"));
    }
    use_threads(common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let source = Source::Random { plies: args.plies };
    let openings = Openings::new(&source, common.variant(), common.geometry(), common.seed())?;
    let bar = Bar::new(args.count, "openings", "{elapsed}", common);
    let (mut seen, mut found) = (HashSet::new(), 0);
    let mut without_new = 0;
    for batch in 0..(args.count * TRIES).div_ceil(DRAWN) {
        let judged: Vec<(Game, Option<f64>)> = (batch * DRAWN..(batch + 1) * DRAWN)
            .into_par_iter()
            .map(|number| {
                let game = openings.get(number);
                Ok((game.clone(), judge(&game, common)?))
            })
            .collect::<Result<_>>()?;
        let seen_before = seen.len();
        for (game, score) in judged {
            // The same position by another way, or turned, is one opening.
            let new = seen.insert(game.position().board().canonical().0);
            let balanced = score.filter(|score| score.abs() <= args.within);
            if let Some(score) = balanced
                && new
                && found < args.count
            {
                found += 1;
                bar.set_position(found);
                tell(&game, score, common)?;
            }
        }
        without_new = if seen.len() > seen_before { 0 } else { without_new + 1 };
        if without_new == WITHOUT_NEW {
            break;
        }
        if stop.is_raised() {
            bail!("stopped after {found} openings");
        }
        if found == args.count {
            bar.finish_and_clear();
            return Ok(());
        }
    }
    bail!("only {found} openings were found: there may be no more")
}

/// What a position is worth to its mover; `None` if there is only one move, which is made without thinking.
fn judge(game: &Game, common: &Common) -> Result<Option<f64>> {
    let mut player = "turncoat:hash=4".parse::<Spec>()?.build(common.setting()).map_err(misuse)?;
    let limits = Limits { depth: Some(common.depth.unwrap_or(DEPTH)), ..Limits::default() };
    let info = player.choose(game.position(), &limits, &mut |_| {})?;
    Ok(info.and_then(|info| info.score))
}

fn tell(game: &Game, score: f64, common: &Common) -> Result<()> {
    let moves = transcript::write(game);
    if common.json { output::json(&json!({"transcript": moves, "score": score})) } else { output::line(moves) }
}
