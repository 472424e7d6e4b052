//! `cargo xtask bench team`: how much sooner several threads reach the depth that takes one thread a given time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use turncoat_board::{Position, VariantKind};
use turncoat_players::{Limits, Setting, Spec};

use crate::argument;
use crate::positions::{congruential, noisy_position};

/// Empties of the positions: the middle game, too early for the solver.
const EMPTIES: [u32; 4] = [48, 42, 36, 32];

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let seconds = argument(words, 0, 20)?;
    let threads = argument(words, 1, 2)?;
    let count = argument(words, 2, 20_u64)?;
    println!("| | depth | one thread, s | {threads} threads, s | times as fast | nodes |");
    println!("|---|---:|---:|---:|---:|---:|");
    for variant in VariantKind::BOTH {
        let mut logarithms = 0.0;
        for number in 1..=count {
            let mut random = congruential(number);
            let empties = EMPTIES[number as usize % EMPTIES.len()];
            let position = noisy_position(variant, empties, || random() as f64 % 256.0).context("the game was over")?;
            let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
            // The iteration that the time ran out in takes at least that time from the start.
            let (depth, ..) = search(variant, position, 1, limits)?;
            let to_depth = || Limits { depth: Some(depth), ..Limits::default() };
            let (_, alone, nodes) = search(variant, position, 1, to_depth())?;
            let (_, together, more) = search(variant, position, threads, to_depth())?;
            let gain = alone / together;
            logarithms += gain.ln();
            let share = more as f64 / nodes as f64;
            println!("| {variant} {number} | {depth} | {alone:.1} | {together:.1} | {gain:.2} | {share:.2} |");
        }
        println!("| **{variant}, geometric mean** | | | | **{:.2}** | |", (logarithms / count as f64).exp());
    }
    Ok(())
}

/// The depth that a search reaches, its seconds and its nodes.
fn search(variant: VariantKind, position: Position, threads: usize, limits: Limits) -> Result<(u32, f64, u64)> {
    let setting = Setting { variant, geometry: position.geometry(), seed: 1 };
    let mut player = "turncoat:hash=256,solve=0,selectivity=1".parse::<Spec>()?.build(setting)?;
    let began = Instant::now();
    let limits = Limits { threads: Some(threads), ..limits };
    let found = player.choose(position, &limits, &mut |_| {})?.context("no move")?;
    Ok((found.depth, began.elapsed().as_secs_f64(), found.nodes))
}
