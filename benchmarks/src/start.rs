//! `cargo xtask bench start`: how long the program takes to its first move with the trained evaluation, and how
//! much memory it then has.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::argument;
use crate::machine::best_and_median;
use crate::program::turncoat;

/// The cost of one start.
struct Start {
    /// Wall-clock milliseconds from the start to the first move.
    wall: f64,
    /// Milliseconds of processor time until then.
    processor: f64,
    /// The most memory resident until then, in megabytes.
    resident: f64,
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let rounds: usize = argument(words, 0, 21)?;
    let binary = turncoat()?;
    println!("| game | wall ms: best | median | CPU ms: best | median | peak resident MB |\n|---|---|---|---|---|---|");
    for variant in ["reversed", "reversi"] {
        let starts: Vec<Start> = (0..rounds).map(|_| start(&binary, variant)).collect::<Result<_>>()?;
        let spread = |time: fn(&Start) -> f64| best_and_median(&mut starts.iter().map(time).collect::<Vec<_>>());
        let (wall, processor) = (spread(|start| start.wall), spread(|start| start.processor));
        let resident = starts.iter().fold(0.0, |most: f64, start| most.max(start.resident));
        println!(
            "| {variant} | {:.0} | {:.0} | {:.0} | {:.0} | {resident:.1} |",
            wall.0, wall.1, processor.0, processor.1
        );
    }
    Ok(())
}

/// The start of a Reversi game, black to move.
const POSITION: &str = "---------------------------OX------XO---------------------------";

/// Starts the program as an engine with a table of 32 MiB, and asks it for a move at depth 1.
fn start(binary: &Path, variant: &str) -> Result<Start> {
    let before = Instant::now();
    let mut engine = Command::new(binary)
        .args(["engine", "line", "--variant", variant, "--depth", "1"])
        .args(["--hash", "32"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = engine.stdin.take().context("no input")?;
    let stdout = engine.stdout.take().context("no output")?;
    writeln!(stdin, "{POSITION} X")?;
    let mut answer = String::new();
    BufReader::new(stdout).read_line(&mut answer)?;
    let wall = before.elapsed().as_secs_f64() * 1000.0;
    let process = Path::new("/proc").join(engine.id().to_string());
    let status = fs::read_to_string(process.join("status"))?;
    let processor = processor_ms(&process)?;
    drop(stdin);
    engine.wait()?;
    if answer.trim().len() != 2 {
        bail!("it answered {answer:?}");
    }
    let resident: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
        .and_then(|kibibytes| kibibytes.parse().ok())
        .context("the system does not tell memory")?;
    Ok(Start { wall, processor, resident: resident * 1024.0 / 1e6 })
}

/// Milliseconds of processor time of all threads of a process.
fn processor_ms(process: &Path) -> Result<f64> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir(process.join("task"))? {
        let told = fs::read_to_string(thread?.path().join("schedstat"))?;
        let used = told.split(' ').next().and_then(|used| used.parse().ok());
        nanoseconds += used.unwrap_or(0.0);
    }
    Ok(nanoseconds / 1e6)
}
