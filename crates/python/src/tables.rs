//! `Tables`: many games at once, for learners.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Color, Geometry, Move, VariantKind};

use crate::arrays::{array, planes_of};
use crate::batch::{after, fill_mask, moves};
use crate::convert::{geometry, number, variant};
use crate::errors;

/// Games that are played side by side, one move in each at every step.
///
/// >>> import numpy as np
/// >>> from turncoat.batch import Tables
/// >>> tables = Tables(2)
/// >>> rewards, done = tables.step(np.array([19, 37]))
/// >>> rewards.tolist(), done.tolist(), tables.sides.tolist()
/// ([0.0, 0.0], [False, False], [1, 1])
#[pyclass(name = "Tables", module = "turncoat.batch", frozen)]
pub(crate) struct PyTables {
    variant: VariantKind,
    geometry: Geometry,
    state: Mutex<Vec<Seat>>,
}

/// One game.
#[derive(Clone, Copy)]
struct Seat {
    board: Board,
    side: Color,
    /// Both sides' legal moves.
    moves: [Bitboard; 2],
}

impl Seat {
    fn start<I: Isa>(isa: I, geometry: Geometry) -> Self {
        Self::of(isa, Board::start(geometry), Color::Black, geometry)
    }

    #[inline(always)]
    fn of<I: Isa>(isa: I, board: Board, side: Color, geometry: Geometry) -> Self {
        let empties = board.empties(geometry);
        let moves = [board, board.pass()].map(|board| isa.legal_moves(board, empties));
        Self { board, side, moves }
    }

    fn is_over(&self) -> bool {
        self.moves.iter().all(|set| set.is_empty())
    }
}

struct Start(Geometry);

impl Task for Start {
    type Output = Seat;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Seat {
        Seat::start(isa, self.0)
    }
}

/// A move on every board; the reward of whoever made it, and whether it ended the game.
struct Step<'a> {
    seats: &'a [Seat],
    moves: &'a [Move],
    variant: VariantKind,
    geometry: Geometry,
}

/// What a step has made: the games after it, rewards, and which ended.
type Stepped = (Vec<Seat>, Vec<f32>, Vec<bool>);

impl Task for Step<'_> {
    type Output = Result<Stepped, usize>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let count = self.seats.len();
        let mut next = Vec::with_capacity(count);
        let (mut rewards, mut ended) = (vec![0.0; count], vec![false; count]);
        for (index, (seat, &played)) in self.seats.iter().zip(self.moves).enumerate() {
            let board = after(isa, seat.board, played, self.geometry).ok_or(index)?;
            let mut seat = Seat::of(isa, board, !seat.side, self.geometry);
            if seat.is_over() {
                let score = seat.board.final_score_of(self.variant, self.geometry);
                // It is the other side's turn now: what is bad for it is good for whoever moved.
                rewards[index] = -(score.discs().signum() as f32);
                ended[index] = true;
                seat = Seat::start(isa, self.geometry);
            }
            next.push(seat);
        }
        Ok((next, rewards, ended))
    }
}

#[pymethods]
impl PyTables {
    /// This many games, all at their start.
    #[new]
    #[pyo3(signature = (count, *, variant = "reversed", size = 8))]
    fn new(count: usize, variant: &str, size: u8) -> PyResult<Self> {
        if count == 0 || count > 1 << 24 {
            return Err(errors::input("1 to 16777216 games can be played at once"));
        }
        let geometry = geometry(size)?;
        Ok(Self {
            variant: self::variant(variant)?,
            geometry,
            state: Mutex::new(vec![Backend::best().run(Start(geometry)); count]),
        })
    }

    fn __len__(&self) -> usize {
        self.seats().len()
    }

    /// All games at their start again.
    fn reset(&self) {
        let start = Backend::best().run(Start(self.geometry));
        self.seats().fill(start);
    }

    /// The sides to move: -1 black, 1 white.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_vec(
            py,
            self.seats().iter().map(|seat| number(seat.side)).collect(),
        )
    }

    /// The boards as words, (n, 2).
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        array(py, &self.all_boards())
    }

    /// Planes of every board, mover first: (n, 2, size, size).
    ///
    /// >>> Tables(3, size=6).planes().shape
    /// (3, 2, 6, 6)
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        planes_of(py, &self.all_boards(), self.geometry)
    }

    /// The legal moves of every board by their numbers, the last one the pass: (n, size * size + 1).
    ///
    /// >>> Tables(3).legal_mask().sum(axis=1).tolist()
    /// [4, 4, 4]
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let width = usize::from(self.geometry.area()) + 1;
        let seats = self.seats().clone();
        let mut mask = vec![false; seats.len() * width];
        for (row, seat) in mask.chunks_mut(width).zip(&seats) {
            fill_mask(row, seat.moves, self.geometry);
        }
        PyArray1::from_vec(py, mask).reshape([seats.len(), width])
    }

    /// Makes a move in every game: rewards of those who moved (1 won, -1 lost, 0 drawn or not over), and which
    /// games ended. Those begin anew. If a move is illegal nothing is changed.
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>)> {
        let seats = self.seats().clone();
        let moves = moves(&actions, seats.len(), self.geometry)?;
        let stepped = py.detach(|| {
            Backend::best().run(Step {
                seats: &seats,
                moves: &moves,
                variant: self.variant,
                geometry: self.geometry,
            })
        });
        let (next, rewards, ended) = stepped.map_err(|index| {
            let label = moves[index].label(self.geometry);
            errors::illegal(format!("game {index}: {label} is no legal move"))
        })?;
        *self.seats() = next;
        Ok((
            PyArray1::from_vec(py, rewards),
            PyArray1::from_vec(py, ended),
        ))
    }
}

impl PyTables {
    fn seats(&self) -> MutexGuard<'_, Vec<Seat>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all_boards(&self) -> Vec<Board> {
        self.seats().iter().map(|seat| seat.board).collect()
    }
}
