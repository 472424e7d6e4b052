//! Boards as numpy arrays: the course's cells, planes, and pairs of words.
//!
//! A batch of boards is a uint64 array of shape (n, 2): the mover's discs and the opponent's.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use turncoat_board::{Board, Geometry, Square};

use crate::convert::{self, geometry};
use crate::errors;

/// The error for anything but a batch of boards.
const SHAPE: &str = "boards are an array of the shape (n, 2) and the type uint64: the mover's discs, the other side's";

/// The error that there is no memory for an array of this many bytes.
#[derive(Debug)]
pub(crate) struct OutOfMemory(usize);

impl From<OutOfMemory> for PyErr {
    fn from(OutOfMemory(bytes): OutOfMemory) -> Self {
        PyMemoryError::new_err(format!("there is no memory for {bytes} bytes"))
    }
}

/// An empty vector with this capacity. Sizes come from the caller, and a vector that grows without memory would abort the
/// interpreter.
pub(crate) fn with_capacity<T>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut row = Vec::new();
    row.try_reserve_exact(count).map_err(|_| OutOfMemory(count.saturating_mul(size_of::<T>())))?;
    Ok(row)
}

/// Collects an iterator, if there is memory for it.
pub(crate) fn try_collect<T>(things: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut row = with_capacity(things.len())?;
    row.extend(things);
    Ok(row)
}

/// An array of integers, in row-major order.
pub(crate) struct Whole<T> {
    pub(crate) shape: Vec<usize>,
    pub(crate) numbers: Vec<T>,
}

impl<T> Whole<T> {
    fn from_array<N: Element + Copy>(
        array: &PyReadonlyArrayDyn<'_, N>,
        number: impl Fn(N) -> PyResult<T>,
    ) -> PyResult<Self> {
        let mut numbers = with_capacity(array.len())?;
        for &cell in array.as_array() {
            numbers.push(number(cell)?);
        }
        let shape = array.shape().to_vec();
        Ok(Self { shape, numbers })
    }
}

/// The integers of anything that numpy can turn into an array; `1.0` counts as an integer.
pub(crate) fn whole_numbers<T: Element + Copy + TryFrom<i64>>(array: &Bound<'_, PyAny>) -> PyResult<Whole<T>> {
    if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, T>>() {
        return Whole::from_array(&array, Ok);
    }
    let made = as_array(array)?;
    let outside = |number: &dyn std::fmt::Display| errors::input(format!("{number} is not a cell, a side or a move"));
    let narrow = |number: i64| T::try_from(number).map_err(|_| outside(&number));
    match kind(&made)? {
        'b' | 'i' => Whole::from_array(&cast::<i64>(&made, "int64")?, narrow),
        'u' => Whole::from_array(&cast::<u64>(&made, "uint64")?, |number| {
            narrow(i64::try_from(number).map_err(|_| outside(&number))?)
        }),
        'f' => Whole::from_array(&cast::<f64>(&made, "float64")?, |number| {
            if number.fract() != 0.0 || number.abs() > 1e15 {
                return Err(errors::input(format!("{number} is not an integer")));
            }
            narrow(number as i64)
        }),
        _ => Err(errors::input("expected an array of integers")),
    }
}

fn as_array<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let made = py.import("numpy")?.call_method1("asarray", (array,));
    made.map_err(|error| {
        if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py) {
            return errors::input(format!("not an array: {}", error.value(py)));
        }
        error
    })
}

/// The `kind` of a numpy array: `i` for integers, `f` for floats.
fn kind(array: &Bound<'_, PyAny>) -> PyResult<char> {
    array.getattr("dtype")?.getattr("kind")?.extract()
}

fn cast<'py, T: Element>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    array.call_method1("astype", (name,))?.extract()
}

/// Pairs of words, one per board.
fn rows(elements: Bound<'_, PyIterator>) -> PyResult<Vec<[u64; 2]>> {
    let mut rows = Vec::new();
    for row in elements {
        let row = row?.extract()?;
        rows.try_reserve(1).map_err(|_| OutOfMemory(rows.len().saturating_mul(32)))?;
        rows.push(row);
    }
    Ok(rows)
}

/// The words of boards, as uint64 or as int64 with the same bits.
fn words<'py>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, u64>> {
    if let Ok(words) = array.extract() {
        return Ok(words);
    }
    // numpy turns a list of small and large integers into floats.
    if let Ok(rows) = convert::elements(array).and_then(rows) {
        let count = rows.len();
        let words = PyArray1::from_vec(array.py(), rows.into_flattened());
        return Ok(words.reshape([count, 2])?.readonly());
    }
    let made = as_array(array)?;
    let empty = made.getattr("size")?.extract::<usize>()? == 0;
    let words = match kind(&made)? {
        _ if empty => made.call_method1("reshape", ((0, 2),))?.call_method1("astype", ("uint64",))?,
        'i' | 'u' => made.call_method1("astype", ("int64",))?.call_method1("view", ("uint64",))?,
        _ => return Err(errors::input(SHAPE)),
    };
    words.extract().map_err(|_| errors::input(SHAPE))
}

