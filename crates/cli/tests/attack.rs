//! The short form of `cargo xtask attack`: a few of its hostile programs, kills, damaged files and mutated inputs, others on
//! every day.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use turncoat_attack::{Findings, Target, corruptions, inputs, kills, programs};

/// The seed of the day, or that of a day before.
fn seed() -> u64 {
    let given = std::env::var("TURNCOAT_ATTACK_SEED").ok().and_then(|seed| seed.parse().ok());
    let today = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
    given.unwrap_or_else(today)
}

fn target() -> Target {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = std::env::var_os("TURNCOAT_PYTHON").map_or_else(own, PathBuf::from);
    assert!(python.exists(), "no Python for these tests: `cargo xtask setup` makes one");
    Target::new(Path::new(env!("CARGO_BIN_EXE_turncoat")), &python, seed()).unwrap()
}

fn none_wrong(findings: anyhow::Result<Findings>) {
    let wrong = findings.unwrap().wrong;
    assert!(wrong.is_empty(), "TURNCOAT_ATTACK_SEED={}: {wrong:#?}", seed());
}

#[test]
fn hostile_programs_get_nowhere() {
    if std::env::var("TURNCOAT_SKIP").is_ok_and(|skip| skip.contains("sandbox")) {
        eprintln!("not run: TURNCOAT_SKIP names sandbox");
        return;
    }
    none_wrong(programs::run(&target(), 16, &mut |_, _| {}));
}

#[test]
fn killed_runs_are_resumed() {
    none_wrong(kills::run(&target(), 20, &mut |_, _| {}));
}

#[test]
fn damaged_files_are_refused() {
    none_wrong(corruptions::run(&target(), 100, &mut |_, _| {}));
}

#[test]
fn mutated_inputs_are_read_or_refused() {
    none_wrong(inputs::run(seed(), 4000, &mut |_, _| {}));
}
