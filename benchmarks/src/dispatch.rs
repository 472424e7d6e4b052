//! `cargo xtask bench dispatch` and `signature`: the dispatched binary against other builds of the same sources.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::argument;
use crate::machine::best_and_median;
use crate::program::{build, json, turncoat};

/// The dispatched binary against one built for x86-64-v3 throughout, in alternating runs: seconds of `perft 11`.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let rounds: usize = argument(words, 0, 15)?;
    ensure!(rounds > 0, "at least one round is needed");
    let builds = [turncoat()?, build("TURNCOAT_V3")?];
    let mut seconds = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for step in 0..2 {
            // The first one alternates, so that neither always has the warmer machine.
            let which = (round + step) % 2;
            seconds[which].push(number(&builds[which], &["perft", "11", "--json"], "seconds")?);
        }
    }
    let [dispatched, compiled] = seconds.map(|mut times| best_and_median(&mut times));
    println!("| build | best s | median s |\n|---|---|---|");
    println!("| one binary, dispatched | {:.4} | {:.4} |", dispatched.0, dispatched.1);
    println!("| x86-64-v3 throughout | {:.4} | {:.4} |", compiled.0, compiled.1);
    println!(
        "\ndispatched / x86-64-v3: best {:.3}, median {:.3} ({rounds} rounds of perft 11)",
        dispatched.0 / compiled.0,
        dispatched.1 / compiled.1
    );
    Ok(())
}

/// The signature of the search with the vector instructions and without: it must be the same.
pub(crate) fn signature() -> Result<()> {
    let nodes = |binary: &Path| number(binary, &["bench", "--json"], "nodes");
    let plain = turncoat()?;
    let found = [nodes(&plain)?, nodes(&plain)?, nodes(&build("TURNCOAT_PORTABLE")?)?];
    println!("dispatched {}, again {}, portable {}", found[0], found[1], found[2]);
    ensure!(found[1..] == [found[0]; 2], "the signatures differ");
    Ok(())
}

fn number(binary: &Path, words: &[&str], name: &str) -> Result<f64> {
    let answer = json(Command::new(binary).args(words))?;
    answer[name].as_f64().with_context(|| format!("no {name} in {answer}"))
}
