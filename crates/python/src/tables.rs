//! `Tables`: many games at once, for reinforcement learning.

use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayDyn};
use pyo3::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Color, Geometry, Move, VariantKind};

use crate::arrays::{OutOfMemory, array, planes_of, shaped_planes, try_collect, with_capacity};
use crate::batch::{after, mask_of, moves, shaped_mask};
use crate::convert::{self, geometry, number, variant};
use crate::errors;

/// Games played side by side, one move in each per step.
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
    count: usize,
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
        Self::new(isa, Board::start(geometry), Color::Black, geometry)
    }

    #[inline(always)]
    fn new<I: Isa>(isa: I, board: Board, side: Color, geometry: Geometry) -> Self {
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

/// A move on every board; the mover's reward, and whether it ended the game.
struct Step<'a> {
    seats: &'a [Seat],
    moves: &'a [Move],
    variant: VariantKind,
    geometry: Geometry,
}

/// The result of a step: the games after it, rewards, and which ended.
type Stepped = (Vec<Seat>, Vec<f32>, Vec<bool>);

impl Task for Step<'_> {
    type Output = Result<Result<Stepped, usize>, OutOfMemory>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let count = self.seats.len();
        let (mut next, mut rewards, mut ended) = (with_capacity(count)?, with_capacity(count)?, with_capacity(count)?);
        for (index, (seat, &played)) in self.seats.iter().zip(self.moves).enumerate() {
            let Some(board) = after(isa, seat.board, played, self.geometry) else {
                return Ok(Err(index));
            };
            let mut seat = Seat::new(isa, board, !seat.side, self.geometry);
            let (over, mut reward) = (seat.is_over(), 0.0);
            if over {
                let score = seat.board.final_score_of(self.variant, self.geometry);
                // The opponent is to move now: its loss is the reward of the side that moved.
                reward = -(score.discs().signum() as f32);
                seat = Seat::start(isa, self.geometry);
            }
            next.push(seat);
            rewards.push(reward);
            ended.push(over);
        }
        Ok(Ok((next, rewards, ended)))
    }
}

#[pymethods]
impl PyTables {
    /// This many games, all at the initial position.
    #[new]
    #[pyo3(signature = (count, *, variant = "reversed", size = 8))]
    fn new(
        #[pyo3(from_py_with = convert::number_of)] count: usize,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
    ) -> PyResult<Self> {
        if count == 0 || count > 1 << 24 {
            return Err(errors::input("1 to 16777216 games can be played at once"));
        }
        let geometry = geometry(size)?;
        let mut seats = with_capacity(count)?;
        seats.resize(count, Backend::best().run(Start(geometry)));
        Ok(Self { variant: self::variant(variant)?, geometry, count, state: Mutex::new(seats) })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Restarts all games.
    ///
    /// >>> tables = Tables(2)
    /// >>> tables.reset()
    /// >>> tables.sides.tolist()
    /// [-1, -1]
    fn reset(&self, py: Python<'_>) {
        let start = Backend::best().run(Start(self.geometry));
        self.with(py, |seats| seats.fill(start));
    }

    /// The sides to move: -1 black, 1 white.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let sides = self.with(py, |seats| try_collect(seats.iter().map(|seat| number(seat.side))))?;
        Ok(PyArray1::from_vec(py, sides))
    }

    /// The boards as words, in shape (n, 2).
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let boards = self.with(py, |seats| try_collect(seats.iter().map(|seat| seat.board)))?;
        array(py, &boards)
    }

    /// The planes of every board, mover first, in shape (n, 2, size, size).
    ///
    /// >>> Tables(3, size=6).planes().shape
    /// (3, 2, 6, 6)
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let geometry = self.geometry;
        let cells = self.with(py, |seats| planes_of(seats.iter().map(|seat| seat.board), geometry))?;
        shaped_planes(py, cells, geometry)
    }

    /// The masks of the legal moves by their numbers, the pass last, in shape (n, size * size + 1).
    ///
    /// >>> Tables(3).legal_mask().sum(axis=1).tolist()
    /// [4, 4, 4]
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let geometry = self.geometry;
        let mask = self.with(py, |seats| mask_of(seats.iter().map(|seat| seat.moves), geometry))?;
        shaped_mask(py, mask, geometry)
    }

    /// Plays a move in every game and returns the movers' rewards (1 won, -1 lost, 0 drawn or not over) and which games
    /// ended. Those restart. If a move is illegal nothing changes.
    ///
    /// >>> Tables(2).step([19, 64])
    /// Traceback (most recent call last):
    /// ...
    /// turncoat.errors.IllegalMoveError: game 1: pass is not a legal move
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>)> {
        let moves = moves(actions, self.count, self.geometry)?;
        // No other step may start from the same boards.
        let stepped = self.with(py, |seats| -> Result<_, OutOfMemory> {
            let stepped =
                Backend::best().run(Step { seats, moves: &moves, variant: self.variant, geometry: self.geometry })?;
            Ok(stepped.map(|(next, rewards, ended)| {
                *seats = next;
                (rewards, ended)
            }))
        })?;
        let (rewards, ended) = stepped.map_err(|index| {
            let label = moves[index].label(self.geometry);
            errors::illegal(format!("game {index}: {label} is not a legal move"))
        })?;
        Ok((PyArray1::from_vec(py, rewards), PyArray1::from_vec(py, ended)))
    }
}

impl PyTables {
    /// Works on the games while other Python threads run; one at a time.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Vec<Seat>) -> T + Send) -> T {
        py.detach(|| {
            let mut seats = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut seats)
        })
    }
}
