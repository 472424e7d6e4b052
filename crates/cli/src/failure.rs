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

/// Says what went wrong on standard error and picks the status.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    // Whoever reads our output has seen enough (`turncoat … | head`): that is no failure.
    if error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    {
        return ExitCode::SUCCESS;
    }
    // Not `eprintln!`, which panics when standard error is closed.
    let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {error:#}\n"));
    ExitCode::from(if error.is::<Misuse>() { 2 } else { 1 })
}
