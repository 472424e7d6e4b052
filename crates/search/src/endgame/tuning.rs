//! What the solver knows of the evaluation that orders its moves: how much a value is worth, and how far it errs.

use std::sync::Arc;

use turncoat_board::Variant;
use turncoat_eval::patterns::Patterns;
use turncoat_eval::{Evaluation, HandMade, UNITS};

/// An evaluation that orders the solver's moves and guesses where a score lies. It never decides a result: a bad one
/// only costs time.
pub trait SolverTuning: Evaluation {
    /// How its values order moves.
    fn ranking<V: Variant>(&self) -> Ranking;

    /// The standard error of a lookahead of this depth with this many empties, in [`UNITS`] of a disc.
    fn error<V: Variant>(&self, empties: u32, depth: u32) -> i32;
}

/// How the values of an evaluation order moves: how much of them is worth their price.
#[derive(Debug, Clone, Copy)]
pub struct Ranking {
    /// With fewer empties moves are ordered by the replies that they leave: a value costs more than it saves.
    pub fewest: u32,
    /// From how many empties on one, two, three and four plies are looked ahead.
    pub deeper: [u32; 4],
    /// Moves that are worse than the best one by more than this, in [`UNITS`] of a disc, need no order among themselves.
    pub margin: i32,
    /// What a reply of the opponent costs beside the value, in [`UNITS`] of a disc: few replies make a small tree.
    pub per_reply: i32,
}

impl SolverTuning for HandMade {
    #[inline(always)]
    fn ranking<V: Variant>(&self) -> Ranking {
        Ranking { fewest: 11, deeper: [13, 15, 17, 19], margin: 8 * UNITS, per_reply: 75 }
    }

    /// Without lookahead 10 discs in Reversi and 6 in Reversed at 14 empties, more before and less with every ply.
    #[inline(always)]
    fn error<V: Variant>(&self, empties: u32, depth: u32) -> i32 {
        let (n, depth) = (empties as i32, depth as i32);
        if V::SIGN > 0 {
            UNITS * (100 + 2 * (n - 14) - 8 * depth) / 10
        } else {
            UNITS * (62 + (n - 14) - 4 * depth) / 10
        }
    }
}

impl SolverTuning for Arc<Patterns> {
    /// Its values cost more than the hand-made ones and are better, so that it looks less far ahead.
    #[inline(always)]
    fn ranking<V: Variant>(&self) -> Ranking {
        let per_reply = if V::SIGN > 0 { 170 } else { 100 };
        Ranking { fewest: 12, deeper: [14, 17, 20, 23], margin: 6 * UNITS, per_reply }
    }

    /// Measured by `turncoat train measure`: without lookahead 4 discs in Reversed Reversi and 8 in Reversi, less with
    /// every ply.
    #[inline(always)]
    fn error<V: Variant>(&self, _empties: u32, depth: u32) -> i32 {
        let depth = depth as i32;
        if V::SIGN > 0 { UNITS * (80 - 6 * depth) / 10 } else { UNITS * (40 - 2 * depth) / 10 }
    }
}
