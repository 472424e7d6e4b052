//! `cargo xtask bench`: speed, measured side by side in one run, since machines are shared and noisy.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::shell::{self, cargo, output, root, target};

/// The dispatched binary against one built for x86-64-v3 throughout, in turns: seconds of `perft 11`.
pub(crate) fn dispatch(words: &[&str]) -> Result<()> {
    let rounds = rounds(words, 15)?;
    let plain = build("release", None)?;
    let v3 = build("x86-64-v3", Some("-Ctarget-cpu=x86-64-v3"))?;
    let mut seconds = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for step in 0..2 {
            // Who goes first alternates, so that neither always has the warmer machine.
            let which = (round + step) % 2;
            seconds[which].push(perft_seconds(if which == 0 { &plain } else { &v3 })?);
        }
    }
    let [dispatched, compiled] = seconds.map(|mut all| {
        all.sort_by(f64::total_cmp);
        (all[0], all[all.len() / 2])
    });
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
    let plain = build("release", None)?;
    let folder = target().join("portable");
    let mut portable =
        cargo(["build", "--release", "--locked", "--package", "turncoat", "--features", "portable", "--target-dir"]);
    shell::run(portable.arg(&folder))?;
    let nodes = |binary: &PathBuf| -> Result<String> {
        let json = output(Command::new(binary).args(["bench", "--json"]))?;
        let (nodes, _) = json.split_once(',').context("no nodes in the answer")?;
        Ok(nodes.trim_start_matches("{\"nodes\":").to_owned())
    };
    let found = [nodes(&plain)?, nodes(&plain)?, nodes(&folder.join("release").join("turncoat"))?];
    println!("dispatched {}, again {}, portable {}", found[0], found[1], found[2]);
    ensure!(found.iter().all(|nodes| *nodes == found[0]), "the signatures differ");
    Ok(())
}

/// The separate package that compares us with other people's crates.
pub(crate) fn crates(words: &[&str]) -> Result<()> {
    let rounds = rounds(words, 5)?.to_string();
    let mut command = cargo(["run", "--release", "--locked", "--bin", "perft-crates", "--", "11", "--rounds", &rounds]);
    shell::run(command.current_dir(root().join("benchmarks")))
}

/// The classic players beside the figures of their reports, on one core.
pub(crate) fn classics(words: &[&str]) -> Result<()> {
    pinned("classics", words)
}

/// What each technique of the midgame search brings, and how deep it looks in five seconds.
pub(crate) fn search(words: &[&str]) -> Result<()> {
    pinned("search", words)
}

/// How late the player answers on a busy machine.
pub(crate) fn clock(words: &[&str]) -> Result<()> {
    let folder = root().join("benchmarks");
    let run = ["run", "--release", "--locked", "--bin", "clock", "--"];
    shell::run(cargo(run).args(words).current_dir(&folder))
}

/// Runs a program of the benchmarks on one core.
fn pinned(name: &str, words: &[&str]) -> Result<()> {
    let folder = root().join("benchmarks");
    shell::run(cargo(["build", "--release", "--locked", "--bin", name]).current_dir(&folder))?;
    let built = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(_) => target(),
        None => folder.join("target"),
    };
    let program = built.join("release").join(name);
    // Pinned where that can be had, so that the scheduler does not move it about.
    let pinned = Command::new("taskset").args(["-c", "0", "true"]).status().is_ok_and(|s| s.success());
    let mut command = if pinned { Command::new("taskset") } else { Command::new(&program) };
    if pinned {
        command.args(["-c", "0"]).arg(&program);
    }
    shell::run(command.args(words))
}

/// A measurement that calls the engine itself.
pub(crate) fn figures(words: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--locked", "--package", "turncoat-figures", "--"];
    shell::run(cargo(run).args(words))
}

/// What the arena costs beside the players' own time.
pub(crate) fn arena(words: &[&str]) -> Result<()> {
    let games = rounds(words, 40)?.to_string();
    shell::run(&mut cargo([
        "run",
        "--release",
        "--locked",
        "--package",
        "turncoat-arena",
        "--example",
        "overhead",
        "--",
        &games,
    ]))
}

fn rounds(words: &[&str], default: usize) -> Result<usize> {
    let rounds = words.first().map_or(Ok(default), |word| word.parse()).context("the number of rounds")?;
    ensure!(rounds > 0, "at least one round is needed");
    Ok(rounds)
}

/// The binary, built; with other flags in a folder of its own.
pub(crate) fn build(folder: &str, flags: Option<&str>) -> Result<PathBuf> {
    let target = target();
    let target = if flags.is_some() { target.join(folder) } else { target };
    let mut command = cargo(["build", "--release", "--locked", "--package", "turncoat", "--target-dir"]);
    command.arg(&target);
    if let Some(flags) = flags {
        command.env("RUSTFLAGS", flags);
    }
    shell::run(&mut command)?;
    Ok(target.join("release").join("turncoat"))
}

fn perft_seconds(binary: &PathBuf) -> Result<f64> {
    let json = output(Command::new(binary).args(["perft", "11", "--json"]))?;
    let (_, rest) = json.split_once("\"seconds\":").context("no seconds in the answer")?;
    Ok(rest.trim().trim_end_matches('}').parse()?)
}
