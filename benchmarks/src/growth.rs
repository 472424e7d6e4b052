//! `cargo xtask bench growth`: how the effort of a solve grows with the number of empties, as a table and as a
//! picture.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_eval::UNITS;
use turncoat_players::flagship::BestSolver;
use turncoat_util::SplitMix64;

use crate::argument;
use crate::machine::{cpu_seconds, machine, root};
use crate::positions::noisy_position;
use crate::solver::solve;

const FEWEST: u32 = 14;
const MOST: u32 = 26;
const VARIANTS: [VariantKind; 2] = [VariantKind::Reversi, VariantKind::Reversed];

/// Processor seconds that a figure needs at least: the system counts them in milliseconds.
const ENOUGH: f64 = 0.2;

/// Mean effort at one number of empties.
#[derive(Debug, Clone, Copy)]
struct Effort {
    nodes: f64,
    seconds: f64,
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let games = argument(words, 0, 4)?;
    println!("{}; one thread, geometric means of {games} positions\n", machine());
    println!("| empties | Reversi nodes | s | Reversed nodes | s | nodes, Reversed / Reversi |");
    println!("|---|---|---|---|---|---|");
    let mut curves = [Vec::new(), Vec::new()];
    for empties in FEWEST..=MOST {
        for (curve, variant) in curves.iter_mut().zip(VARIANTS) {
            curve.push(effort(variant, empties, games)?);
        }
        let [reversi, reversed] = [0, 1].map(|i: usize| curves[i][curves[i].len() - 1]);
        println!(
            "| {empties} | {} | {} | {} | {} | {:.1} |",
            rounded(reversi.nodes),
            rounded(reversi.seconds),
            rounded(reversed.nodes),
            rounded(reversed.seconds),
            reversed.nodes / reversi.nodes
        );
    }
    let path = root().join("docs").join("images").join("growth.svg");
    fs::write(&path, picture(&curves)).with_context(|| path.display().to_string())?;
    Ok(())
}

/// The effort on the same positions in either game: the geometric mean of the nodes, since they differ by orders
/// of magnitude between positions, and the seconds that it takes at the speed of all solves together.
fn effort(variant: VariantKind, empties: u32, games: u64) -> Result<Effort> {
    let solver = BestSolver::new(if empties < 20 { 16 } else { 512 }, 1, variant, Geometry::EIGHT)?;
    let (mut logarithms, mut nodes, mut seconds) = (0.0, 0.0, 0.0);
    let mut rounds = 0.0;
    while seconds < ENOUGH {
        for game in 0..games {
            // Half of the games were played as Reversi, half as Reversed.
            let position = position(VARIANTS[(game % 2) as usize], empties, game);
            solver.forget();
            let before = cpu_seconds()?;
            let solution = solve(&solver, position);
            seconds += cpu_seconds()? - before;
            nodes += solution.nodes as f64;
            logarithms += (solution.nodes as f64).ln();
        }
        rounds += 1.0;
    }
    let mean = (logarithms / (rounds * games as f64)).exp();
    Ok(Effort { nodes: mean, seconds: mean * seconds / nodes })
}

/// The position with this many empties of a noisy game of the hand-made evaluation against itself. A game
/// that ends earlier is replaced by another.
pub(crate) fn position(variant: VariantKind, empties: u32, game: u64) -> Position {
    let mut seed = game;
    loop {
        let mut random = SplitMix64::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // Up to six discs of noise.
        let noise = || (random.next_u64() % (6 * UNITS as u64)) as f64;
        if let Some(position) = noisy_position(variant, empties, noise) {
            return position;
        }
        seed += 1_000_003;
    }
}

/// Three digits with a unit.
fn rounded(number: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, ""), (1e-3, " m"), (1e-6, " µ")];
    let (unit, letter) = units.into_iter().find(|(unit, _)| number >= *unit).unwrap_or((1e-6, " µ"));
    let scaled = number / unit;
    let digits = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{scaled:.digits$}{letter}")
}

/// Both curves over the empties, seconds on a logarithmic scale.
fn picture(curves: &[Vec<Effort>; 2]) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 440.0;
    const LEFT: f64 = 70.0;
    const RIGHT: f64 = 20.0;
    const TOP: f64 = 50.0;
    const BOTTOM: f64 = 50.0;
    let all = curves.iter().flatten().map(|effort| effort.seconds.log10());
    let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
    let (low, high) = (low.floor(), high.ceil());
    let x = |empties: f64| LEFT + (empties - f64::from(FEWEST)) / f64::from(MOST - FEWEST) * (WIDTH - LEFT - RIGHT);
    let y = |seconds: f64| HEIGHT - BOTTOM - (seconds.log10() - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"14\">\n\
         <title>Seconds of a solve by empties, one thread</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" fill=\"#14251d\"/>\n\
         <text x=\"{LEFT}\" y=\"28\" fill=\"#e8f2ec\" font-size=\"17\">Seconds of a solve by empties, one thread</text>\n"
    );
    let mut power = low;
    while power <= high {
        let at = y(10f64.powf(power));
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#3c5a4b\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b9cfc3\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 5.0,
            10f64.powf(power)
        );
        power += 1.0;
    }
    for empties in (FEWEST..=MOST).step_by(2) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b9cfc3\" text-anchor=\"middle\">{empties}</text>",
            x(f64::from(empties)),
            HEIGHT - BOTTOM + 24.0
        );
    }
    for (i, (curve, color)) in curves.iter().zip(["#f4f2ec", "#e0a33d"]).enumerate() {
        let points: Vec<String> = (FEWEST..=MOST)
            .zip(curve)
            .map(|(n, effort)| format!("{:.1},{:.1}", x(f64::from(n)), y(effort.seconds)))
            .collect();
        let label_y = TOP + 20.0 + 22.0 * i as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"3\"/>\n\
             <path d=\"M{:.1} {label_y:.1}h28\" stroke=\"{color}\" stroke-width=\"3\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"#e8f2ec\">{}</text>",
            points.join(" "),
            LEFT + 20.0,
            LEFT + 56.0,
            label_y + 5.0,
            VARIANTS[i].title()
        );
    }
    svg.push_str("</svg>\n");
    svg
}
