//! Lines of a stream, none of them longer than a limit: a gigabyte of garbage without a line end is
//! refused after the limit, not read into memory.

use std::io::{self, BufRead, Read};

use thiserror::Error;

/// The longest line that any of our text formats needs, with room to spare (bytes).
pub const LONGEST_LINE: usize = 64 * 1024;

/// What some editors put at the beginning of a text, to say that it is UTF-8.
const MARK: char = '\u{feff}';

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
    reader: R,
    number: usize,
    broken: bool,
}

impl<R: BufRead> Lines<R> {
    /// Lines of this reader.
    pub const fn new(reader: R) -> Self {
        Self { reader, number: 0, broken: false }
    }

    fn read(&mut self) -> Result<Option<String>, LineError> {
        let line = self.number;
        let mut bytes = Vec::new();
        let mut limited = (&mut self.reader).take(LONGEST_LINE as u64 + 1);
        limited.read_until(b'\n', &mut bytes).map_err(|source| LineError::Unreadable { line, source })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
        } else if bytes.len() > LONGEST_LINE {
            return Err(LineError::TooLong { line });
        }
        match String::from_utf8(bytes) {
            Ok(text) if line == 1 => Ok(Some(without_mark(text))),
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(LineError::NotText { line, byte: error.utf8_error().valid_up_to() + 1 }),
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<(usize, String), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken {
            return None;
        }
        self.number += 1;
        let read = self.read();
        // After a line that is not text the next one can still be read; after the other faults not.
        self.broken = matches!(read, Err(LineError::TooLong { .. } | LineError::Unreadable { .. }));
        read.transpose().map(|line| line.map(|text| (self.number, text)))
    }
}

/// A text without the byte order mark that it may begin with.
///
/// ```
/// assert_eq!(turncoat_record::lines::without_mark("\u{feff}f5d6".to_owned()), "f5d6");
/// ```
pub fn without_mark(mut text: String) -> String {
    if text.starts_with(MARK) {
        text.remove(0);
    }
    text
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
    use std::io::BufReader;

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
