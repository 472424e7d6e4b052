//! A few more empties than the last four: too few for the table to pay, so moves are tried in a fixed order.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};

use super::judge::Judge;
use super::parity;
use super::question::few;
use super::worker::Worker;
use super::{NO_SCORE, final_score};
use crate::stability;

/// At most this many empties are searched without the table.
pub(super) const SHALLOW: u32 = 7;

/// Whether the mover's score is above the bar, with five or more empties.
pub(super) struct Shallow<'w, 's, V, J> {
    pub(super) worker: &'w mut Worker<'s, V, J>,
    pub(super) board: Board,
    pub(super) bar: i32,
}

impl<V: Variant, J: Judge> Task for Shallow<'_, '_, V, J> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, bar } = self;
        worker.ending.nodes += 1;
        let empties = worker.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return final_score::<V>(board, worker.ending.area);
            }
            return -isa.run(Shallow {
                worker,
                board: passed,
                bar: -bar,
            });
        }
        if let Some(bound) = stability::decides::<V>(board, worker.shared.geometry, bar) {
            return bound;
        }
        let first = if parity::pays::<V>() {
            moves & parity::odd_quadrants(empties)
        } else {
            moves & !Bitboard(CORNERS)
        };
        let mut best = NO_SCORE;
        for part in [first, moves & !first] {
            for square in part {
                let next = board.after(square, isa.flips(board, square));
                let rest = empties & !Bitboard::of(square);
                let score = -few(isa, worker, next, rest, -bar);
                if score > bar {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
