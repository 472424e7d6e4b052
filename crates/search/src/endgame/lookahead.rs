//! A few plies of plain alpha-beta with the judge at the leaves: what ordering and guessing look at.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Board, Variant};

use super::judge::{Judge, PER_DISC};
use super::worker::Worker;
use super::final_score;

/// The mover's prospects within a window, in parts of a disc.
pub(super) struct Lookahead<'w, 's, V, J> {
    pub(super) worker: &'w mut Worker<'s, V, J>,
    pub(super) board: Board,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// Beyond every estimate.
pub(super) const WIDEST: i32 = 1 << 20;

impl<V: Variant, J: Judge> Task for Lookahead<'_, '_, V, J> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, depth, mut alpha, beta } = self;
        worker.ending.nodes += 1;
        if depth == 0 {
            return worker.shared.judge.judge::<I, V>(isa, board, worker.shared.geometry);
        }
        let empties = worker.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return final_score::<V>(board, worker.ending.area) * PER_DISC;
            }
            return -isa.run(Lookahead { worker, board: passed, depth, alpha: -beta, beta: -alpha });
        }
        let mut best = -WIDEST;
        for square in moves {
            let next = board.after(square, isa.flips(board, square));
            let value = -isa.run(Lookahead { worker: &mut *worker, board: next, depth: depth - 1, alpha: -beta, beta: -alpha });
            if value > best {
                best = value;
                if best >= beta { break; }
                alpha = alpha.max(best);
            }
        }
        best
    }
}
