//! The package's exceptions. They are defined in Python, where a class may have two parents.

use std::fmt::Display;

use pyo3::{PyErr, import_exception};

import_exception!(turncoat.errors, InputError);
import_exception!(turncoat.errors, IllegalMoveError);
import_exception!(turncoat.errors, PlayerError);
import_exception!(turncoat.errors, RunError);

/// Unreadable or inconsistent input.
pub(crate) fn input(error: impl Display) -> PyErr {
    InputError::new_err(error.to_string())
}

/// The rules forbid the move.
pub(crate) fn illegal(error: impl Display) -> PyErr {
    IllegalMoveError::new_err(error.to_string())
}

/// A player, or the engine itself, failed.
pub(crate) fn player(error: impl Display) -> PyErr {
    PlayerError::new_err(error.to_string())
}

/// A run cannot start or continue.
pub(crate) fn run(error: impl Display) -> PyErr {
    RunError::new_err(error.to_string())
}
