//! `cargo xtask fuzz`: libFuzzer on the parsers.
//!
//! The targets are instrumented with compiler options that the pinned toolchain has. A nightly toolchain,
//! where there is one, adds the address sanitizer.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::shell::{self, output, root, target};

/// Edge coverage with comparison tracing, as libFuzzer wants it.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

const TARGETS: &[&str] = &[
    "position",
    "transcript",
    "obf",
    "diagram",
    "input",
    "spec",
    "parameters",
    "openings",
    "sprt",
    "ggf",
    "wthor",
    "chess_log",
    "line",
    "gtp",
    "nboard",
    "botzone",
    "course",
    "experiment",
    "weights",
    "network",
    "shard",
];

fn run_targets(targets: &[&str], runs: u64) -> Result<()> {
    // Without a target triple the flags would reach build scripts too.
    let host = output(Command::new("rustc").arg("-vV"))?;
    let Some(triple) = host.lines().find_map(|line| line.strip_prefix("host: ")) else {
        bail!("rustc -vV names no host");
    };
    let nightly = output(Command::new("rustc").args(["+nightly", "--version"])).is_ok();
    let folder = target().join("fuzz");
    let mut build = Command::new("cargo");
    let mut flags = COVERAGE.to_owned();
    if nightly {
        build.arg("+nightly");
        flags.push_str(" -Zsanitizer=address");
    }
    build.args(["build", "--release", "--package", "turncoat-fuzz", "--features", "libfuzzer", "--bins"]);
    build.args(["--target", triple, "--target-dir"]).arg(&folder);
    // The toolchain of this run would win over `+nightly`.
    build.env_remove("RUSTUP_TOOLCHAIN").env("RUSTFLAGS", flags).current_dir(root());
    shell::run(&mut build)?;
    for target in targets {
        let corpus = root().join("fuzz").join("corpus").join(target);
        let found = root().join("fuzz").join("found").join(target);
        let artifacts = root().join("fuzz").join("artifacts").join(target);
        fs::create_dir_all(&found)?;
        fs::create_dir_all(&artifacts)?;
        let program = folder.join(triple).join("release").join(target);
        shell::run(
            Command::new(program)
                .arg(format!("-runs={runs}"))
                .arg(format!("-artifact_prefix={}/", artifacts.display()))
                .args(["-max_len=512", "-print_final_stats=1", "-rss_limit_mb=1024"])
                // The C code of a dependency is linked into every target, and the address sanitizer takes
                // its own bookkeeping of it for a doubled definition.
                .env("ASAN_OPTIONS", "detect_odr_violation=0")
                .arg(&found)
                .arg(&corpus),
        )?;
    }
    Ok(())
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (targets, runs) = match words {
        [] => (TARGETS.to_vec(), "10000000"),
        [target] => (vec![*target], "10000000"),
        [target, runs] => (vec![*target], *runs),
        _ => bail!("fuzz takes a target and a number of runs"),
    };
    let targets = if targets == ["all"] { TARGETS.to_vec() } else { targets };
    for target in &targets {
        ensure!(TARGETS.contains(target), "no target is called {target:?}: there are {}", TARGETS.join(", "));
    }
    run_targets(&targets, runs.parse()?)
}
