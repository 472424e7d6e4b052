//! Many boards at once: numpy arrays in and out, with the interpreter's lock released.
//!
//! A batch of boards is an array of the shape (n, 2) and the type uint64: the mover's discs and the other side's.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1,
    PyReadonlyArray2, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Move, Square, Variant, VariantKind};
use turncoat_eval::{Estimator, UNITS};
use turncoat_players::flagship::{EstimatorTask, usual_evaluation, with_evaluation};

use crate::convert::{self, geometry, place};
use crate::errors;

/// An array of small whole numbers, read row by row.
pub(crate) struct Whole {
    pub(crate) shape: Vec<usize>,
    pub(crate) numbers: Vec<i8>,
}

/// The numbers of anything that numpy can make an array of whole numbers of.
pub(crate) fn whole_numbers(array: &Bound<'_, PyAny>) -> PyResult<Whole> {
    let py = array.py();
    if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, i8>>() {
        return Ok(Whole {
            shape: array.shape().to_vec(),
            numbers: array.as_array().iter().copied().collect(),
        });
    }
    let made = py.import("numpy")?.call_method1("asarray", (array,))?;
    let keywords: Bound<'_, PyDict> = [("casting", "same_kind")].into_py_dict(py)?;
    let wide = made.call_method("astype", ("int64",), Some(&keywords));
    let wide = wide.map_err(|_| errors::input("an array of whole numbers is wanted"))?;
    let wide = wide.extract::<PyReadonlyArrayDyn<'_, i64>>()?;
    let narrow = |&number: &i64| {
        let fault = || errors::input(format!("{number} is no cell of a board"));
        i8::try_from(number).map_err(|_| fault())
    };
    Ok(Whole {
        shape: wide.shape().to_vec(),
        numbers: wide
            .as_array()
            .iter()
            .map(narrow)
            .collect::<PyResult<_>>()?,
    })
}

/// The boards of an array, each checked.
pub(crate) fn boards(
    array: &PyReadonlyArray2<'_, u64>,
    geometry: Geometry,
) -> PyResult<Vec<Board>> {
    if array.shape()[1] != 2 {
        let fault = "boards are an array of the shape (n, 2): the mover's discs, the other side's";
        return Err(errors::input(fault));
    }
    let read = |(index, words): (usize, [u64; 2])| {
        convert::board(words[0], words[1], geometry).ok_or_else(|| {
            errors::input(format!(
                "board {index}: a square has two discs, or is not on a board of {geometry}"
            ))
        })
    };
    let rows = array.as_array();
    if let Some(words) = rows.as_slice() {
        let words = words.as_chunks().0.iter().copied();
        return words.enumerate().map(read).collect();
    }
    let rows = rows.outer_iter().map(|row| [row[0], row[1]]);
    rows.enumerate().map(read).collect()
}

/// Boards as an array.
pub(crate) fn array<'py>(py: Python<'py>, boards: &[Board]) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let words = boards
        .iter()
        .flat_map(|board| [board.mover().0, board.other().0]);
    PyArray1::from_vec(py, words.collect()).reshape([boards.len(), 2])
}

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

/// Planes of each board: the mover's discs, then the other side's; the shape is (n, 2, size, size).
///
/// >>> batch.planes(boards).sum(axis=(2, 3)).tolist()
/// [[2, 2], [1, 4]]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    size: u8,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    planes_of(py, &boards, geometry)
}

pub(crate) fn planes_of<'py>(
    py: Python<'py>,
    boards: &[Board],
    geometry: Geometry,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let side = usize::from(geometry.side());
    let squares: Vec<Square> = geometry.cells().collect();
    let plane = |set: Bitboard| {
        squares
            .iter()
            .map(move |&square| u8::from(set.contains(square)))
    };
    let mut cells = Vec::with_capacity(boards.len() * 2 * squares.len());
    for board in boards {
        cells.extend(plane(board.mover()));
        cells.extend(plane(board.other()));
    }
    PyArray1::from_vec(py, cells).reshape([boards.len(), 2, side, side].as_slice())
}

/// Boards of the course's arrays: the shape is (n, size, size), -1 black, 0 empty, 1 white; `sides` move.
///
/// >>> arrays = np.stack([Board().to_array(), Board("f5").to_array()])
/// >>> bool((batch.from_arrays(arrays, [-1, 1]) == boards).all())
/// True
#[pyfunction]
pub(crate) fn from_arrays<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyAny>,
    sides: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let (cells, sides) = (whole_numbers(arrays)?, whole_numbers(sides)?);
    let (count, geometry) = match cells.shape[..] {
        [count, rows, columns] if rows == columns && rows <= 8 => (count, geometry(rows as u8)?),
        _ => return Err(errors::input("boards are an array of the shape (n, 8, 8)")),
    };
    if sides.shape != [count] {
        return Err(errors::input("as many sides as boards are wanted"));
    }
    let squares: Vec<Square> = geometry.cells().collect();
    let mut boards = Vec::with_capacity(count);
    for (index, (cells, &side)) in cells
        .numbers
        .chunks(squares.len())
        .zip(&sides.numbers)
        .enumerate()
    {
        convert::color(side.into())?;
        let mut words = [0u64; 2];
        for (square, &cell) in squares.iter().zip(cells) {
            if cell.unsigned_abs() > 1 {
                let fault = format!("board {index}: {cell} is no cell: -1, 0 and 1 are");
                return Err(errors::input(fault));
            }
            words[0] |= u64::from(cell == side) << square.index();
            words[1] |= u64::from(cell == -side) << square.index();
        }
        boards.extend(convert::board(words[0], words[1], geometry));
    }
    array(py, &boards)
}

/// Boards as the course's arrays.
///
/// >>> bool((batch.to_arrays(boards, [-1, 1])[1] == Board("f5").to_array()).all())
/// True
#[pyfunction]
#[pyo3(signature = (boards, sides, *, size = 8))]
pub(crate) fn to_arrays<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    sides: &Bound<'py, PyAny>,
    size: u8,
) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(&boards, geometry)?;
    let sides = whole_numbers(sides)?;
    if sides.shape != [boards.len()] {
        return Err(errors::input("as many sides as boards are wanted"));
    }
    let squares: Vec<Square> = geometry.cells().collect();
    let mut cells = Vec::with_capacity(boards.len() * squares.len());
    for (board, &side) in boards.iter().zip(&sides.numbers) {
        convert::color(side.into())?;
        cells.extend(squares.iter().map(|&square| {
            side * (i8::from(board.mover().contains(square))
                - i8::from(board.other().contains(square)))
        }));
    }
    let side = usize::from(size);
    PyArray1::from_vec(py, cells).reshape([boards.len(), side, side].as_slice())
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
