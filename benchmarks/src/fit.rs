//! `cargo xtask bench fit`: fits the weights of the hand-made evaluation to exact scores and prints them as they stand in `weights.rs`.
//!
//! Positions with 8 to 15 empties come from games that it plays against itself with noise, three
//! in eight of them in the other variant, and some of their replies are added; the solver gives the scores. The
//! rarest numbers of moves are extrapolated by hand afterwards.

use anyhow::{Context, Result, bail};
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, VariantKind};
use turncoat_eval::handmade::{MOST_MOVES, TERMS, Terms};
use turncoat_eval::{HandMade, UNITS};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, Solver};
use turncoat_util::SplitMix64;

use crate::positions::noisy_position;

const GEOMETRY: Geometry = Geometry::EIGHT;
const FEWEST: u64 = 8;
const MOST: u64 = 15;

/// Numbers of moves of one side that have a weight.
const MOVES: usize = MOST_MOVES + 1;
/// All weights: moves of both sides, terms, and what terms and moves gain with the empties.
const WEIGHTS: usize = 2 * MOVES + 2 * TERMS + 2;

/// What a position shows, and its score.
struct Sample {
    row: [f64; WEIGHTS],
    score: f64,
}

struct CountTerms(Board);

impl Task for CountTerms {
    type Output = Terms;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Terms {
        Terms::new(isa, self.0, isa.legal_moves(self.0, self.0.empties(GEOMETRY)), GEOMETRY)
    }
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let [variant, games] = words else { bail!("bench fit takes reversi or reversed, and a number of games") };
    let (variant, games) = (variant.parse()?, games.parse().context("the number of games")?);
    let solver = Solver::new(64, 1, HandMade::new(variant, GEOMETRY))?;
    let mut random = SplitMix64::new(7);
    let mut samples = Vec::new();
    for _ in 0..games {
        if let Some(position) = play(variant, &mut random) {
            learn(&solver, variant, position, &mut random, &mut samples);
        }
    }
    let weights = fit(&samples);
    report(&samples, &weights);
    print(variant, &weights);
    Ok(())
}

/// A position of a noisy game.
fn play(variant: VariantKind, random: &mut SplitMix64) -> Option<Position> {
    let player = if random.next_u64() % 8 < 5 {
        variant
    } else {
        match variant {
            VariantKind::Reversi => VariantKind::Reversed,
            VariantKind::Reversed => VariantKind::Reversi,
        }
    };
    let empties = FEWEST + random.next_u64() % (MOST - FEWEST + 1);
    let discs = if random.next_u64().is_multiple_of(4) { 30.0 } else { 6.0 };
    // Exponentially distributed.
    noisy_position(player, empties as u32, || -f64::from(UNITS) * discs * (1.0 - random.unit()).ln())
}

/// Adds the position and a third of what can follow it.
fn learn(
    solver: &Solver<HandMade>,
    variant: VariantKind,
    position: Position,
    random: &mut SplitMix64,
    samples: &mut Vec<Sample>,
) {
    let mut all = vec![position];
    for square in position.legal_moves() {
        if random.next_u64().is_multiple_of(3) {
            all.extend(position.play(square).filter(|next| !next.is_over()));
        }
    }
    for position in all {
        let solution = solver.solve(position, variant, Goal::Score, &Limits::default(), &|_| {});
        samples.push(Sample { row: row(position), score: f64::from(solution.lower.discs()) });
    }
}

fn row(position: Position) -> [f64; WEIGHTS] {
    let terms = Backend::best().run(CountTerms(position.board()));
    let more = (f64::from(position.empties()) - 14.0) / 16.0;
    let mut row = [0.0; WEIGHTS];
    for (side, moves) in terms.moves.into_iter().enumerate() {
        let moves = moves.min(MOST_MOVES);
        row[side * MOVES + moves] = 1.0;
        row[2 * MOVES + 2 * TERMS + side] = moves as f64 * more;
    }
    for (i, count) in terms.counts.into_iter().enumerate() {
        row[2 * MOVES + i] = f64::from(count);
        row[2 * MOVES + TERMS + i] = f64::from(count) * more;
    }
    row
}

/// Least squares with a little weight decay, by Gaussian elimination.
#[allow(clippy::needless_range_loop)] // Rows and columns read best by their indices.
fn fit(samples: &[Sample]) -> Vec<f64> {
    let mut matrix = vec![[0.0; WEIGHTS]; WEIGHTS];
    let mut right = vec![0.0; WEIGHTS];
    for sample in samples {
        for i in (0..WEIGHTS).filter(|&i| sample.row[i] != 0.0) {
            right[i] += sample.row[i] * sample.score;
            for (cell, other) in matrix[i].iter_mut().zip(sample.row) {
                *cell += sample.row[i] * other;
            }
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += 3.0;
    }
    for i in 0..WEIGHTS {
        let pivot = matrix[i];
        for j in i + 1..WEIGHTS {
            let factor = matrix[j][i] / pivot[i];
            for k in i..WEIGHTS {
                matrix[j][k] -= factor * pivot[k];
            }
            right[j] -= factor * right[i];
        }
    }
    for i in (0..WEIGHTS).rev() {
        for j in i + 1..WEIGHTS {
            right[i] -= matrix[i][j] * right[j];
        }
        right[i] /= matrix[i][i];
    }
    right
}

fn report(samples: &[Sample], weights: &[f64]) {
    let count = samples.len() as f64;
    let mean = samples.iter().map(|sample| sample.score).sum::<f64>() / count;
    let spread = samples.iter().map(|s| (s.score - mean).powi(2)).sum::<f64>() / count;
    let value = |row: &[f64]| -> f64 { row.iter().zip(weights).map(|(a, b)| a * b).sum() };
    let error = samples.iter().map(|s| (s.score - value(&s.row)).powi(2)).sum::<f64>() / count;
    eprintln!(
        "{count} positions, standard deviation {:.2}, root mean square error {:.2} discs",
        spread.sqrt(),
        error.sqrt()
    );
}

fn print(variant: VariantKind, weights: &[f64]) {
    let list = |from: usize, count: usize| {
        let scaled = weights[from..from + count].iter();
        let words: Vec<String> =
            scaled.map(|weight| ((weight * f64::from(UNITS)).round() as i32).to_string()).collect();
        words.join(", ")
    };
    println!("const {}: Fitted = Fitted {{", variant.name().to_uppercase());
    println!("    moves: [[{}], [{}]],", list(0, MOVES), list(MOVES, MOVES));
    println!("    counts: [{}],", list(2 * MOVES, TERMS));
    println!("    by_empties: [{}],", list(2 * MOVES + TERMS, TERMS));
    println!("    moves_by_empties: [{}],", list(2 * MOVES + 2 * TERMS, 2));
    println!("}};");
}
