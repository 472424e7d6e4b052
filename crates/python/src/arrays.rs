//! Boards as numpy arrays: the course's cells, planes, and pairs of words.
//!
//! A batch of boards is an array of the shape (n, 2) and the type uint64: the mover's discs and the other side's.

use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use turncoat_board::{Bitboard, Board, Geometry, Square};

use crate::convert::{self, geometry};
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
