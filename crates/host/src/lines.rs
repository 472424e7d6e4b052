//! Lines of a stream, none longer than a limit; what is longer is skipped, and the next line is read.

use std::io::{self, BufRead};

use turncoat_record::lines::LONGEST_LINE;

/// What the next line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Text, without the line's end.
    Text(String),
    /// Longer than any line that means something.
    TooLong,
    /// Not UTF-8.
    NotText,
    /// There is none.
    End,
}

/// Reads lines.
#[derive(Debug)]
pub struct Reader<R> {
    stream: R,
}

impl<R: BufRead> Reader<R> {
    /// Lines of this stream.
    pub const fn new(stream: R) -> Self {
        Self { stream }
    }

    /// The next line.
    ///
    /// # Errors
    /// If the stream breaks.
    pub fn next_line(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        let mut long = false;
        loop {
            let buffer = match self.stream.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(if long {
                    Line::TooLong
                } else if line.is_empty() {
                    Line::End
                } else {
                    text(line)
                });
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            if line.len() + part.len() > LONGEST_LINE {
                long = true;
                line.clear();
            } else if !long {
                line.extend_from_slice(part);
            }
            let taken = end.map_or(buffer.len(), |end| end + 1);
            self.stream.consume(taken);
            if end.is_some() {
                return Ok(if long { Line::TooLong } else { text(line) });
            }
        }
    }
}

fn text(mut line: Vec<u8>) -> Line {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_or(Line::NotText, Line::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_line_without_sense_the_next_one_is_read() {
        let mut bytes = b"one\r\n".to_vec();
        bytes.extend(vec![b'x'; LONGEST_LINE * 3]);
        bytes.extend(b"\n\xff\nfour");
        let mut reader = Reader::new(bytes.as_slice());
        let lines = [(); 5].map(|()| reader.next_line().unwrap());
        let [one, two, three, four, five] = lines;
        assert_eq!(one, Line::Text("one".to_owned()));
        assert_eq!((two, three), (Line::TooLong, Line::NotText));
        assert_eq!((four, five), (Line::Text("four".to_owned()), Line::End));
    }
}
