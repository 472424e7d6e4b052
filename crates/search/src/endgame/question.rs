//! The one question that every search answers, for any number of empty squares.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};

use super::last::{LastFour, LastThree, last_one, last_two};
use super::near::{MOST_NEAR, NearNode};
use super::node::SolverNode;
use super::shallow::{FewEmpties, most_without_table};
use super::squares::squares_of;
use super::tuning::SolverTuning;
use super::worker::SolverWorker;

/// Is the mover's score above the bar? The answer is a bound on the bar's side that the score is on.
pub(super) struct Question<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    pub(super) bar: i32,
}

impl<V: Variant, E: SolverTuning> Task for Question<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, bar } = self;
        debug_assert!(bar % 2 != 0, "no score lies on a bar");
        let empties = worker.empties(board);
        let n = empties.count();
        if n > MOST_NEAR {
            let board = worker.oriented(board, n);
            let (key, moves) = (worker.key(board), worker.legal_moves(isa, board));
            return isa.run(SolverNode { worker, board, key, moves, bar });
        }
        if n >= 4 {
            return near(isa, worker, board, empties, isa.legal_moves(board, empties), bar);
        }
        last(isa, worker, board, empties, bar)
    }
}

/// The search of a position near the end, with four empties or more, whose mover has these moves.
#[inline(always)]
pub(super) fn near<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    moves: Bitboard,
    bar: i32,
) -> i32 {
    let n = empties.count();
    if n > most_without_table::<V>() {
        isa.run(NearNode { worker, board, moves, bar })
    } else if n > 4 {
        isa.run(FewEmpties { worker, board, moves, bar })
    } else {
        isa.run(LastFour { ending: &mut worker.ending, board, empties, bar })
    }
}

/// The search of a position with at most three empties.
#[inline(always)]
fn last<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    bar: i32,
) -> i32 {
    let ending = &mut worker.ending;
    match empties.count() {
        0 => {
            ending.nodes += 1;
            ending.final_score(board)
        }
        1 => last_one(ending, board, squares_of::<1>(empties)[0], bar),
        2 => last_two(isa, ending, board, squares_of(empties), bar),
        _ => isa.run(LastThree { ending, board, empties, bar }),
    }
}
