//! The lab in pieces that other machines can play: what is asked of them, and who takes their answers.
//!
//! Each kind of run has a class that keeps its folder or its store as the single-machine form does, and a function
//! that plays a chunk of its games. What a chunk depends on is handed over as text or bytes; the answer depends on
//! nothing else, so that any number of machines gives the same run.

mod genetic;
mod selfplay;
mod tournament;

pub(crate) use genetic::{PyBatch, PyGeneticRun};
pub(crate) use selfplay::{PySelfplayRun, play_selfplay};
pub(crate) use tournament::{PyTournament, play_chunk_of_tournament};

use pyo3::prelude::*;
use serde_json::Value;

/// Any JSON value as Python has it.
fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}
