//! `move`: the chosen move alone.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use turncoat_board::{Geometry, Move, Position};
use turncoat_players::{Limits, Thought, candidate_list};
use turncoat_search::Budget;

use super::read_position;
use crate::args::{Common, MoveArgs};
use crate::failure::misuse;
use crate::output;

/// The JSON object of a chosen move.
#[derive(Serialize)]
pub(super) struct Chosen {
    #[serde(rename = "move")]
    pub(super) label: String,
    pub(super) score: Option<f64>,
    pub(super) depth: u32,
    pub(super) exact: bool,
    nodes: u64,
    seconds: f64,
    pub(super) line: String,
}

/// The JSON object of a candidate list.
#[derive(Serialize)]
struct Candidates {
    candidates: Vec<String>,
}

impl Chosen {
    pub(super) fn new(thought: Option<&Thought>, geometry: Geometry, seconds: f64) -> Self {
        let line = thought.map_or(&[][..], |t| &t.line);
        Self {
            label: thought
                .map_or(Move::Pass, |t| Move::Place(t.best))
                .label(geometry),
            score: thought.and_then(|t| t.score),
            depth: thought.map_or(0, |t| t.depth),
            exact: thought.is_some_and(|t| t.exact),
            nodes: thought.map_or(0, |t| t.nodes),
            seconds,
            line: line
                .iter()
                .filter_map(|m| m.square())
                .map(|s| geometry.label(s))
                .collect(),
        }
    }
}

pub(super) fn run(args: &MoveArgs, common: &Common) -> Result<()> {
    let position = read_position(&args.position, common)?.position();
    if position.is_over() {
        return Err(misuse("the game is over: there is nothing to choose"));
    }
    let mut player = common.player(&args.player).map_err(misuse)?;
    let limits = limits(args, common, position);
    if args.candidates {
        let list = candidate_list(player.as_mut(), position, &limits)?;
        let candidates: Vec<_> = list
            .iter()
            .map(|&square| position.geometry().label(square))
            .collect();
        let line = candidates.join(" ");
        return if common.json {
            output::json(&Candidates { candidates })
        } else {
            output::line(line)
        };
    }
    let started = Instant::now();
    let thought = player.choose(position, &limits, &mut |thought| {
        if common.verbose {
            let label = position.geometry().label(thought.best);
            let _ = writeln!(
                io::stderr(),
                "depth {}: {label}, {:.3?}",
                thought.depth,
                started.elapsed()
            );
        }
    })?;
    let chosen = Chosen::new(
        thought.as_ref(),
        position.geometry(),
        started.elapsed().as_secs_f64(),
    );
    if common.json {
        output::json(&chosen)
    } else {
        output::line(chosen.label)
    }
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
