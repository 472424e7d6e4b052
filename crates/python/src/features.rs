//! The features of the evaluations, as one row of numbers per board.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry};
use turncoat_eval::RootView;
use turncoat_eval::classic::features::{CLASS_LABELS, CLASSES, Count, class_masks, lead};
use turncoat_eval::patterns::{FEATURES, Row};

use crate::arrays::{OutOfMemory, boards, with_capacity};
use crate::convert::{self, geometry};

/// What is counted for the mover and then for the opponent; then the mover's discs less the opponent's in each class of
/// squares.
const WIDTH: usize = 2 * Count::ALL.len() + CLASSES;

/// The names of the columns of [`features`].
///
/// >>> from turncoat import batch
/// >>> batch.FEATURES[:4]
/// ('own discs', 'opposing discs', 'own moves', 'opposing moves')
#[pyfunction]
pub(crate) fn feature_names() -> Vec<String> {
    let name = |count: Count| count.name().replace('_', " ");
    let both = Count::ALL.iter().flat_map(|&count| ["own", "opposing"].map(|side| format!("{side} {}", name(count))));
    let classes = CLASS_LABELS.iter().map(|label| format!("lead on {label}"));
    both.chain(classes).collect()
}

struct Extract<'a> {
    boards: &'a [Board],
    geometry: Geometry,
    classes: [Bitboard; CLASSES],
}

impl Task for Extract<'_> {
    type Output = Result<Vec<i16>, OutOfMemory>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut rows = with_capacity(self.boards.len().saturating_mul(WIDTH))?;
        for &board in self.boards {
            rows.extend(row(isa, board, self.geometry, &self.classes));
        }
        Ok(rows)
    }
}

#[inline(always)]
fn row<I: Isa>(isa: I, board: Board, geometry: Geometry, classes: &[Bitboard; CLASSES]) -> [i16; WIDTH] {
    let empties = board.empties(geometry);
    let view = RootView {
        board,
        own_moves: isa.legal_moves(board, empties),
        opposing_moves: isa.legal_moves(board.pass(), empties),
        root_discs: board.discs().count(),
    };
    let mut row = [0; WIDTH];
    for (cells, count) in row.as_chunks_mut::<2>().0.iter_mut().zip(Count::ALL) {
        *cells = count.both(isa, &view, geometry).map(|count| count as i16);
    }
    for (cell, &class) in row[2 * Count::ALL.len()..].iter_mut().zip(classes) {
        *cell = lead(view.own() & class, view.opposing() & class) as i16;
    }
    row
}

/// The features of the classic evaluations: a row of int16 per board, with the columns of ``batch.FEATURES``.
///
/// For each side: discs, legal moves, discs next to an empty square (frontier), corners, discs that a walk from the
/// corners finds stable, discs that all its moves together would flip (kill), empty corners whose three neighbours are
/// its own (conquered corners), discs tied to one of its corners by rows that never widen (tied), and edge discs in a run
/// between two opposing ones (clamped). Then, for each class of squares by their distances from the nearest edges, the
/// mover's discs less the opponent's.
///
/// >>> import numpy as np
/// >>> from turncoat import Board
/// >>> boards = np.array([Board("f5").words], dtype=np.uint64)
/// >>> batch.features(boards)[0, :4].tolist()
/// [1, 4, 3, 3]
#[pyfunction]
#[pyo3(signature = (boards, *, size = 8))]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = convert::size)] size: u8,
) -> PyResult<Bound<'py, PyArray2<i16>>> {
    let geometry = geometry(size)?;
    let boards = self::boards(boards, geometry)?;
    let classes = class_masks(geometry);
    let rows = py.detach(|| Backend::best().run(Extract { boards: &boards, geometry, classes }));
    PyArray1::from_vec(py, rows?).reshape([boards.len(), WIDTH])
}

struct Slots<'a>(&'a [Board]);

impl Task for Slots<'_> {
    type Output = Result<Vec<u32>, OutOfMemory>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut slots = with_capacity(self.0.len().saturating_mul(FEATURES))?;
        for &board in self.0 {
            let moves = isa.legal_moves(board, board.empties(Geometry::EIGHT));
            slots.extend(Row::new(isa, board, Geometry::EIGHT, moves).slots());
        }
        Ok(slots)
    }
}

/// The weights that the trained evaluation sums on each 8x8 board, as indices into a stage's table.
///
/// >>> batch.pattern_slots(boards).dtype
/// dtype('uint32')
#[pyfunction]
pub(crate) fn pattern_slots<'py>(py: Python<'py>, boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let boards = self::boards(boards, Geometry::EIGHT)?;
    let slots = py.detach(|| Backend::best().run(Slots(&boards)));
    PyArray1::from_vec(py, slots?).reshape([boards.len(), FEATURES])
}
