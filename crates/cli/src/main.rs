//! The binary `turncoat`.

use std::process::ExitCode;

use turncoat_cli::Origin;

fn main() -> ExitCode {
    let (commit, date) = turncoat_commit::commit!();
    ExitCode::from(turncoat_cli::run(std::env::args_os(), Origin { commit, date }))
}
