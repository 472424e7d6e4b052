//! The lab in chunks that other machines can play.
//!
//! Each kind of run has a class that writes its folder or store as on one machine, and a function that plays a chunk of
//! its games. Everything a chunk depends on is passed as text or bytes, so any number of machines gives the same run.

mod book;
mod genetic;
mod ladder;
mod objective;
mod positions;
mod replicates;
mod rounds;
mod selfplay;
mod tournament;

pub(crate) use book::{PyBookRun, search_book};
pub(crate) use genetic::{PyBatch, PyGeneticRun};
pub(crate) use ladder::{PyLadderRun, play_pair};
pub(crate) use objective::PyObjective;
pub(crate) use positions::positions_of;
pub(crate) use replicates::{PyReplicates, PySweep, rate};
pub(crate) use rounds::{PyLoopGames, PyLoopRun, play_loop};
pub(crate) use selfplay::{PySelfplayRun, play_selfplay};
pub(crate) use tournament::{PyTournament, play_chunk_of_tournament};

use pyo3::prelude::*;
use serde_json::Value;

/// Any JSON value as a Python object.
fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}
