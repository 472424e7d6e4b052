//! `solve`: perfect play.

use pyo3::prelude::*;
use turncoat_board::{Geometry, Move, Position};
use turncoat_players::book::{known_solution, shipped_book};
use turncoat_players::flagship::BestSolver;
use turncoat_search::endgame::{Goal, Solution};

use crate::board::PyBoard;
use crate::convert::{self, limits, variant};
use crate::errors;
use crate::think::think;

/// The result of a solve; if it ran out of time, only bounds.
///
/// >>> solve(Board(size=4))
/// <Solution b1 +4>
#[pyclass(name = "Solution", module = "turncoat", frozen, get_all)]
pub(crate) struct PySolution {
    /// The mover's score in discs, if it is known.
    score: Option<i32>,
    /// A lower bound of the score.
    lower: i32,
    /// An upper bound of the score.
    upper: i32,
    /// The best move; ``"pass"`` if there is no other, ``None`` if the game is over.
    best: Option<String>,
    /// Perfect play by both sides, as far as it is known.
    line: Vec<String>,
    /// Nodes searched.
    nodes: u64,
    /// Whether the question was answered.
    complete: bool,
}

impl PySolution {
    fn new(solution: &Solution, geometry: Geometry) -> Self {
        let label = |played: &Move| played.label(geometry);
        Self {
            score: solution.score().map(turncoat_board::Score::discs),
            lower: solution.lower.discs(),
            upper: solution.upper.discs(),
            best: solution.line.first().map(label),
            line: solution.line.iter().map(label).collect(),
            nodes: solution.nodes,
            complete: solution.complete,
        }
    }
}

#[pymethods]
impl PySolution {
    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("over");
        match self.score {
            Some(score) => format!("<Solution {best} {score:+}>"),
            None => format!("<Solution {best} {:+} to {:+}>", self.lower, self.upper),
        }
    }
}

/// Solves a board: exact score, best move and line of perfect play. `result_only` only finds the winner. More than about
/// 26 empties take long; `time` is a limit in seconds. What the exact book of a small board has proven is answered at once,
/// with no nodes; `book=False` proves it again.
///
/// >>> from turncoat import Board, solve
/// >>> solve(Board(size=4), variant="reversi").score
/// -10
/// >>> solve(Board(size=4)).score
/// 4
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
#[pyfunction]
#[pyo3(signature = (board, *, variant = "reversed", result_only = false, time = None, threads = 1, hash = 64, book = true))]
pub(crate) fn solve(
    py: Python<'_>,
    board: PyBoard,
    variant: &str,
    result_only: bool,
    time: Option<f64>,
    #[pyo3(from_py_with = convert::number_of)] threads: usize,
    #[pyo3(from_py_with = convert::number_of)] hash: usize,
    book: bool,
) -> PyResult<PySolution> {
    let (variant, position): (_, Position) = (self::variant(variant)?, board.0);
    if !(1..=1024).contains(&threads) || hash == 0 {
        return Err(errors::input("threads must be 1 to 1024 and hash at least 1 MiB"));
    }
    let shipped = if book { shipped_book(variant, position.geometry()).map_err(errors::input)? } else { None };
    if let Some(known) = shipped.and_then(|book| known_solution(&book, position)) {
        return Ok(PySolution::new(&known, position.geometry()));
    }
    let limits = limits(time, None, None)?;
    let goal = if result_only { Goal::Result } else { Goal::Score };
    let solution = think(py, &limits.stop, || {
        let solver = BestSolver::new(hash, threads, variant, position.geometry());
        solver.map(|solver| solver.solve(position, goal, &limits, &|_| {}))
    })?;
    let solution = solution.map_err(errors::input)?;
    Ok(PySolution::new(&solution, position.geometry()))
}
