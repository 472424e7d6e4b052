//! The answers of players: a choice, and an evaluation feature by feature.

use pyo3::prelude::*;
use turncoat_board::{Geometry, Move};
use turncoat_players::{Explanation, MoveInfo};

use crate::convert::{action, column, row};

/// A chosen move with its score, depth and line.
///
/// >>> Player("greedy").choose(Board("f5d6c3")).square
/// (2, 3)
#[pyclass(name = "Thought", module = "turncoat", frozen, get_all)]
pub(crate) struct PyThought {
    /// The move, as in ``"f5"``.
    r#move: String,
    /// Its number.
    action: usize,
    /// Its row and column, as in the course.
    square: (u8, u8),
    /// Its score in discs for the mover, if the player's unit is discs.
    score: Option<f64>,
    /// The search depth in plies.
    depth: u32,
    /// Whether the score is proven.
    exact: bool,
    /// Nodes searched.
    nodes: u64,
    /// The expected line, the move itself first.
    line: Vec<String>,
}

impl PyThought {
    pub(crate) fn new(thought: &MoveInfo, geometry: Geometry) -> Self {
        let square = thought.best;
        Self {
            r#move: geometry.label(square),
            action: action(Move::Place(square), geometry),
            square: (row(square, geometry), column(square, geometry)),
            score: thought.score,
            depth: thought.depth,
            exact: thought.exact,
            nodes: thought.nodes,
            line: thought.line.iter().map(|m| m.label(geometry)).collect(),
        }
    }
}

#[pymethods]
impl PyThought {
    fn __repr__(&self) -> String {
        let score = self.score.map_or_else(String::new, |score| format!(" {score:+.2}"));
        let exact = if self.exact { " exactly" } else { "" };
        format!("<Thought {}{score}{exact}, depth {}>", self.r#move, self.depth)
    }
}

/// One feature of an evaluation.
///
/// >>> term = Player("gene45").explain(Board("f5")).terms[0]
/// >>> type(term.name), type(term.value), type(term.weight)
/// (<class 'str'>, <class 'float'>, <class 'float'>)
#[pyclass(name = "Term", module = "turncoat", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct PyTerm {
    /// What it measures.
    name: String,
    /// What of it is on the board, where a number does not say it: the squares of a pattern, a number of moves.
    detail: Option<String>,
    /// Its value.
    value: f64,
    /// Its weight.
    weight: f64,
}

#[pymethods]
impl PyTerm {
    fn __repr__(&self) -> String {
        let detail = self.detail.as_ref().map_or_else(String::new, |detail| format!(" {detail}"));
        format!("<Term {}{detail}: {} * {}>", self.name, self.value, self.weight)
    }
}

/// A static evaluation, feature by feature; its value is the sum of values times weights.
///
/// >>> Player("gene45").explain(Board())
/// <Explanation 0, 23 terms>
/// >>> term = Player("turncoat").explain(Board()).terms[0]
/// >>> term.name, term.detail
/// ('edge with both X squares', 'a1-h2')
#[pyclass(name = "Explanation", module = "turncoat", frozen, get_all)]
pub(crate) struct PyExplanation {
    /// The total, in the player's own unit.
    value: f64,
    /// Its features.
    terms: Vec<PyTerm>,
}

impl PyExplanation {
    pub(crate) fn new(explanation: Explanation) -> Self {
        let terms = explanation.terms.into_iter().map(|term| PyTerm {
            name: term.name,
            detail: term.detail,
            value: term.value,
            weight: term.weight,
        });
        Self { value: explanation.value, terms: terms.collect() }
    }
}

#[pymethods]
impl PyExplanation {
    fn __repr__(&self) -> String {
        format!("<Explanation {}, {} terms>", self.value, self.terms.len())
    }
}
