//! `cargo xtask bench classics`: the speed of the classic players beside the figures of their reports. A depth-1 game of
//! gene45 against itself, one board-table evaluation, one decision of top-six, and the depth each reaches in five seconds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Geometry, Position, VariantKind};
use turncoat_eval::classic::features::ClassTable;
use turncoat_players::{Limits, Player, Setting, Spec};
use turncoat_util::SplitMix64;

use crate::machine::best_and_median;
use crate::positions::random_position;

const FIVE_SECONDS: Duration = Duration::from_secs(5);

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let quick = words.contains(&"--quick");
    println!("| what | measured | the reports |\n|---|---|---|");
    let micros = self_play_game()?;
    println!("| self-play game of gene45 at depth 1 | {micros:.1} µs (median) | about 680 ms on one of 40 cores |");
    let nanos = table_evaluation();
    println!("| one board-table evaluation | {nanos:.1} ns | 45.2, 23.9, 15.3 µs (Python, numba, numpy) |");
    let millis = decision("top-six", VariantKind::Reversed)?;
    println!("| one decision of top-six | {millis:.2} ms (mean of 200 midgame positions) | 202 ms, later 26.4 ms |");
    let (limit, positions) = if quick { (FIVE_SECONDS / 50, 3) } else { (FIVE_SECONDS, 10) };
    println!("\nDeepest complete search within {limit:?}, midgame positions of 24 to 33 discs:\n");
    println!("| player | least | median | most | its report |\n|---|---|---|---|---|");
    for (spec, variant, claim) in [
        ("gene45:final=0,time=1m", VariantKind::Reversed, "3-4"),
        ("nine-weights", VariantKind::Reversed, "5-6"),
        ("top-six:time=1m", VariantKind::Reversed, "5"),
        ("shifting-weights", VariantKind::Reversed, "4"),
        ("six-stage", VariantKind::Reversi, "3-4"),
    ] {
        let mut depths: Vec<u32> = (0..positions).map(|n| deepest(spec, variant, n, limit)).collect::<Result<_>>()?;
        depths.sort_unstable();
        let name = spec.split(':').next().unwrap_or(spec);
        let (least, most) = (depths[0], depths[depths.len() - 1]);
        println!("| {name} | {least} | {} | {most} | {claim} |", depths[depths.len() / 2]);
    }
    Ok(())
}

fn player(spec: &str, variant: VariantKind) -> Result<Box<dyn Player>> {
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
    Ok(spec.parse::<Spec>()?.build(setting)?)
}

/// A position after some plies of random play.
fn position(number: u64, plies: u64) -> Position {
    let mut random = SplitMix64::new(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    random_position(plies, move || random.next_u64())
}

/// Median time of a whole game, each from its own four random plies, in microseconds.
fn self_play_game() -> Result<f64> {
    let mut player = player("gene45:depth=1,final=0", VariantKind::Reversed)?;
    let limits = Limits::default();
    let mut times = Vec::new();
    for number in 0..4000 {
        let mut position = position(number, 4);
        let started = Instant::now();
        while !position.is_over() {
            let thought = player.choose(position, &limits, &mut |_| {})?;
            position = thought.and_then(|thought| position.play(thought.best)).unwrap_or_else(|| position.pass());
        }
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    Ok(best_and_median(&mut times).1)
}

fn table_evaluation() -> f64 {
    let weights = [-500.0, 200.0, -8.0, 6.0, 30.0, -16.0, 3.0, 4.0, 4.0, 0.0];
    let table = ClassTable::new(weights, Geometry::EIGHT);
    let boards: Vec<(Bitboard, Bitboard)> =
        (0..1000).map(|number| position(number, 30).board()).map(|board| (board.mover(), board.other())).collect();
    let rounds = 2000;
    let started = Instant::now();
    Backend::best().run(Evaluations { table: &table, boards: &boards, rounds });
    started.elapsed().as_secs_f64() * 1e9 / f64::from(rounds) / boards.len() as f64
}

/// Evaluations within the instruction set of a search, as a leaf does them.
struct Evaluations<'a> {
    table: &'a ClassTable,
    boards: &'a [(Bitboard, Bitboard)],
    rounds: u32,
}

impl Task for Evaluations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _isa: I) {
        for _ in 0..self.rounds {
            for &(own, opposing) in self.boards {
                black_box(self.table.difference(black_box(own), black_box(opposing)));
            }
        }
    }
}

/// Mean time of a decision in milliseconds.
fn decision(spec: &str, variant: VariantKind) -> Result<f64> {
    let mut player = player(spec, variant)?;
    let positions: Vec<Position> = (0..200).map(|n| position(n, 20 + n % 20)).collect();
    let started = Instant::now();
    for &position in &positions {
        black_box(player.choose(position, &Limits::default(), &mut |_| {})?);
    }
    Ok(started.elapsed().as_secs_f64() * 1e3 / positions.len() as f64)
}

/// The deepest search that a player completes within the limit.
fn deepest(spec: &str, variant: VariantKind, number: u64, limit: Duration) -> Result<u32> {
    let position = position(100 + number, 20 + number);
    let joint = if spec.contains(':') { ',' } else { ':' };
    let mut depth = 1;
    while depth < 30 {
        let mut player = player(&format!("{spec}{joint}depth={}", depth + 1), variant)?;
        let started = Instant::now();
        let limits = Limits { time: Some(limit + limit / 20), ..Limits::default() };
        black_box(player.choose(position, &limits, &mut |_| {})?);
        if started.elapsed() > limit {
            break;
        }
        depth += 1;
    }
    Ok(depth)
}
