//! `cargo xtask attack`: hostile programs, kills, damaged files, mutated inputs and bad requests.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::setup;
use crate::shell::{self, cargo, target};

/// The bad requests of the long run.
const REQUESTS: u64 = 20_000;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (seed, length) = arguments(words)?;
    setup::run()?;
    // The whole workspace, as the tests build it: a single package has other features, and would be built anew.
    shell::run(&mut cargo(["build", "--release", "--locked", "--workspace", "--bins"]))?;
    let built = |name: &str| target().join("release").join(name);
    let mut attack = Command::new(built("turncoat-attack"));
    attack.arg(built("turncoat")).arg(setup::python()?).args([seed.to_string(), length.to_string()]);
    let attacked = shell::run(&mut attack);
    let mut requests = cargo(["test", "--release", "--locked", "--workspace", "--test", "hostile"]);
    requests.env("TURNCOAT_ATTACK_SEED", seed.to_string());
    requests.env("TURNCOAT_ATTACK_REQUESTS", (REQUESTS * length).div_ceil(100).to_string());
    shell::run(&mut requests)?;
    println!("bad requests: {} tried, 0 wrong", (REQUESTS * length).div_ceil(100));
    attacked
}

/// The seed, and the length in percent of the long run.
fn arguments(words: &[&str]) -> Result<(u64, u64)> {
    let (mut seed, mut length) = (1, 100);
    for pair in words.chunks(2) {
        let [name, value] = pair else { bail!("{} needs a number", pair[0]) };
        let number = value.parse().with_context(|| format!("{value} is not a number"))?;
        match *name {
            "--seed" => seed = number,
            "--length" => length = number,
            _ => bail!("attack takes --seed and --length, not {name}"),
        }
    }
    ensure!((1..=10_000).contains(&length), "--length is a share of the long run in percent, 1 to 10000");
    Ok((seed, length))
}
