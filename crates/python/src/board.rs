//! `Board`: a position with its side to move.

use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use turncoat_board::{Bitboard, Color, Geometry, Move, Position, Setup, Symmetry, perft};
use turncoat_record::input;
use turncoat_record::svg::{self, Marks};

use crate::arrays::whole_numbers;
use crate::convert::{self, action, color, geometry, move_of, number};
use crate::errors;
use crate::think::think;

/// A position: discs, the side to move and the size. Immutable; playing returns a new one.
///
/// >>> from turncoat import Board
/// >>> board = Board()
/// >>> board.legal_moves()
/// ['d3', 'c4', 'f5', 'e6']
/// >>> board.play("f5").legal_moves()
/// ['f4', 'd6', 'f6']
/// >>> print(Board(size=4))
/// -----OX--XO----- X
#[pyclass(name = "Board", module = "turncoat", frozen, from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct PyBoard(pub(crate) Position);

#[pymethods]
impl PyBoard {
    /// Reads a position: cells row by row and the side to move, a board in lines, a transcript, or ``"start"``.
    ///
    /// >>> Board("f5d6").side
    /// -1
    /// >>> Board("....\n.OX.\n.XO.\n....") == Board(size=4)
    /// True
    #[new]
    #[pyo3(signature = (text = "start", *, size = 8))]
    fn new(text: &str, #[pyo3(from_py_with = convert::size)] size: u8) -> PyResult<Self> {
        let geometry = geometry(size)?;
        let game = input::parse(text, turncoat_board::VariantKind::Reversed, geometry);
        Ok(Self(game.map_err(errors::input)?.position()))
    }

    /// The position in the course's array: -1 black, 0 empty, 1 white, rows from the top.
    ///
    /// >>> Board.from_array(Board().to_array(), -1) == Board()
    /// True
    #[staticmethod]
    fn from_array(array: &Bound<'_, PyAny>, #[pyo3(from_py_with = convert::number_of)] side: i64) -> PyResult<Self> {
        let cells = whole_numbers::<i8>(array)?;
        let geometry = match cells.shape[..] {
            [rows, columns] if rows == columns && rows <= 8 => geometry(rows as u8)?,
            _ => return Err(errors::input("a board is an array of shape 8x8, 6x6 or 4x4")),
        };
        let mut sets = [Bitboard::EMPTY; 2];
        for (square, &cell) in geometry.cells().zip(&cells.numbers) {
            match cell {
                0 => {}
                -1 => sets[0] |= Bitboard::from_square(square),
                1 => sets[1] |= Bitboard::from_square(square),
                other => {
                    let label = geometry.label(square);
                    return Err(errors::input(format!(
                        "{other} on {label} is not a cell: -1 is black, 1 is white, 0 is empty"
                    )));
                }
            }
        }
        Self::checked(geometry, sets, color(side)?)
    }

    /// The position in two planes: the mover's discs, then the opponent's.
    ///
    /// >>> Board.from_planes(Board("f5").planes(), 1) == Board("f5")
    /// True
    #[staticmethod]
    fn from_planes(planes: &Bound<'_, PyAny>, #[pyo3(from_py_with = convert::number_of)] side: i64) -> PyResult<Self> {
        let cells = whole_numbers::<i8>(planes)?;
        let geometry = match cells.shape[..] {
            [2, rows, columns] if rows == columns && rows <= 8 => geometry(rows as u8)?,
            _ => {
                return Err(errors::input("planes are an array of shape 2x8x8, 2x6x6 or 2x4x4"));
            }
        };
        if let Some(other) = cells.numbers.iter().find(|cell| !(0..=1).contains(*cell)) {
            let fault = format!("{other} is not a cell of a plane: 1 is a disc, 0 is none");
            return Err(errors::input(fault));
        }
        let plane = |numbers: &[i8]| -> Bitboard {
            let squares = geometry.cells().zip(numbers);
            squares.filter(|(_, set)| **set != 0).map(|(square, _)| square).collect()
        };
        let (mover, other) = cells.numbers.split_at(usize::from(geometry.area()));
        let side = color(side)?;
        let sets = match side {
            Color::Black => [plane(mover), plane(other)],
            Color::White => [plane(other), plane(mover)],
        };
        Self::checked(geometry, sets, side)
    }

    /// The board's side: 8, 6 or 4.
    #[getter]
    fn size(&self) -> u8 {
        self.0.geometry().side()
    }

    /// The side to move: -1 black, 1 white.
    #[getter]
    fn side(&self) -> i8 {
        number(self.0.side())
    }

    /// The number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.empties()
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Whether the mover has no legal move and the opponent has one.
    #[getter]
    fn must_pass(&self) -> bool {
        self.0.must_pass()
    }

    /// The mover's and the opponent's discs as two 64-bit words; bit row * 8 + column, small boards centred.
    ///
    /// >>> [hex(word) for word in Board().words]
    /// ['0x810000000', '0x1008000000']
    #[getter]
    fn words(&self) -> (u64, u64) {
        (self.0.board().mover().0, self.0.board().other().0)
    }

    /// The number of discs of a colour.
    ///
    /// >>> Board("f5").count(-1)
    /// 4
    fn count(&self, #[pyo3(from_py_with = convert::number_of)] color: i64) -> PyResult<u32> {
        Ok(self.0.discs(convert::color(color)?).count())
    }

    /// The mover's legal moves in square order; ``["pass"]`` if it must pass, empty if the game is over.
    ///
    /// >>> Board("f5").legal_moves()
    /// ['f4', 'd6', 'f6']
    fn legal_moves(&self) -> Vec<String> {
        let geometry = self.0.geometry();
        self.moves().into_iter().map(|m| m.label(geometry)).collect()
    }

