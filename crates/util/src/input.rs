//! Input of bounded size: a device without an end, or a gigabyte without a line end, is refused at the limit and not read
//! into memory.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use thiserror::Error;

/// Everything a reader has, as long as it is no more than `most` bytes.
///
/// # Errors
/// The reader's own, and [`io::ErrorKind::FileTooLarge`] beyond the limit.
pub fn read_bounded(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut contents)?;
    if contents.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(contents)
}

/// The contents of a file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, and [`io::ErrorKind::FileTooLarge`] beyond the limit.
pub fn read_file(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(File::open(path)?, most)
}

/// A text without the byte order mark that some editors put at its beginning.
///
/// ```
/// assert_eq!(turncoat_util::without_bom("\u{feff}f5d6".to_owned()), "f5d6");
/// ```
pub fn without_bom(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    text
}

/// The lines of a stream, without their ends, none of them longer than a limit. After a line that is too long or not
/// text, the next one can still be read.
#[derive(Debug)]
pub struct BoundedLines<R> {
    stream: R,
    longest: usize,
    skipping: bool,
}

/// Why a line could not be read.
#[derive(Debug, Error)]
pub enum LineFault {
    /// It has no end within the limit. The rest of it is skipped when the next line is asked for.
    #[error("the line is too long")]
    TooLong,
    /// It is not UTF-8.
    #[error("byte {byte}: this is not text")]
    NotText {
        /// The first bad byte, counted from 1.
        byte: usize,
    },
    /// The stream broke.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<R: BufRead> BoundedLines<R> {
    /// The lines of a stream, each of at most `longest` bytes.
    pub const fn new(stream: R, longest: usize) -> Self {
        Self { stream, longest, skipping: false }
    }

    fn read(&mut self) -> Result<Option<String>, LineFault> {
        if std::mem::take(&mut self.skipping) {
            self.stream.skip_until(b'\n')?;
        }
        let mut line = Vec::new();
        if (&mut self.stream).take(self.longest as u64 + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > self.longest {
            self.skipping = true;
            return Err(LineFault::TooLong);
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let not_text = |fault: std::string::FromUtf8Error| fault.utf8_error().valid_up_to() + 1;
        String::from_utf8(line).map(Some).map_err(|fault| LineFault::NotText { byte: not_text(fault) })
    }
}

impl<R: BufRead> Iterator for BoundedLines<R> {
    type Item = Result<String, LineFault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_line_without_sense_the_next_one_is_read() {
        let mut bytes = b"one\r\n".to_vec();
        bytes.extend(vec![b'x'; 300]);
        bytes.extend(b"\n\xff\nfour");
        let mut lines = BoundedLines::new(bytes.as_slice(), 100);
        assert_eq!(lines.next().unwrap().unwrap(), "one");
        assert!(matches!(lines.next(), Some(Err(LineFault::TooLong))));
        assert!(matches!(lines.next(), Some(Err(LineFault::NotText { byte: 1 }))));
        assert_eq!(lines.next().unwrap().unwrap(), "four");
        assert!(lines.next().is_none());
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_an_endless_one_is_refused_at_it() {
        for (text, fits) in [("abcd\n", true), ("abcd", true), ("abcde\n", false), ("abcde", false)] {
            assert_eq!(BoundedLines::new(text.as_bytes(), 4).next().unwrap().is_ok(), fits, "{text:?}");
        }
        let mut endless = BoundedLines::new(io::BufReader::new(io::repeat(b'x')), 1000);
        assert!(matches!(endless.next(), Some(Err(LineFault::TooLong))));
        assert_eq!(read_bounded(io::repeat(b'x'), 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_bounded(&b"1234"[..], 4).unwrap(), b"1234");
    }
}
