//! `cargo xtask bench evaluation`: what a leaf of the search costs with the sum of pattern weights and with networks of
//! several sizes. A leaf is a move made on a board: its state, its legal moves and its value.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, VariantKind};
use turncoat_eval::network::{Design, Network, NetworkWeights, read_network};
use turncoat_eval::patterns::{PARTS, Patterns, Weights};
use turncoat_eval::{Evaluation, HandMade, Term};
use turncoat_util::SplitMix64;

use crate::argument;
use crate::positions::{congruential, random_position};

/// Boards whose moves are made.
const BOARDS: u64 = 440;
/// Everything that can be read, and without the shapes of ten squares.
const ALL: u32 = (1 << PARTS) - 1;
const SMALL: u32 = ALL & !0b10_0000_0010_1111;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let rounds: u32 = argument(words, 0, 200)?;
    let boards: Vec<Board> =
        (0..BOARDS).map(|n| random_position(10 + n * 44 / BOARDS, congruential(n)).board()).collect();
    let backend = Backend::best();
    let print = |name: &str, (leaves, nanos): (u64, f64)| {
        let million = leaves as f64 / nanos * 1e3;
        println!("| {name} | {:.0} | {million:.2} |", nanos / leaves as f64);
    };
    println!("| evaluation ({}) | ns a leaf | million leaves/s |\n|---|---:|---:|", backend.name());
    print("none", backend.run(Leaves { evaluation: &Nothing, boards: &boards, rounds }));
    let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
    print("hand-made", backend.run(Leaves { evaluation: &hand, boards: &boards, rounds }));
    let patterns = Arc::new(Patterns::new(&random_weights()));
    print("sum of pattern weights", backend.run(Leaves { evaluation: &patterns, boards: &boards, rounds }));
    let mut networks = Vec::new();
    for (parts, about) in [(SMALL, "8 shapes"), (ALL, "14 shapes")] {
        for (units, hidden) in [(16, vec![16]), (32, vec![16]), (32, vec![32, 16]), (64, vec![16]), (128, vec![16])] {
            let name = format!("{about}, {units} units, hidden {hidden:?}");
            let design = Design { parts, units, hidden, stages: 10 };
            networks.push((name, NetworkWeights::random(VariantKind::Reversed, design, 1)?));
        }
    }
    for &path in words.iter().skip(1) {
        let file = std::fs::read(path).with_context(|| path.to_owned())?;
        networks.push((path.to_owned(), read_network(&file)?));
    }
    for (name, network) in networks {
        let network = Arc::new(Network::new(&network));
        print(&name, backend.run(Leaves { evaluation: &network, boards: &boards, rounds }));
    }
    Ok(())
}

fn random_weights() -> Weights {
    let mut weights = Weights::blank(VariantKind::Reversed, Geometry::EIGHT);
    let mut random = SplitMix64::new(1);
    weights.stages.iter_mut().flatten().for_each(|weight| *weight = random.below(257) as i16 - 128);
    weights
}

/// Makes all moves of all boards so many times: how many there were, and nanoseconds in all, of the best round.
struct Leaves<'a, E> {
    evaluation: &'a E,
    boards: &'a [Board],
    rounds: u32,
}

impl<E: Evaluation> Task for Leaves<'_, E> {
    type Output = (u64, f64);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (u64, f64) {
        let (mut leaves, mut best) = (0, f64::INFINITY);
        for _ in 0..self.rounds {
            let started = Instant::now();
            leaves = 0;
            for &board in self.boards {
                leaves += isa.run(Children { evaluation: self.evaluation, board });
            }
            best = best.min(started.elapsed().as_secs_f64() * 1e9);
        }
        (leaves, best)
    }
}

struct Children<'a, E> {
    evaluation: &'a E,
    board: Board,
}

impl<E: Evaluation> Task for Children<'_, E> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Self { evaluation, board } = self;
        let state = evaluation.begin(isa, board);
        let mut leaves = 0;
        for square in isa.legal_moves(board, board.empties(Geometry::EIGHT)) {
            let flips = isa.flips(board, square);
            let (next, state) = (board.after(square, flips), evaluation.after(isa, &state, square, flips));
            let moves = isa.legal_moves(next, next.empties(Geometry::EIGHT));
            black_box(evaluation.evaluate(isa, next, moves, &state));
            leaves += 1;
        }
        leaves
    }
}

/// No evaluation: what the moves themselves cost.
struct Nothing;

impl Evaluation for Nothing {
    type State = ();
    #[inline(always)]
    fn begin<I: Isa>(&self, _: I, _: Board) {}
    #[inline(always)]
    fn after<I: Isa>(&self, _: I, (): &(), _: turncoat_board::Square, _: turncoat_board::Bitboard) {}
    #[inline(always)]
    fn passed(&self, (): &()) {}
    #[inline(always)]
    fn evaluate<I: Isa>(&self, _: I, _: Board, moves: turncoat_board::Bitboard, (): &()) -> i32 {
        moves.count() as i32
    }
    fn checksum(&self) -> u64 {
        0
    }

    fn parts(&self, _board: Board) -> Vec<Term> {
        Vec::new()
    }
}