    /// The mover's legal moves as numbers: row * size + column, and size * size for a pass.
    ///
    /// >>> Board().legal_actions()
    /// [19, 26, 37, 44]
    fn legal_actions(&self) -> Vec<usize> {
        let geometry = self.0.geometry();
        self.moves().into_iter().map(|m| action(m, geometry)).collect()
    }

    /// A mask of the legal moves by their numbers; the last one is the pass.
    ///
    /// >>> Board().legal_mask().shape
    /// (65,)
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; usize::from(self.0.geometry().area()) + 1];
        for action in self.legal_actions() {
            mask[action] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// The position after a move: ``"f5"``, ``"pass"``, its number, or row and column.
    ///
    /// >>> Board().play("f5") == Board().play(37) == Board().play((4, 5))
    /// True
    /// >>> Board().play("a1")
    /// Traceback (most recent call last):
    /// ...
    /// turncoat.errors.IllegalMoveError: a1: black would flip no discs there
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let played = move_of(r#move, self.0.geometry())?;
        convert::play(self.0, played).map(Self)
    }

    /// The discs that a move would flip; empty if it is illegal.
    ///
    /// >>> Board().flips("f5")
    /// ['e5']
    fn flips(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let geometry = self.0.geometry();
        let Move::Place(square) = move_of(r#move, geometry)? else {
            return Ok(Vec::new());
        };
        let flips = self.0.board().flips(square);
        Ok(flips.into_iter().map(|flip| geometry.label(flip)).collect())
    }

    /// The mover's score if the game is over, in discs; ``None`` while a side can move.
    ///
    /// >>> Board("e6f4e3f6g5d6e7f5c5").score("reversi")
    /// -64
    #[pyo3(signature = (variant = "reversed"))]
    fn score(&self, variant: &str) -> PyResult<Option<i32>> {
        let score = self.0.final_score(convert::variant(variant)?, self.0.side());
        Ok(score.map(turncoat_board::Score::discs))
    }

    /// The course's array, of type int8: -1 black, 0 empty, 1 white.
    ///
    /// >>> int(Board().to_array()[3, 3])
    /// 1
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let side = usize::from(self.size());
        let cells = self.0.geometry().cells();
        let cells = cells.map(|square| self.0.at(square).map_or(0, number));
        PyArray1::from_iter(py, cells).reshape([side, side])
    }

    /// Two planes of type uint8: the mover's discs, then the opponent's.
    ///
    /// >>> Board("f5").planes().sum(axis=(1, 2)).tolist()
    /// [1, 4]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let side = usize::from(self.size());
        let (mover, other) = (self.0.board().mover(), self.0.board().other());
        let plane = |set: Bitboard| {
            let cells = self.0.geometry().cells();
            cells.map(move |square| u8::from(set.contains(square)))
        };
        PyArray1::from_iter(py, plane(mover).chain(plane(other))).reshape([2, side, side])
    }

    /// The eight symmetric boards, this one first.
    ///
    /// >>> len({str(board) for board in Board("f5").symmetries()})
    /// 8
    fn symmetries(&self) -> Vec<Self> {
        let image = |symmetry| Self(self.0.transformed(symmetry));
        Symmetry::ALL.into_iter().map(image).collect()
    }

    /// The number of leaves of the game tree at this depth; a pass is a ply.
    ///
    /// >>> [Board().perft(depth) for depth in range(1, 7)]
    /// [4, 12, 56, 244, 1396, 8200]
    fn perft(&self, py: Python<'_>, #[pyo3(from_py_with = convert::number_of)] depth: u32) -> PyResult<u64> {
        // Some seconds; it cannot be stopped.
        if depth > 12 {
            return Err(errors::input("the depth is at most 12 plies"));
        }
        let (board, geometry) = (self.0.board(), self.0.geometry());
        think(py, &turncoat_players::StopFlag::default(), move || perft(board, geometry, depth))
    }

    /// A picture of the position with the legal moves ringed.
    ///
    /// >>> Board().svg()[:4]
    /// '<svg'
    #[pyo3(signature = (*, last = None, legal = true))]
    fn svg(&self, last: Option<&Bound<'_, PyAny>>, legal: bool) -> PyResult<String> {
        let last = last.map(|last| move_of(last, self.0.geometry())).transpose()?;
        let last = last.and_then(Move::square);
        Ok(svg::draw(self.0, Marks { last, legal }))
    }

    fn _repr_svg_(&self) -> String {
        // Notebooks draw as large as they can.
        let marks = Marks { last: None, legal: true };
        svg::draw(self.0, marks).replacen("<svg ", "<svg width=\"320\" ", 1)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let size = match self.size() {
            8 => String::new(),
            size => format!(", size={size}"),
        };
        format!("Board('{}'{size})", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__(&self) -> ((String,), Size) {
        ((self.0.to_string(),), Size { size: self.size() })
    }
}

/// The keyword arguments for unpickling.
#[derive(IntoPyObject)]
struct Size {
    size: u8,
}

impl PyBoard {
    fn checked(geometry: Geometry, [black, white]: [Bitboard; 2], side: Color) -> PyResult<Self> {
        let setup = Setup { geometry, black, white, side };
        setup.check().map(Self).map_err(errors::input)
    }

    fn moves(&self) -> Vec<Move> {
        if self.0.must_pass() {
            return vec![Move::Pass];
        }
        self.0.legal_moves().into_iter().map(Move::Place).collect()
    }
}
