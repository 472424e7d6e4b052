//! Measurements that call the engine itself. `cargo xtask bench NAME` builds and runs them; they live apart from xtask so
//! that xtask builds in seconds.

mod genetic;
mod growth;
mod lost;
mod solver;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The project's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["genetic", rest @ ..] => genetic::run(rest),
        ["growth", rest @ ..] => growth::run(rest),
        ["lost", rest @ ..] => lost::run(rest),
        ["solver", rest @ ..] => solver::one_thread(rest),
        ["threads", rest @ ..] => solver::two_threads(rest),
        _ => {
            eprintln!("Usage: cargo xtask bench genetic|growth|lost|solver|threads …");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("figures: {error:#}");
            ExitCode::FAILURE
        }
    }
}
