//! `cargo xtask bench weak`: what it takes to find the winner by empties, and what a weak solution of 8x8 would cost.

use anyhow::{Context, Result, ensure};
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::flagship::BestSolver;
use turncoat_search::Limits;
use turncoat_search::endgame::Goal;

use crate::argument;
use crate::growth::position;
use crate::machine::{cpu_seconds, machine};

/// Takizawa's solution of Othello: so many positions with so many empties had to be solved (arXiv 2310.19387).
const SOLVED: f64 = 1.5e9;
const EMPTIES: f64 = 36.0;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (fewest, most, games) = (argument(words, 0, 14)?, argument(words, 1, 22)?, argument(words, 2, 8)?);
    ensure!(most >= fewest + 2 && games > 1, "three numbers of empties and two games are the least");
    println!("{}; one thread, win, loss or draw only, {games} positions a row\n", machine());
    for variant in [VariantKind::Reversi, VariantKind::Reversed] {
        println!(
            "| {variant}: empties | nodes, geometric mean | arithmetic mean | million nodes/s |\n|---|---:|---:|---:|"
        );
        let mut fit = Fit::default();
        let mut speed = 0.0;
        for empties in fewest..=most {
            let solver = BestSolver::new(if empties < 20 { 16 } else { 512 }, 1, variant, Geometry::EIGHT)?;
            let (mut logarithms, mut nodes, before) = (0.0, 0.0, cpu_seconds()?);
            for game in 0..games {
                solver.forget();
                // Half of the games were played as Reversi, half as Reversed.
                let played = VariantKind::BOTH[(game % 2) as usize];
                let solution = solver.solve(position(played, empties, game), Goal::Result, &Limits::default(), &|_| {});
                let entered = solution.nodes.max(1) as f64;
                fit.add(f64::from(empties), entered.ln());
                logarithms += entered.ln();
                nodes += entered;
            }
            speed = nodes / (cpu_seconds()? - before).max(1e-3) / 1e6;
            let mean = (logarithms / games as f64).exp();
            println!("| {empties} | {mean:.3e} | {:.3e} | {speed:.1} |", nodes / games as f64);
        }
        fit.tell(variant, speed).context("too few positions")?;
    }
    Ok(())
}

/// A line through points, by least squares.
#[derive(Default)]
struct Fit(Vec<(f64, f64)>);

impl Fit {
    fn add(&mut self, x: f64, y: f64) {
        self.0.push((x, y));
    }

    fn tell(&self, variant: VariantKind, speed: f64) -> Option<()> {
        let n = self.0.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.0.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = self.0.iter().map(|p| (p.0 - x).powi(2)).sum();
        let slope = self.0.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
        let rest: f64 = self.0.iter().map(|p| (p.1 - y - slope * (p.0 - x)).powi(2)).sum();
        let variance = (n > 2.0).then(|| rest / (n - 2.0))?;
        // Of a log-normal amount: its arithmetic mean, and the error of the line at the far end.
        let at = y + slope * (EMPTIES - x) + variance / 2.0;
        let error = (variance * (1.0 / n + (EMPTIES - x).powi(2) / spread)).sqrt();
        let [low, middle, high] = [at - 2.0 * error, at, at + 2.0 * error].map(f64::exp);
        println!(
            "\n{variant}: an empty square more costs {:.2} ± {:.2} times as much; a factor of {:.1} between positions",
            slope.exp(),
            2.0 * slope.exp() * (variance / spread).sqrt(),
            variance.sqrt().exp()
        );
        println!("a position of {EMPTIES} empties: {middle:.1e} nodes on average ({low:.1e} to {high:.1e})");
        let years = |nodes: f64| nodes * SOLVED / (speed * 1e6) / 3.156e7;
        println!(
            "{SOLVED:.1e} of them: {:.1e} nodes, {:.1e} years of this core ({:.1e} to {:.1e})\n",
            middle * SOLVED,
            years(middle),
            years(low),
            years(high)
        );
        Some(())
    }
}
