//! Results on standard output, as text or as one JSON object per line.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use turncoat_util::{OutputFile, printable_json};

use crate::failure::output_failure;

/// Writes one line; a closed pipe is an error, not a panic.
pub(crate) fn line(text: impl std::fmt::Display) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Writes one JSON object as a line.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    line(json_text(value)?)
}

/// A JSON object as a text that cannot command a terminal.
pub(crate) fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(printable_json)
}

/// Writes a whole file or nothing; one that is there is overwritten only by force.
pub(crate) fn file(path: &Path, text: &str, force: bool) -> Result<()> {
    let mut file = OutputFile::create(path, force).map_err(|error| output_failure(path, error))?;
    file.write_all(text.as_bytes()).and_then(|()| file.finish()).with_context(|| path.display().to_string())
}

/// Writes a note to standard error; if that is closed, the note is dropped.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
