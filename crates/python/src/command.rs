//! The command line of `turncoat`, so that the package has it too, with the one copy of the weights.

use std::ffi::OsString;

use pyo3::prelude::*;
use turncoat_cli::Origin;

/// Runs a command line, whose first word names the program, and returns its exit status.
///
/// Help, the version and arguments that are not understood end the process.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let known = |text: Option<&'static str>| text.filter(|text| !text.is_empty());
    // Whoever builds the wheel says what it is built from.
    let origin = Origin { commit: known(option_env!("TURNCOAT_COMMIT")), date: known(option_env!("TURNCOAT_DATE")) };
    py.detach(|| turncoat_cli::run(arguments.into_iter(), origin))
}
