//! Lines of a stream, none of them longer than a limit: a gigabyte of garbage without a line end is
//! refused after the limit, not read into memory.

use std::io::{self, BufRead};

use thiserror::Error;
use turncoat_util::{BoundedLines, LineFault, without_bom};

/// The longest line that any of our text formats needs, with room to spare (bytes).
pub const LONGEST_LINE: usize = 64 * 1024;

/// Reads a stream line by line; lines are numbered from 1. A byte order mark at its beginning is left out.
///
/// ```
/// use turncoat_record::lines::Lines;
///
/// let mut lines = Lines::new("first\r\nsecond".as_bytes());
/// assert_eq!(lines.next().unwrap().unwrap(), (1, "first".to_owned()));
/// assert_eq!(lines.next().unwrap().unwrap(), (2, "second".to_owned()));
/// assert!(lines.next().is_none());
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    bounded: BoundedLines<R>,
    number: usize,
    broken: bool,
}

impl<R: BufRead> Lines<R> {
    /// Lines of this reader.
    pub const fn new(reader: R) -> Self {
        Self { bounded: BoundedLines::new(reader, LONGEST_LINE), number: 0, broken: false }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<(usize, String), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken {
            return None;
        }
        self.number += 1;
        let line = self.number;
        let read = self.bounded.next()?.map_err(|fault| match fault {
            LineFault::TooLong => LineError::TooLong { line },
            LineFault::NotText { byte } => LineError::NotText { line, byte },
            LineFault::Io(source) => LineError::Unreadable { line, source },
        });
        // After a line that is not text the next one can still be read; after the other faults not.
        self.broken = matches!(read, Err(LineError::TooLong { .. } | LineError::Unreadable { .. }));
        Some(read.map(|text| (line, if line == 1 { without_bom(text) } else { text })))
    }
}

/// Why a line could not be read.
#[derive(Debug, Error)]
pub enum LineError {
    /// It has no end within the limit.
    #[error("line {line} is longer than {LONGEST_LINE} bytes")]
    TooLong {
        /// Its number.
        line: usize,
    },
    /// It is not UTF-8.
    #[error("line {line}, byte {byte}: this is not text")]
    NotText {
        /// Its number.
        line: usize,
        /// The first bad byte, counted from 1.
        byte: usize,
    },
    /// The stream broke.
    #[error("line {line}: {source}")]
    Unreadable {
        /// Its number.
        line: usize,
        /// What the system said.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn endless_lines_are_refused_in_bounded_memory() {
        let endless = BufReader::new(io::repeat(b'x').take(1 << 30));
        let mut lines = Lines::new(endless);
        assert!(matches!(lines.next(), Some(Err(LineError::TooLong { line: 1 }))));
        assert!(lines.next().is_none());
    }

    #[test]
    fn a_byte_order_mark_is_left_out_at_the_beginning_alone() {
        let mut lines = Lines::new("\u{feff}first\n\u{feff}second\n".as_bytes());
        assert_eq!(lines.next().unwrap().unwrap(), (1, "first".to_owned()));
        assert_eq!(lines.next().unwrap().unwrap(), (2, "\u{feff}second".to_owned()));
        let mut nothing = Lines::new("\u{feff}".as_bytes());
        assert_eq!(nothing.next().unwrap().unwrap(), (1, String::new()));
        assert!(nothing.next().is_none());
    }

    #[test]
    fn bad_bytes_are_placed_and_the_next_line_is_read() {
        let mut lines = Lines::new(&b"ok\nab\xff\nok\n"[..]);
        assert_eq!(lines.next().unwrap().unwrap().1, "ok");
        assert!(matches!(lines.next(), Some(Err(LineError::NotText { line: 2, byte: 3 }))));
        assert_eq!(lines.next().unwrap().unwrap(), (3, "ok".to_owned()));
        assert!(lines.next().is_none());
    }
}
