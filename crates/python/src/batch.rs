//! Many boards at once: the rules and the evaluations, with the interpreter's lock released.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Move, Variant, VariantKind};
use turncoat_eval::{Estimator, UNITS};
use turncoat_players::flagship::{EstimatorTask, usual_evaluation, with_evaluation};

use crate::arrays::{array, boards};
use crate::convert::{self, geometry, place};
use crate::errors;

/// One answer for each board, compiled for the instruction set of this machine.
struct Each<'a, F>(&'a [Board], F);

/// A question about one board. Must be `#[inline(always)]`.
trait Ask: Send + Sync {
    type Answer: Send;
    fn ask<I: Isa>(&self, isa: I, board: Board) -> Self::Answer;
}

impl<F: Ask> Task for Each<'_, F> {
    type Output = Vec<F::Answer>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut answers = Vec::with_capacity(self.0.len());
        for &board in self.0 {
            answers.push(self.1.ask(isa, board));
        }
        answers
    }
}

fn each<F: Ask>(py: Python<'_>, boards: &[Board], ask: F) -> Vec<F::Answer> {
    py.detach(|| Backend::best().run(Each(boards, ask)))
}

struct LegalMoves(Geometry);

impl Ask for LegalMoves {
    type Answer = u64;
    #[inline(always)]
    fn ask<I: Isa>(&self, isa: I, board: Board) -> u64 {
        isa.legal_moves(board, board.empties(self.0)).0
    }
}

/// Both sides' legal moves.
struct BothMoves(Geometry);

impl Ask for BothMoves {
    type Answer = [Bitboard; 2];
    #[inline(always)]
    fn ask<I: Isa>(&self, isa: I, board: Board) -> [Bitboard; 2] {
        let empties = board.empties(self.0);
        [board, board.pass()].map(|board| isa.legal_moves(board, empties))
    }
}

/// The legal moves of each board as a 64-bit word; bit row * 8 + column, small boards in the middle.
///
/// >>> from turncoat import Board, batch
/// >>> import numpy as np
/// >>> boards = np.array([Board().words, Board("f5").words], dtype=np.uint64)
/// >>> [int(word).bit_count() for word in batch.legal_moves(boards)]
/// [4, 3]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn legal_moves<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    size: u8,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    Ok(each(py, &boards, LegalMoves(geometry)).into_pyarray(py))
}

/// Which moves are legal on each board, by their numbers; the last column is the pass.
///
/// >>> batch.legal_mask(boards).sum(axis=1).tolist()
/// [4, 3]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn legal_mask<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    size: u8,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    let width = usize::from(geometry.area()) + 1;
    let moves = each(py, &boards, BothMoves(geometry));
    let mut mask = vec![false; boards.len() * width];
    for (row, moves) in mask.chunks_mut(width).zip(moves) {
        fill_mask(row, moves, geometry);
    }
    PyArray1::from_vec(py, mask).reshape([boards.len(), width])
}

/// Writes the legal moves of a board; `moves` are both sides'.
pub(crate) fn fill_mask(row: &mut [bool], [own, other]: [Bitboard; 2], geometry: Geometry) {
    for square in own {
        row[place(square, geometry)] = true;
    }
    if let Some(pass) = row.last_mut() {
        *pass = own.is_empty() && !other.is_empty();
    }
}

/// Whether neither side can move, of each board.
///
/// >>> batch.is_over(boards).tolist()
/// [False, False]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn is_over<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    size: u8,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    let moves = each(py, &boards, BothMoves(geometry));
    let over = moves
        .iter()
        .map(|moves| moves.iter().all(|set| set.is_empty()));
    Ok(PyArray1::from_iter(py, over))
}

struct FinalScores(VariantKind, Geometry);

impl Ask for FinalScores {
    type Answer = i8;
    #[inline(always)]
    fn ask<I: Isa>(&self, _: I, board: Board) -> i8 {
        board.final_score_of(self.0, self.1).discs() as i8
    }
}

/// The mover's score of each board as a final one, in discs, whether or not the game is over.
///
/// >>> batch.final_scores(boards).tolist()
/// [0, 62]
#[pyfunction]
#[pyo3(signature = (boards, *, variant = "reversed", size = 8))]
pub(crate) fn final_scores<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    variant: &str,
    size: u8,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let (variant, geometry) = (convert::variant(variant)?, geometry(size)?);
    let boards = self::boards(&boards, geometry)?;
    Ok(each(py, &boards, FinalScores(variant, geometry)).into_pyarray(py))
}

