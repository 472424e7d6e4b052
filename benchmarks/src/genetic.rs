//! `cargo xtask bench genetic`: how long generations of the genetic lab take, by population, depth and threads.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use rayon::{ThreadPool, ThreadPoolBuilder};
use turncoat_players::Roster;
use turncoat_train::genetic::games::{Evaluate, Threads};
use turncoat_train::genetic::run::{Run, Step};
use turncoat_train::genetic::{Lab, algorithm, fitness};

use crate::argument;
use crate::machine::{machine, root};

/// The seconds of one generation, measured several times.
struct Seconds {
    best: f64,
    median: f64,
    games: usize,
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let rounds = argument(words, 0, 15)?;
    let cores = std::thread::available_parallelism()?.get();
    println!("{}, {cores} cores; {rounds} rounds each\n", machine());
    let binary = experiment("binary-genes.toml")?;
    whole(&binary, cores, rounds)?;
    println!("\nGames of one generation of `binary-genes.toml`, {cores} threads:\n");
    println!("| population | games | best s | median s | games/s |\n|---|---|---|---|---|");
    for population in [10, 20, 30, 60, 120, 240] {
        let text = binary.replace("population = 60", &format!("population = {population}"));
        row(&population.to_string(), &generation(&text, cores, rounds)?);
    }
    println!("\nBy depth, {cores} threads:\n\n| depth | games | best s | median s | games/s |\n|---|---|---|---|---|");
    for depth in 1..=4 {
        let text = binary.replacen("depth=1", &format!("depth={depth}"), 1);
        let rounds = if depth > 2 { 3 } else { rounds };
        row(&depth.to_string(), &generation(&text, cores, rounds)?);
    }
    println!("\nBy threads:\n\n| threads | games | best s | median s | games/s |\n|---|---|---|---|---|");
    let mut threads = 1;
    while threads <= cores {
        row(&threads.to_string(), &generation(&binary, threads, rounds)?);
        threads *= 2;
    }
    println!("\nMode 2 of nine-weights' report, a generation, {cores} threads (its Table II):\n");
    println!("| population | games | best s | median s | games/s |\n|---|---|---|---|---|");
    let mode = experiment("mode-2.toml")?;
    for population in [10, 20, 30, 50] {
        let text = mode.replace("population = 30", &format!("population = {population}"));
        row(&population.to_string(), &generation(&text, cores, rounds)?);
    }
    Ok(())
}

fn experiment(name: &str) -> Result<String> {
    let path = root().join("experiments").join(name);
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

fn pool(threads: usize) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn row(name: &str, seconds: &Seconds) {
    println!(
        "| {name} | {} | {:.4} | {:.4} | {:.0} |",
        seconds.games,
        seconds.best,
        seconds.median,
        seconds.games as f64 / seconds.best
    );
}

fn sorted(mut times: Vec<f64>, games: usize) -> Seconds {
    times.sort_by(f64::total_cmp);
    Seconds { best: times[0], median: times[times.len() / 2], games }
}

/// The games of a first generation.
fn generation(text: &str, threads: usize, rounds: usize) -> Result<Seconds> {
    let lab = Lab::read(text, 1, &Roster::default())?;
    let batch = fitness::games(&lab, &algorithm::first(&lab));
    let mut games = Threads::default();
    let pool = pool(threads)?;
    let mut times = Vec::new();
    for _ in 0..rounds.max(1) {
        let started = Instant::now();
        pool.install(|| games.evaluate(&batch))?;
        times.push(started.elapsed().as_secs_f64());
    }
    Ok(sorted(times, batch.games.len()))
}

/// Whole generations as a run has them: games, yardsticks, breeding, journals and checkpoint.
fn whole(text: &str, threads: usize, rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("experiment.toml");
    fs::write(&file, text)?;
    let mut run = Run::create(&file, &[], &folder.path().join("run"), None, &Roster::default())?;
    let pool = pool(threads)?;
    let (mut times, mut games) = (Vec::new(), 0);
    for _ in 0..rounds.max(1) {
        let started = Instant::now();
        match pool.install(|| run.step(&mut Threads::default()))? {
            Step::Generation(record) => games = record.games as usize,
            other => return Err(anyhow!("the run ended: {other:?}")),
        }
        times.push(started.elapsed().as_secs_f64());
    }
    println!("A generation of `binary-genes.toml` with all that belongs to it, {threads} threads:\n");
    println!("| | games | best s | median s | games/s |\n|---|---|---|---|---|");
    row("generation", &sorted(times, games));
    Ok(())
}