/// The boards of an array, each checked.
pub(crate) fn boards(array: &Bound<'_, PyAny>, geometry: Geometry) -> PyResult<Vec<Board>> {
    let array = words(array)?;
    if array.shape()[1] != 2 {
        return Err(errors::input(SHAPE));
    }
    let mut boards = with_capacity(array.shape()[0])?;
    let mut take = |words: [u64; 2]| -> PyResult<()> {
        let board = convert::board(words[0], words[1], geometry).ok_or_else(|| {
            let index = boards.len();
            errors::input(format!("board {index}: a square has two discs, or is not on a {geometry} board"))
        })?;
        boards.push(board);
        Ok(())
    };
    let rows = array.as_array();
    if let Some(words) = rows.as_slice() {
        words.as_chunks().0.iter().try_for_each(|&row| take(row))?;
    } else {
        let mut rows = rows.outer_iter();
        rows.try_for_each(|row| take([row[0], row[1]]))?;
    }
    Ok(boards)
}

/// Boards as an array.
pub(crate) fn array<'py>(py: Python<'py>, boards: &[Board]) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let mut words = with_capacity(2 * boards.len())?;
    for board in boards {
        words.extend([board.mover().0, board.other().0]);
    }
    PyArray1::from_vec(py, words).reshape([boards.len(), 2])
}

/// The planes of each board: the mover's discs, then the opponent's, in shape (n, 2, size, size).
///
/// >>> batch.planes(boards).sum(axis=(2, 3)).tolist()
/// [[2, 2], [1, 4]]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let cells = py.detach(|| planes_of(boards.iter().copied(), geometry))?;
    shaped_planes(py, cells, geometry)
}

/// The cells of the planes, board by board.
pub(crate) fn planes_of(
    boards: impl ExactSizeIterator<Item = Board>,
    geometry: Geometry,
) -> Result<Vec<u8>, OutOfMemory> {
    let squares: Vec<Square> = geometry.cells().collect();
    let mut cells = with_capacity(boards.len().saturating_mul(2 * squares.len()))?;
    for board in boards {
        for set in [board.mover(), board.other()] {
            let cell = |&square: &Square| u8::from(set.contains(square));
            cells.extend(squares.iter().map(cell));
        }
    }
    Ok(cells)
}

/// Cells reshaped as planes.
pub(crate) fn shaped_planes(py: Python<'_>, cells: Vec<u8>, geometry: Geometry) -> PyResult<Bound<'_, PyArrayDyn<u8>>> {
    let side = usize::from(geometry.side());
    let count = cells.len() / (2 * side * side);
    PyArray1::from_vec(py, cells).reshape([count, 2, side, side].as_slice())
}

/// Boards from the course's arrays of shape (n, size, size): -1 black, 0 empty, 1 white; `sides` are to move.
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
    let (cells, sides) = (whole_numbers::<i8>(arrays)?, whole_numbers::<i8>(sides)?);
    let (count, geometry) = match cells.shape[..] {
        [0] => (0, Geometry::EIGHT),
        [count, rows, columns] if rows == columns && rows <= 8 => (count, geometry(rows as u8)?),
        _ => return Err(errors::input("boards are an array of shape (n, 8, 8)")),
    };
    if sides.shape != [count] {
        return Err(errors::input("there must be as many sides as boards"));
    }
    let squares: Vec<Square> = geometry.cells().collect();
    let mut boards = with_capacity(count)?;
    for (index, (cells, &side)) in cells.numbers.chunks(squares.len()).zip(&sides.numbers).enumerate() {
        convert::color(side.into())?;
        let mut words = [0u64; 2];
        for (square, &cell) in squares.iter().zip(cells) {
            if cell.unsigned_abs() > 1 {
                let fault = format!("board {index}: {cell} is not a cell: cells are -1, 0 and 1");
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
    boards: &Bound<'py, PyAny>,
    sides: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArrayDyn<i8>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let sides = whole_numbers::<i8>(sides)?;
    if sides.shape != [boards.len()] {
        return Err(errors::input("there must be as many sides as boards"));
    }
    let squares: Vec<Square> = geometry.cells().collect();
    let mut cells = with_capacity(boards.len().saturating_mul(squares.len()))?;
    for (board, &side) in boards.iter().zip(&sides.numbers) {
        convert::color(side.into())?;
        cells.extend(squares.iter().map(|&square| {
            side * (i8::from(board.mover().contains(square)) - i8::from(board.other().contains(square)))
        }));
    }
    let side = usize::from(size);
    PyArray1::from_vec(py, cells).reshape([boards.len(), side, side].as_slice())
}
