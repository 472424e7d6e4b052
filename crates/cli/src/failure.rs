//! Exit statuses: 0 done, 1 failed, 2 misused.

use std::fmt;
use std::io;
use std::path::Path;

use turncoat_util::{OutputError, printable_lines};

/// A mistake in what the user asked for, as opposed to a failure to do it.
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

/// Why results cannot be written to a file: a misuse if something is there, otherwise a failure.
pub(crate) fn output_failure(path: &Path, error: OutputError) -> anyhow::Error {
    match error {
        OutputError::Io(error) => anyhow::Error::new(error).context(path.display().to_string()),
        error => misuse(format!("{} {error}", path.display())),
    }
}

/// An error that has been reported already.
#[derive(Debug)]
struct Told;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("already reported")
    }
}

impl std::error::Error for Told {}

/// Reports an error now rather than at the end, because what comes in between may hang.
pub(crate) fn tell(error: &anyhow::Error) -> anyhow::Error {
    // Not `eprintln!`, which panics when standard error is closed.
    let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {}\n", printable_lines(&words(error))));
    told()
}

/// A failure that the output has reported already.
pub(crate) fn told() -> anyhow::Error {
    anyhow::Error::new(Told)
}

/// An error with its causes, each once: many errors include their cause.
fn words(error: &anyhow::Error) -> String {
    let mut words = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !words.contains(&cause) {
            words.push_str(": ");
            words.push_str(&cause);
        }
    }
    words
}

/// Whether the error is a closed pipe.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Reports an error on standard error and picks the exit status.
pub(crate) fn report(error: &anyhow::Error) -> u8 {
    // The reader has seen enough (`turncoat … | head`), which is not a failure.
    if is_closed_pipe(error) {
        return 0;
    }
    if !error.is::<Told>() {
        tell(error);
    }
    if error.is::<Misuse>() { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let cause = || io::Error::other("the disk is full");
        let said: anyhow::Result<()> = Err(cause()).context("games.db: the disk is full");
        assert_eq!(words(&said.unwrap_err()), "games.db: the disk is full");
        let unsaid: anyhow::Result<()> = Err(cause()).context("games.db");
        assert_eq!(words(&unsaid.unwrap_err()), "games.db: the disk is full");
    }
}
