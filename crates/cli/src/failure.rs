//! Exit statuses: 0 done, 1 failed, 2 misused.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// An error that lies in what the user asked for, not in the doing of it.
#[derive(Debug)]
pub(crate) struct Misuse(String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Marks an error as a misuse.
pub(crate) fn misuse(error: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(Misuse(error.to_string()))
}

/// An error that has been said already.
#[derive(Debug)]
struct Told;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it has been said already")
    }
}

impl std::error::Error for Told {}

/// Says what went wrong now rather than at the end, where something that may hang comes in between.
pub(crate) fn tell(error: &anyhow::Error) -> anyhow::Error {
    // Not `eprintln!`, which panics when standard error is closed.
    let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {error:#}\n"));
    anyhow::Error::new(Told)
}

/// Whether the error is that whoever read our output has gone.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Says what went wrong on standard error and picks the status.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    // Whoever reads our output has seen enough (`turncoat … | head`): that is no failure.
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if !error.is::<Told>() {
        tell(error);
    }
    ExitCode::from(if error.is::<Misuse>() { 2 } else { 1 })
}
