//! `Book`: an opening book, to be looked into.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use turncoat_board::{Geometry, Move, Position};
use turncoat_book::{Book, locate, set_folder};
use turncoat_players::book::{read_book, shipped_book};

use crate::board::PyBoard;
use crate::convert;
use crate::errors;

/// An opening book: that of a file, or without one the book that comes with the package for a game and size.
///
/// >>> from turncoat import Board, Book
/// >>> book = Book()
/// >>> Board("f5d6") in book
/// True
/// >>> sorted(known.move for known in book.moves(Board("f5")))
/// ['d6', 'f4', 'f6']
/// >>> book.line(Board("f5f6"))[0]
/// 'e6'
#[pyclass(name = "Book", module = "turncoat", frozen)]
pub(crate) struct PyBook(Arc<Book>);

/// A move that a book knows.
#[pyclass(name = "BookMove", module = "turncoat", frozen, get_all)]
pub(crate) struct PyBookMove {
    /// The move.
    r#move: String,
    /// Its negamaxed score in discs for the mover; ``None`` where games were counted and nothing was searched.
    score: Option<f64>,
    /// Plies searched.
    depth: u32,
    /// Whether the score is proven.
    exact: bool,
    /// Positions of the book behind it.
    positions: usize,
    /// Games with this move: won, drawn and lost by the mover.
    games: (u32, u32, u32),
}

/// Says where the books that come with the package lie.
#[pyfunction]
pub(crate) fn books_at(folder: PathBuf) {
    set_folder(folder);
}

#[pymethods]
impl PyBookMove {
    fn __repr__(&self) -> String {
        let score = self.score.map_or_else(String::new, |score| format!(" {score:+.2}"));
        format!("<BookMove {}{score}{}>", self.r#move, if self.exact { "=" } else { "" })
    }
}

#[pymethods]
impl PyBook {
    #[new]
    #[pyo3(signature = (file = None, *, variant = "reversed", size = 8))]
    fn new(
        py: Python<'_>,
        file: Option<PathBuf>,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
    ) -> PyResult<Self> {
        let (variant, geometry) = (convert::variant(variant)?, convert::geometry(size)?);
        py.detach(|| match file {
            Some(path) => read_book(&path).map(Arc::new).map_err(errors::input),
            None => shipped_book(variant, geometry)
                .map_err(errors::input)?
                .ok_or_else(|| errors::input(format!("no book for {variant} on {geometry} comes with the package"))),
        })
        .map(Self)
    }

    /// The file of the book that comes with the package, if there is one.
    #[staticmethod]
    #[pyo3(signature = (*, variant = "reversed", size = 8))]
    fn file(variant: &str, #[pyo3(from_py_with = convert::size)] size: u8) -> PyResult<Option<PathBuf>> {
        Ok(locate(convert::variant(variant)?, convert::geometry(size)?))
    }

    /// The game: ``"reversed"`` or ``"reversi"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.0.variant().name()
    }

    /// Squares a side.
    #[getter]
    fn size(&self) -> u8 {
        self.0.geometry().side()
    }

    /// The evaluation that scored it.
    #[getter]
    fn evaluation(&self) -> &str {
        &self.0.evaluation().name
    }

    /// The number of positions.
    fn __len__(&self) -> usize {
        self.0.entries().len()
    }

    /// Whether it has a board, in whatever orientation.
    fn __contains__(&self, board: PyBoard) -> bool {
        self.0.find(board.0).is_some()
    }

    /// What a board is worth to its mover in discs, negamaxed; ``None`` if the book does not have it.
    ///
    /// >>> -5 < Book().score(Board("f5")) < 0
    /// True
    fn score(&self, board: PyBoard) -> PyResult<Option<f64>> {
        Ok(self.0.find(self.fits(board)?).map(turncoat_book::Entry::value))
    }

    /// Whether the score of a board is proven.
    fn exact(&self, board: PyBoard) -> PyResult<bool> {
        Ok(self.0.find(self.fits(board)?).is_some_and(turncoat_book::Entry::is_proven))
    }

    /// The moves of a board that the book knows, best first.
    fn moves(&self, board: PyBoard) -> PyResult<Vec<PyBookMove>> {
        let position = self.fits(board)?;
        let known = |known: turncoat_book::BookMove| PyBookMove {
            r#move: position.geometry().label(known.square),
            score: known.value,
            depth: known.depth,
            exact: known.is_proven,
            positions: self.0.behind_move(position, known.square),
            games: (known.games.wins, known.games.draws, known.games.losses),
        };
        Ok(self.0.moves(position).into_iter().map(known).collect())
    }

    /// The best line from a board on, as far as the book goes, passes included.
    fn line(&self, board: PyBoard) -> PyResult<Vec<String>> {
        let label = |played: &Move| played.label(self.0.geometry());
        Ok(self.0.line(self.fits(board)?).iter().map(label).collect())
    }

    fn __repr__(&self) -> String {
        format!("<Book of {} on {}, {} positions>", self.variant(), self.0.geometry(), self.__len__())
    }
}

impl PyBook {
    /// The position of a board of the book's size.
    fn fits(&self, board: PyBoard) -> PyResult<Position> {
        let (own, given): (Geometry, Geometry) = (self.0.geometry(), board.0.geometry());
        if own == given {
            return Ok(board.0);
        }
        Err(errors::input(format!("the book is for {own}, not for {given}")))
    }
}
