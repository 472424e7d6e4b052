//! The engine as a Python extension module, `turncoat._engine`.
//!
//! [`board`], [`game`] and [`record`] are the rules and records, [`book`] looks into opening books; [`roster`] says who can play, [`evaluator`] makes
//! players of evaluations in Python; [`player`] and [`solve`] search with the GIL released ([`think`], [`thought`]); [`arrays`], [`batch`], [`features`] and [`tables`] work on numpy arrays of many boards; [`lab`]
//! has the chunks of work that other machines play; [`command`] is the command line. Errors become the package's exceptions ([`errors`]). The Python side
//! of the package is in the folder `python`.

// What Python hands over is taken by value, and asked by reference, as the macros want it.
#![allow(clippy::needless_pass_by_value, clippy::trivially_copy_pass_by_ref, clippy::wrong_self_convention)]
// The documentation of what Python sees is Python's.
#![allow(clippy::doc_link_with_quotes, clippy::doc_markdown)]

mod arrays;
mod batch;
mod board;
mod book;
mod command;
mod convert;
mod errors;
mod evaluator;
mod features;
mod game;
mod lab;
mod player;
mod record;
mod roster;
mod solve;
mod tables;
mod think;
mod thought;

use pyo3::prelude::*;

/// The engine behind the package `turncoat`; use it through the package.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::arrays::{from_arrays, planes, to_arrays};
    #[pymodule_export]
    use super::batch::{estimate, final_scores, is_over, legal_mask, legal_moves, play};
    #[pymodule_export]
    use super::board::PyBoard;
    #[pymodule_export]
    use super::book::{PyBook, PyBookMove, books_at};
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::features::{feature_names, features, pattern_slots};
    #[pymodule_export]
    use super::game::PyGame;
    #[pymodule_export]
    use super::lab::{
        PyBatch, PyBookRun, PyGeneticRun, PyLadderRun, PyLoopGames, PyLoopRun, PyObjective, PyReplicates,
        PySelfplayRun, PySweep, PyTournament, play_chunk_of_tournament, play_loop, play_pair, play_selfplay,
        positions_of, rate, search_book,
    };
    #[pymodule_export]
    use super::player::{PyPlayer, PyPlayerKind, players};
    #[pymodule_export]
    use super::record::{PyRecord, parse_games, read_games};
    #[pymodule_export]
    use super::roster::PyRoster;
    #[pymodule_export]
    use super::solve::{PySolution, solve};
    #[pymodule_export]
    use super::tables::PyTables;
    #[pymodule_export]
    use super::thought::{PyExplanation, PyTerm, PyThought};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
