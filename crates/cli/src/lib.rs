//! The command line of `turncoat`: reads arguments, shows results. Everything else lives in the libraries.
//!
//! It is a library so that the Python package can have the command with one copy of the weights.

mod args;
mod commands;
mod failure;
mod origin;
mod output;
mod view;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

pub use crate::origin::Origin;

/// Runs a command line, whose first word names the program. Returns the exit status: 0 done, 1 failed, 2 misused.
///
/// Help, the version and arguments that are not understood end the process.
pub fn run(arguments: impl Iterator<Item = OsString>, origin: Origin) -> u8 {
    let mut command = args::Cli::command().long_version(origin.to_string());
    let matches = command.try_get_matches_from_mut(args::prepared(arguments)).unwrap_or_else(|error| error.exit());
    let cli = args::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit());
    match commands::run(cli, origin) {
        Ok(()) => 0,
        Err(error) => failure::report(&error),
    }
}
