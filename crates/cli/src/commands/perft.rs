//! `perft`: leaf counts.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use turncoat_board::isa::Backend;
use turncoat_board::perft_with;

use super::read_position;
use crate::args::{Common, PerftArgs};
use crate::failure::misuse;
use crate::output;

#[derive(Serialize)]
struct Counted {
    depth: u32,
    leaves: u64,
    seconds: f64,
}

pub(super) fn run(args: &PerftArgs, common: &Common) -> Result<()> {
    let position = read_position(&args.from, common)?.position();
    let backend = match &args.backend {
        None => Backend::best(),
        Some(name) => Backend::from_name(name).ok_or_else(|| {
            let names: Vec<_> = Backend::all().iter().map(|b| b.name()).collect();
            misuse(format!("this machine has no backend {name:?}: it has {}", names.join(", ")))
        })?,
    };
    let started = Instant::now();
    let leaves = perft_with(backend, position.board(), position.geometry(), args.plies);
    let counted = Counted { depth: args.plies, leaves, seconds: started.elapsed().as_secs_f64() };
    if common.json {
        return output::json(&counted);
    }
    if common.quiet {
        return output::line(leaves);
    }
    let rate = leaves as f64 / counted.seconds.max(1e-9) / 1e6;
    output::line(format_args!(
        "depth {}: {leaves} leaves in {:.3} s, {rate:.1} million a second ({})",
        counted.depth,
        counted.seconds,
        backend.name()
    ))
}
