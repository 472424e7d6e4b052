//! Many boards at once: the rules and the evaluations, with the GIL released.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Move, Variant, VariantKind};
use turncoat_eval::{Evaluation, UNITS};
use turncoat_players::flagship::{EvaluationTask, usual_evaluation, with_evaluation};

use crate::arrays::{OutOfMemory, array, boards, whole_numbers, with_capacity};
use crate::convert::{self, geometry, place};
use crate::errors;

/// One answer per board, compiled for the instruction set of this machine.
struct Each<'a, F>(&'a [Board], F);

/// A question about one board. Must be `#[inline(always)]`.
trait Ask: Send + Sync {
    type Answer: Send;
    fn ask<I: Isa>(&self, isa: I, board: Board) -> Self::Answer;
}

impl<F: Ask> Task for Each<'_, F> {
    type Output = Result<Vec<F::Answer>, OutOfMemory>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut answers = with_capacity(self.0.len())?;
        for &board in self.0 {
            answers.push(self.1.ask(isa, board));
        }
        Ok(answers)
    }
}

fn each<F: Ask>(py: Python<'_>, boards: &[Board], ask: F) -> Result<Vec<F::Answer>, OutOfMemory> {
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

/// Whether neither side can move.
struct IsOver(Geometry);

impl Ask for IsOver {
    type Answer = bool;
    #[inline(always)]
    fn ask<I: Isa>(&self, isa: I, board: Board) -> bool {
        let moves = BothMoves(self.0).ask(isa, board);
        moves.iter().all(|set| set.is_empty())
    }
}

/// The legal moves of each board as a 64-bit word; bit row * 8 + column, small boards centred.
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
    boards: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    Ok(each(py, &boards, LegalMoves(geometry))?.into_pyarray(py))
}

/// A mask of the legal moves of each board by their numbers; the last column is the pass.
///
/// >>> batch.legal_mask(boards).sum(axis=1).tolist()
/// [4, 3]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn legal_mask<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let moves = each(py, &boards, BothMoves(geometry))?;
    let mask = py.detach(|| mask_of(moves.into_iter(), geometry))?;
    shaped_mask(py, mask, geometry)
}

/// The masks of the legal moves, board by board, given both sides' moves on each.
pub(crate) fn mask_of(
    moves: impl ExactSizeIterator<Item = [Bitboard; 2]>,
    geometry: Geometry,
) -> Result<Vec<bool>, OutOfMemory> {
    let width = usize::from(geometry.area()) + 1;
    let mut mask = with_capacity(moves.len().saturating_mul(width))?;
    for moves in moves {
        let begin = mask.len();
        mask.resize(begin + width, false);
        fill_mask(&mut mask[begin..], moves, geometry);
    }
    Ok(mask)
}

/// A mask with a row for each board.
pub(crate) fn shaped_mask(py: Python<'_>, mask: Vec<bool>, geometry: Geometry) -> PyResult<Bound<'_, PyArray2<bool>>> {
    let width = usize::from(geometry.area()) + 1;
    let count = mask.len() / width;
    PyArray1::from_vec(py, mask).reshape([count, width])
}

/// Writes the legal moves of a board; `moves` are both sides'.
fn fill_mask(row: &mut [bool], [own, other]: [Bitboard; 2], geometry: Geometry) {
    for square in own {
        row[place(square, geometry)] = true;
    }
    if let Some(pass) = row.last_mut() {
        *pass = own.is_empty() && !other.is_empty();
    }
}

/// Whether neither side can move, for each board.
///
/// >>> batch.is_over(boards).tolist()
/// [False, False]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn is_over<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let over = each(py, &boards, IsOver(geometry))?;
    Ok(over.into_pyarray(py))
}

struct FinalScores(VariantKind, Geometry);

impl Ask for FinalScores {
    type Answer = i8;
    #[inline(always)]
    fn ask<I: Isa>(&self, _: I, board: Board) -> i8 {
        board.final_score_of(self.0, self.1).discs() as i8
    }
}

