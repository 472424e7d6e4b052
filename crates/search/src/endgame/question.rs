//! The one question that every search answers, for any number of empty squares.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Square, Variant};

use super::last::{LastFour, LastThree, last_one, last_two};
use super::node::SolverNode;
use super::shallow::{FewEmpties, most_without_table};
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
        if empties.count() > most_without_table::<V>() {
            let board = worker.oriented(board, empties.count());
            let key = worker.key(board);
            return isa.run(SolverNode { worker, board, key, bar });
        }
        few(isa, worker, board, empties, bar)
    }
}

/// The search of a position with few empties.
#[inline(always)]
pub(super) fn few<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    empties: Bitboard,
    bar: i32,
) -> i32 {
    // Never asked for more squares than there are; any other answer would do as well.
    const ANY: Square = Square::ALL[0];
    let mut squares = empties.into_iter();
    let mut next = || squares.next().unwrap_or(ANY);
    let ending = &mut worker.ending;
    match empties.count() {
        0 => {
            ending.nodes += 1;
            ending.final_score(board)
        }
        1 => last_one(ending, board, next(), bar),
        2 => last_two(isa, ending, board, [next(), next()], bar),
        3 => isa.run(LastThree { squares: [next(), next(), next()], ending, board, bar }),
        4 => isa.run(LastFour { squares: [next(), next(), next(), next()], ending, board, bar }),
        _ => isa.run(FewEmpties { worker, board, bar }),
    }
}
