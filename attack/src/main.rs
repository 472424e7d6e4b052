//! `turncoat-attack BINARY PYTHON SEED LENGTH [KIND]`: every attack, or one kind, but the requests to the server, which `cargo xtask attack` adds.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use turncoat_attack::{Findings, Target, corruptions, inputs, kills, programs};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("attack: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ([binary, python, seed, length], only) = (words.get(..4).unwrap_or_default(), words.get(4)) else {
        bail!(
            "usage: turncoat-attack BINARY PYTHON SEED LENGTH (in percent of the long run) [inputs|corruptions|kills|programs]"
        );
    };
    let seed: u64 = seed.parse().with_context(|| format!("{seed} is not a seed"))?;
    let length: usize = length.parse().with_context(|| format!("{length} is not a length in percent"))?;
    let target = Target::new(Path::new(binary), Path::new(python), seed)?;
    let of = |long: usize| (long * length).div_ceil(100);
    // A panic is a finding, which is reported with its input.
    std::panic::set_hook(Box::new(|_| {}));
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    let mut all_well = true;
    if wanted("inputs") {
        all_well &= report("mutated inputs", of(100_000), |count, tell| inputs::run(seed, count, tell))?;
    }
    if wanted("corruptions") {
        all_well &= report("corruptions", of(1_000), |count, tell| corruptions::run(&target, count, tell))?;
    }
    if wanted("kills") {
        all_well &= report("kills", of(200), |count, tell| kills::run(&target, count, tell))?;
    }
    if wanted("programs") {
        all_well &= report("hostile programs", of(200), |count, tell| programs::run(&target, count, tell))?;
    }
    Ok(all_well)
}

/// Runs one kind of attack with progress on standard error, and prints its counts.
fn report(
    name: &str,
    count: usize,
    attack: impl FnOnce(usize, &mut dyn FnMut(usize, Option<&str>)) -> Result<Findings>,
) -> Result<bool> {
    let mut tell = |done: usize, fault: Option<&str>| {
        if let Some(fault) = fault {
            eprintln!("WRONG: {fault}");
        } else if done.is_multiple_of((count / 20).max(1)) {
            eprintln!("{name}: {done} of {count}");
        }
    };
    let findings = attack(count, &mut tell)?;
    println!("{name}: {} tried, {} wrong", findings.tried, findings.wrong.len());
    Ok(findings.wrong.is_empty())
}