/// The board after a move by its number, seen from the opponent; `None` if it is illegal.
#[inline(always)]
pub(crate) fn after<I: Isa>(
    isa: I,
    board: Board,
    played: Move,
    geometry: Geometry,
) -> Option<Board> {
    let empties = board.empties(geometry);
    match played {
        Move::Place(square) if empties.contains(square) => {
            let flips = isa.flips(board, square);
            (!flips.is_empty()).then(|| board.after(square, flips))
        }
        Move::Place(_) => None,
        Move::Pass => {
            let stuck = isa.legal_moves(board, empties).is_empty();
            let over = isa.legal_moves(board.pass(), empties).is_empty();
            (stuck && !over).then(|| board.pass())
        }
    }
}

struct PlayAll<'a> {
    boards: &'a [Board],
    moves: &'a [Move],
    geometry: Geometry,
}

impl Task for PlayAll<'_> {
    type Output = Result<Vec<Board>, usize>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut next = Vec::with_capacity(self.boards.len());
        for (index, (&board, &played)) in self.boards.iter().zip(self.moves).enumerate() {
            next.push(after(isa, board, played, self.geometry).ok_or(index)?);
        }
        Ok(next)
    }
}

/// The moves of an array of numbers, as many as there are boards.
pub(crate) fn moves(
    actions: &PyReadonlyArray1<'_, i64>,
    count: usize,
    geometry: Geometry,
) -> PyResult<Vec<Move>> {
    if actions.len() != count {
        let found = actions.len();
        return Err(errors::input(format!("{found} moves for {count} boards")));
    }
    let read = |&action: &i64| convert::move_of_action(action, geometry);
    actions.as_array().iter().map(read).collect()
}

/// The boards after a move on each, seen from the opponents; all moves must be legal.
///
/// >>> batch.legal_moves(batch.play(boards[:1], np.array([37]))) == batch.legal_moves(boards[1:])
/// array([ True])
#[pyfunction]
#[pyo3(signature = (boards, actions, *, size = 8))]
pub(crate) fn play<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    actions: PyReadonlyArray1<'py, i64>,
    size: u8,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    let moves = moves(&actions, boards.len(), geometry)?;
    let next = py.detach(|| {
        Backend::best().run(PlayAll {
            boards: &boards,
            moves: &moves,
            geometry,
        })
    });
    let next = next.map_err(|index| {
        let label = moves[index].label(geometry);
        errors::illegal(format!("board {index}: {label} is no legal move"))
    })?;
    array(py, &next)
}

/// The estimates of an evaluation.
struct Estimates<'a> {
    py: Python<'a>,
    boards: &'a [Board],
    geometry: Geometry,
}

struct Estimate<E>(E, Geometry);

impl<E: Estimator> Ask for Estimate<E> {
    type Answer = f32;
    #[inline(always)]
    fn ask<I: Isa>(&self, isa: I, board: Board) -> f32 {
        let moves = isa.legal_moves(board, board.empties(self.1));
        let state = self.0.begin(board);
        self.0.estimate(isa, board, moves, &state) as f32 / UNITS as f32
    }
}

impl EstimatorTask for Estimates<'_> {
    type Output = Vec<f32>;
    fn run<V: Variant, E: Estimator + 'static>(self, _: V, estimator: E) -> Vec<f32> {
        each(self.py, self.boards, Estimate(estimator, self.geometry))
    }
}

/// What an evaluation expects of each board, in discs for the mover, without looking ahead.
///
/// >>> batch.estimate(boards).shape
/// (2,)
#[pyfunction]
#[pyo3(signature = (boards, *, evaluation = None, variant = "reversed", size = 8))]
pub(crate) fn estimate<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    evaluation: Option<&str>,
    variant: &str,
    size: u8,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let (variant, geometry) = (convert::variant(variant)?, geometry(size)?);
    let boards = self::boards(&boards, geometry)?;
    let evaluation = evaluation.unwrap_or_else(|| usual_evaluation(variant, geometry));
    let task = Estimates {
        py,
        boards: &boards,
        geometry,
    };
    let estimates = with_evaluation(evaluation, variant, geometry, task).map_err(errors::input)?;
    Ok(estimates.into_pyarray(py))
}
