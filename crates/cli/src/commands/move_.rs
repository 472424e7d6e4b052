//! `move`: the chosen move alone.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use turncoat_api::ScoredMove;
use turncoat_arena::Control;
use turncoat_board::{Game, Position};
use turncoat_players::{Limits, Player, StopFlag, Turn, candidate_list};
use turncoat_search::Budget;

use super::{read_position, signals};
use crate::args::{Common, MoveArgs};
use crate::failure::misuse;
use crate::output;

/// The JSON object of a candidate list.
#[derive(Serialize)]
struct Candidates {
    candidates: Vec<String>,
}

/// Shows a player the game before it is asked about its position.
pub(super) fn show(player: &mut dyn Player, game: &Game, clock: Option<Duration>, common: &Common) -> Result<()> {
    player.prepare(&Turn {
        game,
        move_time: common.time,
        game_time: clock,
        grace: Control::GRACE,
        stop: &StopFlag::default(),
    })?;
    Ok(())
}

pub(super) fn run(args: &MoveArgs, common: &Common) -> Result<()> {
    let game = read_position(&args.position, common)?;
    let position = game.position();
    if position.is_over() {
        return Err(misuse("the game is over: there is no move to choose"));
    }
    let spec = common.tuned(args.host.roster(None).parse(&args.player).map_err(misuse)?);
    let mut player = spec.build(common.setting_of(&game)).map_err(misuse)?;
    show(player.as_mut(), &game, args.clock, common)?;
    // A signal ends the search; what was best so far is the answer.
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let limits = Limits { stop: stop.clone(), ..limits(args, common, position) };
    if args.candidates {
        let list = candidate_list(player.as_mut(), position, &limits)?;
        let candidates: Vec<_> = list.iter().map(|&square| position.geometry().label(square)).collect();
        let line = candidates.join(" ");
        return if common.json { output::json(&Candidates { candidates }) } else { output::line(line) };
    }
    let started = Instant::now();
    let info = player.choose(position, &limits, &mut |info| {
        if common.verbose {
            let label = position.geometry().label(info.best);
            let _ = writeln!(io::stderr(), "depth {}: {label}, {:.3?}", info.depth, started.elapsed());
        }
    })?;
    let chosen = ScoredMove::new(info.as_ref(), position.geometry(), started.elapsed().as_secs_f64());
    if common.json {
        output::json(&chosen)?;
    } else {
        output::line(chosen.label)?;
    }
    uninterrupted(&stop)
}

/// Says that a search was cut short, if it was.
pub(super) fn uninterrupted(stop: &StopFlag) -> Result<()> {
    if stop.is_raised() {
        bail!("interrupted: this is the best found so far");
    }
    Ok(())
}

/// How long the player may think.
fn limits(args: &MoveArgs, common: &Common, position: Position) -> Limits {
    let limits = common.limits();
    let Some(remaining) = args.clock else {
        return limits;
    };
    let budget = Budget {
        remaining,
        increment: args.increment.unwrap_or_default(),
        moves_to_go: args.moves_to_go,
        move_limit: common.time,
    };
    limits.with_game(budget, position.empties())
}
