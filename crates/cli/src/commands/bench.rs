//! `bench`: the signature. Fixed positions of both games, one thread, fixed depth: one node count, which
//! changes only when the search or its evaluation does.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_players::{Limits, Setting, Spec};

use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// Positions of each game.
const POSITIONS: u64 = 12;
const DEPTH: u32 = 12;

#[derive(Serialize)]
struct Signature {
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(common: &Common) -> Result<()> {
    let limited = common.depth.is_some() || common.time.is_some();
    if limited || common.threads.is_some() || common.hash.is_some() {
        return Err(misuse(
            "the signature is that of fixed searches: --depth, --time, --threads and --hash have no meaning here",
        ));
    }
    let started = Instant::now();
    let nodes = signature()?;
    let seconds = started.elapsed().as_secs_f64();
    if common.json {
        return output::json(&Signature { nodes, seconds });
    }
    let rate = nodes as f64 / seconds / 1e6;
    output::line(format_args!("{nodes} nodes, {seconds:.2} s, {rate:.1} million nodes a second"))
}

/// The positions that all searches visit together.
pub(super) fn signature() -> Result<u64> {
    let mut nodes = 0;
    for variant in VariantKind::BOTH {
        let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
        for number in 0..POSITIONS {
            let mut player = format!("turncoat:depth={DEPTH}").parse::<Spec>()?.build(setting)?;
            let info = player.choose(position(number), &Limits::default(), &mut |_| {})?;
            nodes += info.map_or(0, |info| info.nodes);
        }
    }
    Ok(nodes)
}

/// A position after 6 to 50 plies of a game in which each move is the n-th by a fixed rule.
fn position(number: u64) -> Position {
    let start = Position::start(Geometry::EIGHT);
    let choose = |position: Position, ply: usize| {
        let moves = position.legal_moves();
        moves.into_iter().nth((ply * 7 + number as usize * 5) % moves.count() as usize)
    };
    start.playout(choose).take(6 + number as usize * 4 + 1).last().unwrap_or(start)
}
