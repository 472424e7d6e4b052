//! `cargo xtask bench solver` and `threads`: the exact solver on the positions of a file.

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use turncoat_board::{Geometry, Position, Score, VariantKind};
use turncoat_players::flagship::BestSolver;
use turncoat_record::obf::{self, ScoredPosition};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, Solution};

use crate::argument;
use crate::machine::{cpu_seconds, machine};

/// Mebibytes of table.
const TABLE: usize = 512;

/// A solver for measurements.
pub(crate) fn solver(threads: usize, variant: VariantKind) -> Result<BestSolver> {
    let geometry = Geometry::EIGHT;
    Ok(BestSolver::new(TABLE, threads, variant, geometry)?)
}

/// Solves without limits.
pub(crate) fn solve(solver: &BestSolver, position: Position) -> Solution {
    solver.solve(position, Goal::Score, &Limits::default(), &|_| {})
}

pub(crate) fn entries(path: &str, count: &str) -> Result<Vec<ScoredPosition>> {
    let file = File::open(path).with_context(|| path.to_owned())?;
    let count = count.parse().context("the number of positions")?;
    let all = obf::read(BufReader::new(file), Geometry::EIGHT).map(|entry| entry.map(|(_, entry)| entry)).take(count);
    Ok(all.collect::<Result<_, _>>()?)
}

/// Nodes and processor seconds of each position, one thread, both games. The scores of the file are those of
/// Reversi.
pub(crate) fn one_thread(words: &[&str]) -> Result<()> {
    let (path, count) = match words {
        [path] => (path, "10"),
        [path, count] => (path, *count),
        _ => anyhow::bail!("bench solver takes a file and a number of positions"),
    };
    println!("{}; one thread, {TABLE} MiB\n", machine());
    for variant in [VariantKind::Reversi, VariantKind::Reversed] {
        println!("| {variant} | empties | score | best | million nodes | s | million nodes/s |");
        println!("|---|---|---|---|---|---|---|");
        let (mut nodes, mut seconds) = (0, 0.0);
        for (i, entry) in entries(path, count)?.iter().enumerate() {
            // A fresh table each time: positions do not help each other.
            let solver = solver(1, variant)?;
            let before = cpu_seconds()?;
            let solution = solve(&solver, entry.position);
            let time = cpu_seconds()? - before;
            let score = solution.score().context("solved")?;
            if variant == VariantKind::Reversi {
                let expected = entry.best().unwrap_or(score);
                ensure!(score == expected, "position {}: {expected} expected", i + 1);
            }
            print_row(&format!("{}", i + 1), entry.position, score, &solution, time);
            nodes += solution.nodes;
            seconds += time;
        }
        println!("| total | | | | {:.1} | {seconds:.2} | {:.1} |\n", nodes as f64 / 1e6, nodes as f64 / 1e6 / seconds);
    }
    Ok(())
}

fn print_row(name: &str, position: Position, score: Score, solution: &Solution, seconds: f64) {
    let best = solution.best().map(|played| played.label(position.geometry()));
    let millions = solution.nodes as f64 / 1e6;
    println!(
        "| {name} | {} | {score} | {} | {millions:.1} | {seconds:.2} | {:.1} |",
        position.empties(),
        best.unwrap_or_default(),
        millions / seconds
    );
}

/// What several threads gain on one solve, beside what as many cores gain on as many solves at the same time.
pub(crate) fn threads(words: &[&str]) -> Result<()> {
    let path = words.first().context("bench threads takes a file, and numbers of positions, rounds and threads")?;
    let count = words.get(1).copied().unwrap_or("10");
    let (rounds, threads) = (argument(words, 2, 1_usize)?, argument(words, 3, 2_usize)?);
    ensure!(rounds > 0 && threads > 0, "bench threads needs a round and a thread");
    println!("{}; {TABLE} MiB a solver\n", machine());
    println!(
        "| variant | alone s | {threads} side by side s | one with {threads} threads s | nodes of {threads} threads / one | cores' speed-up | threads' speed-up | share |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for variant in [VariantKind::Reversi, VariantKind::Reversed] {
        let mut total = Seconds { threads, ..Seconds::default() };
        for entry in entries(path, count)? {
            for _ in 0..rounds {
                total.measure(entry.position, variant)?;
            }
        }
        total.print(variant);
    }
    Ok(())
}

#[derive(Default)]
struct Seconds {
    threads: usize,
    alone: f64,
    side_by_side: f64,
    together: f64,
    nodes: [u64; 2],
}

impl Seconds {
    /// All three ways in turn, so that a busy moment of the machine meets all of them.
    fn measure(&mut self, position: Position, variant: VariantKind) -> Result<()> {
        let (alone, team) = (solver(1, variant)?, solver(self.threads, variant)?);
        let each = (0..self.threads).map(|_| solver(1, variant)).collect::<Result<Vec<_>>>()?;
        let started = Instant::now();
        let one = solve(&alone, position);
        self.alone += started.elapsed().as_secs_f64();

        let started = Instant::now();
        std::thread::scope(|scope| {
            for solver in &each {
                scope.spawn(move || solve(solver, position));
            }
        });
        self.side_by_side += started.elapsed().as_secs_f64();

        let started = Instant::now();
        let shared = solve(&team, position);
        self.together += started.elapsed().as_secs_f64();
        ensure!(one.score() == shared.score(), "{position}: threads disagree");
        self.nodes[0] += one.nodes;
        self.nodes[1] += shared.nodes;
        Ok(())
    }

    fn print(&self, variant: VariantKind) {
        let cores = self.threads as f64 * self.alone / self.side_by_side;
        let threads = self.alone / self.together;
        println!(
            "| {variant} | {:.2} | {:.2} | {:.2} | {:.3} | {cores:.2} | {threads:.2} | {:.0} % |",
            self.alone,
            self.side_by_side,
            self.together,
            self.nodes[1] as f64 / self.nodes[0] as f64,
            100.0 * threads / cores
        );
    }
}
