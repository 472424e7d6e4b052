//! Levels of certainty: probabilistic cuts while the score is still being guessed.
//!
//! A full-width search is cheapest when the table already has good moves and the score is nearly known. So it is preceded
//! by selective searches of the same tree, in which a position counts as decided when a short lookahead is far enough from
//! the bar. Each level demands a wider margin than the one before; the last one accepts only proofs. Table entries carry
//! the level of the least sure cut below them and serve lower ones; without any they are proofs.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Variant};
use turncoat_eval::UNITS;

use super::lookahead::Lookahead;
use super::tuning::SolverTuning;
use super::worker::SolverWorker;

/// The level at which cuts are proofs.
pub(super) const EXACT: u8 = 3;

/// How many standard errors of the lookahead a cut must be away from the bar, in tenths, by level.
const DISTANCE: [i32; EXACT as usize] = [10, 15, 22];

/// The certainty of a level in per cent, for display: the share of single cuts that would be right if errors were
/// normally distributed.
pub(super) const fn certainty(level: u8) -> u32 {
    match level {
        0 => 84,
        1 => 93,
        2 => 98,
        _ => 100,
    }
}

/// When a cut is tried.
struct Cuts {
    /// With fewer empties every search is full-width.
    fewest: u32,
    /// Standard errors as parts of those on 8x8, in per cent: fewer discs are at stake on small boards.
    error: i32,
}

impl Cuts {
    const fn of(geometry: Geometry) -> Self {
        if geometry.side() < 8 { Self { fewest: 11, error: 70 } } else { Self { fewest: 13, error: 100 } }
    }
}

/// The bound that a lookahead makes likely enough, if it decides about the bar.
#[inline(always)]
pub(super) fn decides<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    moves: Bitboard,
    n: u32,
    bar: i32,
) -> Option<i32> {
    let cuts = Cuts::of(worker.context.geometry);
    if n < cuts.fewest {
        return None;
    }
    let depth = ((n - 9) / 4).min(6);
    let error = worker.context.evaluation.error::<V>(n, depth) * cuts.error / 100;
    let distance = DISTANCE[worker.level as usize] * error / 10;
    let bar_here = bar * UNITS;
    // Only the side on which the position lies is worth a closer look.
    let state = worker.context.evaluation.begin(isa, board);
    let static_value = worker.evaluate(isa, board, moves, &state);
    let high = static_value > bar_here;
    let goal = if high { bar_here + distance } else { bar_here - distance };
    if (static_value - goal).abs() > 2 * error && (static_value > goal) != high {
        return None;
    }
    let (alpha, beta) = if high { (goal - 1, goal) } else { (goal, goal + 1) };
    let value = isa.run(Lookahead { worker, board, moves, state, depth, alpha, beta });
    if high && value >= goal {
        Some(bar + 1)
    } else if !high && value <= goal {
        Some(bar - 1)
    } else {
        None
    }
}