/// The mover's final score on each board in discs, as if the game were over.
///
/// >>> batch.final_scores(boards).tolist()
/// [0, 62]
#[pyfunction]
#[pyo3(signature = (boards, *, variant = "reversed", size = 8))]
pub(crate) fn final_scores<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    variant: &str,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let (variant, geometry) = (convert::variant(variant)?, geometry(size)?);
    let boards = self::boards(boards, geometry)?;
    Ok(each(py, &boards, FinalScores(variant, geometry))?.into_pyarray(py))
}

/// The board after a move by its number, seen from the opponent; `None` if it is illegal.
#[inline(always)]
pub(crate) fn after<I: Isa>(isa: I, board: Board, played: Move, geometry: Geometry) -> Option<Board> {
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
    type Output = Result<Result<Vec<Board>, usize>, OutOfMemory>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut next = with_capacity(self.boards.len())?;
        for (index, (&board, &played)) in self.boards.iter().zip(self.moves).enumerate() {
            match after(isa, board, played, self.geometry) {
                Some(board) => next.push(board),
                None => return Ok(Err(index)),
            }
        }
        Ok(Ok(next))
    }
}

/// The moves of an array of numbers, as many as there are boards.
pub(crate) fn moves(actions: &Bound<'_, PyAny>, count: usize, geometry: Geometry) -> PyResult<Vec<Move>> {
    let actions = whole_numbers::<i64>(actions)?;
    let [found] = actions.shape[..] else {
        let fault = "moves are an array with a number for each board";
        return Err(errors::input(fault));
    };
    if found != count {
        return Err(errors::input(format!("{found} moves for {count} boards")));
    }
    let mut moves = with_capacity(count)?;
    for action in actions.numbers {
        moves.push(convert::move_of_action(action, geometry)?);
    }
    Ok(moves)
}

/// The boards after a move on each, seen from the opponent; all moves must be legal.
///
/// >>> batch.legal_moves(batch.play(boards[:1], np.array([37]))) == batch.legal_moves(boards[1:])
/// array([ True])
#[pyfunction]
#[pyo3(signature = (boards, actions, *, size = 8))]
pub(crate) fn play<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    actions: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let moves = moves(actions, boards.len(), geometry)?;
    let next = py.detach(|| Backend::best().run(PlayAll { boards: &boards, moves: &moves, geometry }));
    let next = next?.map_err(|index| {
        let label = moves[index].label(geometry);
        errors::illegal(format!("board {index}: {label} is not a legal move"))
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

impl<E: Evaluation> Ask for Estimate<E> {
    type Answer = f32;
    #[inline(always)]
    fn ask<I: Isa>(&self, isa: I, board: Board) -> f32 {
        let moves = isa.legal_moves(board, board.empties(self.1));
        let state = self.0.begin(isa, board);
        self.0.evaluate(isa, board, moves, &state) as f32 / UNITS as f32
    }
}

impl EvaluationTask for Estimates<'_> {
    type Output = Result<Vec<f32>, OutOfMemory>;
    fn run<V: Variant, E: Evaluation + 'static>(self, _: V, evaluation: E) -> Self::Output {
        each(self.py, self.boards, Estimate(evaluation, self.geometry))
    }
}

/// The static value of each board under an evaluation, in discs for the mover.
///
/// >>> batch.estimate(boards).shape
/// (2,)
#[pyfunction]
#[pyo3(signature = (boards, *, evaluation = None, variant = "reversed", size = 8))]
pub(crate) fn estimate<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    evaluation: Option<&str>,
    variant: &str,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let (variant, geometry) = (convert::variant(variant)?, geometry(size)?);
    let boards = self::boards(boards, geometry)?;
    let evaluation = evaluation.unwrap_or_else(|| usual_evaluation(variant, geometry));
    let task = Estimates { py, boards: &boards, geometry };
    let estimates = with_evaluation(evaluation, variant, geometry, task).map_err(errors::input)?;
    Ok(estimates?.into_pyarray(py))
}
