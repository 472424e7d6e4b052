//! Conversions of colours, moves, variants, sizes and limits from Python.

use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySequence, PyString};
use turncoat_board::{Board, Color, Geometry, Move, Position, Square, VariantKind};
use turncoat_players::Limits;

use crate::arrays::whole_numbers;
use crate::errors;

/// The course's number for a colour: black -1, white 1.
pub(crate) const fn number(color: Color) -> i8 {
    match color {
        Color::Black => -1,
        Color::White => 1,
    }
}

/// The colour with this number.
pub(crate) fn color(number: i64) -> PyResult<Color> {
    match number {
        -1 => Ok(Color::Black),
        1 => Ok(Color::White),
        other => Err(errors::input(format!("a side is -1 (black) or 1 (white), not {other}"))),
    }
}

/// The variant with this name.
pub(crate) fn variant(name: &str) -> PyResult<VariantKind> {
    name.parse().map_err(errors::input)
}

/// The board of this size.
pub(crate) fn geometry(size: u8) -> PyResult<Geometry> {
    Geometry::from_side(size).map_err(errors::input)
}

/// A number from Python; one that does not fit the type is an `InputError` too.
pub(crate) fn number_of<'a, 'py, T: FromPyObject<'a, 'py>>(value: &'a Bound<'py, PyAny>) -> PyResult<T> {
    let py = value.py();
    value.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyOverflowError>(py) {
            return errors::input(format!("{value} is too small or too large"));
        }
        error
    })
}

/// The elements of a sequence, one after the other. Its own word on its length is not believed: to reserve as much may
/// abort the interpreter.
pub(crate) fn elements<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if sequence.is_instance_of::<PyString>() || sequence.cast::<PySequence>().is_err() {
        let kind = sequence.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!("expected a sequence, not '{kind}'")));
    }
    sequence.try_iter()
}

/// The texts of a sequence.
pub(crate) fn texts(sequence: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    elements(sequence)?.map(|element| element?.extract()).collect()
}

/// The board's side, checked later by [`geometry`].
pub(crate) fn size(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    let size = number_of::<i64>(value)?;
    u8::try_from(size).map_err(|_| errors::input(format!("no board has {size} squares a side: sizes are 8, 6 and 4")))
}

/// The same as an optional argument.
pub(crate) fn optional_size(value: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    if value.is_none() {
        return Ok(None);
    }
    size(value).map(Some)
}

/// The number of a move: its square's index row by row, or one past the last for a pass.
pub(crate) fn action(played: Move, geometry: Geometry) -> usize {
    match played {
        Move::Pass => usize::from(geometry.area()),
        Move::Place(square) => place(square, geometry),
    }
}

/// The index of a square, row by row.
pub(crate) fn place(square: Square, geometry: Geometry) -> usize {
    let (row, column) = (row(square, geometry), column(square, geometry));
    usize::from(row) * usize::from(geometry.side()) + usize::from(column)
}

pub(crate) const fn row(square: Square, geometry: Geometry) -> u8 {
    square.row() - geometry.margin()
}

pub(crate) const fn column(square: Square, geometry: Geometry) -> u8 {
    square.column() - geometry.margin()
}

/// The move with this number.
pub(crate) fn move_of_action(action: i64, geometry: Geometry) -> PyResult<Move> {
    let area = i64::from(geometry.area());
    if action == area {
        return Ok(Move::Pass);
    }
    if !(0..area).contains(&action) {
        let fault = format!("moves are 0 to {area} on this board, not {action}");
        return Err(errors::input(fault));
    }
    let side = i64::from(geometry.side());
    at(action / side, action % side, geometry)
}

fn at(row: i64, column: i64, geometry: Geometry) -> PyResult<Move> {
    let index = |number: i64| u8::try_from(number).ok();
    let square = index(row).zip(index(column)).and_then(|(row, column)| geometry.square_at(row, column));
    square
        .map(Move::Place)
        .ok_or_else(|| errors::input(format!("({row}, {column}) is not a square of a {geometry} board")))
}

/// A move in any accepted form: `"f5"`, `"pass"`, its number, or row and column.
pub(crate) fn move_of(written: &Bound<'_, PyAny>, geometry: Geometry) -> PyResult<Move> {
    if let Ok(text) = written.extract::<String>() {
        return Move::parse(text.trim(), geometry).ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            errors::input(format!("{shown:?} is not a move on a {geometry} board"))
        });
    }
    if let Ok(action) = written.extract::<i64>() {
        return move_of_action(action, geometry);
    }
    if let Ok((row, column)) = written.extract::<(i64, i64)>() {
        return at(row, column, geometry);
    }
    // Lists and arrays; a single fraction is none.
    let pair = whole_numbers::<i64>(written).ok();
    if let Some(Ok([row, column])) = pair.map(|pair| <[i64; 2]>::try_from(pair.numbers)) {
        return at(row, column, geometry);
    }
    Err(errors::input("a move is a string such as \"f5\", a number, or a row and a column"))
}

/// The position after a move, if it is legal.
pub(crate) fn play(position: Position, played: Move) -> PyResult<Position> {
    let mut game = turncoat_board::Game::from_position(VariantKind::Reversed, position);
    game.play(played).map_err(errors::illegal)?;
    Ok(game.position())
}

/// The limits of a decision.
pub(crate) fn limits(time: Option<f64>, depth: Option<u32>, nodes: Option<u64>) -> PyResult<Limits> {
    let time = time
        .map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| errors::input(format!("no time is {seconds} seconds long")))
        })
        .transpose()?;
    Ok(Limits { time, depth, nodes, ..Limits::default() })
}

/// A board from two words, if they are valid.
pub(crate) fn board(mover: u64, other: u64, geometry: Geometry) -> Option<Board> {
    let outside = (mover | other) & !geometry.squares().0;
    Board::new(turncoat_board::Bitboard(mover), turncoat_board::Bitboard(other)).filter(|_| outside == 0)
}
