//! Versions of file formats: a file that this program cannot read is refused with the version of Turncoat that can.

use std::fmt;

use thiserror::Error;

use crate::printable;

/// The most characters of a writer's version that are shown.
const LONGEST_VERSION: usize = 32;

/// A format of files.
///
/// ```
/// use turncoat_util::Format;
///
/// const GAMES: Format = Format { what: "the store", version: 2, earlier: &[(1, "0.1.0")] };
/// assert!(GAMES.check(2, None).is_ok());
/// let says = |found, writer| GAMES.check(found, writer).unwrap_err().to_string();
/// assert!(says(1, None).starts_with("the store has format 1, which turncoat 0.1.0 reads; this is turncoat "));
/// assert!(says(3, Some("0.9.0")).starts_with("the store has format 3, which turncoat 0.9.0 reads; "));
/// assert!(says(3, None).starts_with("the store has format 3, which a later turncoat reads; "));
/// assert!(says(0, None).starts_with("the store has format 0, which no turncoat reads; "));
/// assert!(says(3, None).ends_with(", which reads format 2"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// What such a file is called in a sentence.
    pub what: &'static str,
    /// The version that is read and written.
    pub version: u32,
    /// Earlier versions, each with the last Turncoat that reads it.
    pub earlier: &'static [(u32, &'static str)],
}

impl Format {
    /// Whether a file of this version can be read. `writer` is the version of Turncoat that the file says it is from.
    ///
    /// # Errors
    /// It is of another version.
    pub fn check(&self, found: i64, writer: Option<&str>) -> Result<(), OtherFormat> {
        let (current, found_known) = (i64::from(self.version), u32::try_from(found).ok());
        if found == current {
            return Ok(());
        }
        let last = self.earlier.iter().find(|(version, _)| Some(*version) == found_known).map(|(_, last)| *last);
        // A program of this version would have written the format that it reads.
        let writer = writer.filter(|version| found > current && *version != env!("CARGO_PKG_VERSION"));
        let reader = match last.or(writer) {
            Some(version) => Reader::Known(printable(&version.chars().take(LONGEST_VERSION).collect::<String>())),
            None if found > current => Reader::Later,
            None => Reader::Nobody,
        };
        Err(OtherFormat { what: self.what, found, reader, version: self.version })
    }
}

/// A file has a format that this program does not read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{what} has format {found}, which {reader} reads; this is turncoat {}, which reads format {version}",
    env!("CARGO_PKG_VERSION")
)]
pub struct OtherFormat {
    what: &'static str,
    found: i64,
    reader: Reader,
    version: u32,
}

/// Who reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reader {
    Known(String),
    Later,
    Nobody,
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(version) => write!(f, "turncoat {version}"),
            Self::Later => f.write_str("a later turncoat"),
            Self::Nobody => f.write_str("no turncoat"),
        }
    }
}
