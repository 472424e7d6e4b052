//! `cargo xtask bench team`: how much sooner several threads reach the depth that takes one thread a given time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use turncoat_board::{Position, VariantKind};
use turncoat_players::{Limits, Player, Setting, Spec, StopFlag};

use crate::argument;
use crate::positions::{congruential, noisy_position};

/// Empties of the positions: so many that no search comes to the end of the game, where selectivity ends too.
const EMPTIES: [u32; 4] = [52, 50, 48, 46];

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
            let (depth, alone, nodes) = first_long_iteration(variant, position, Duration::from_secs(seconds))?;
            let limits = Limits { depth: Some(depth), threads: Some(threads), ..Limits::default() };
            let began = Instant::now();
            let more = player(variant, position)?.choose(position, &limits, &mut |_| {})?.context("no move")?.nodes;
            let together = began.elapsed().as_secs_f64();
            let gain = alone / together;
            logarithms += gain.ln();
            let share = more as f64 / nodes as f64;
            println!("| {variant} {number} | {depth} | {alone:.1} | {together:.1} | {gain:.2} | {share:.2} |");
        }
        println!("| **{variant}, geometric mean** | | | | **{:.2}** | |", (logarithms / count as f64).exp());
    }
    Ok(())
}

fn player(variant: VariantKind, position: Position) -> Result<Box<dyn Player>> {
    let setting = Setting { variant, geometry: position.geometry(), seed: 1 };
    Ok("turncoat:hash=256,solve=0,selectivity=1".parse::<Spec>()?.build(setting)?)
}

/// The first depth that one thread needs this long to reach; how many seconds and nodes it took.
fn first_long_iteration(variant: VariantKind, position: Position, least: Duration) -> Result<(u32, f64, u64)> {
    let stop = StopFlag::default();
    let limits = Limits { depth: Some(60), threads: Some(1), stop: stop.clone(), ..Limits::default() };
    let began = Instant::now();
    let mut reached = None;
    player(variant, position)?.choose(position, &limits, &mut |found| {
        let took = began.elapsed();
        if took >= least && reached.is_none() {
            reached = Some((found.depth, took.as_secs_f64(), found.nodes));
            stop.raise();
        }
    })?;
    reached.context("one thread came to the end of the game before")
}
