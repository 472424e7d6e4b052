//! The binary `turncoat`: reads arguments, shows results. Everything else lives in the libraries.

mod args;
mod commands;
mod failure;
mod output;
mod view;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse_from(args::prepared(std::env::args_os()));
    match commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
