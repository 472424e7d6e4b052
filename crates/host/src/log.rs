//! What a program prints besides its answers: its end for error messages, its beginning for a file.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The end that is kept.
const TAIL: usize = 4 << 10;
/// The most that is written to a file for one game.
const MOST: u64 = 1 << 20;

/// A log that one thread fills and another reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    tail: Vec<u8>,
    file: Option<File>,
    written: u64,
    all: u64,
}

impl Log {
    /// Begins the log of a game, in this file if there is one. A program that is started again goes on with its own.
    pub(crate) fn begin(&self, file: Option<&Path>) -> io::Result<()> {
        let file = file.map(File::create).transpose()?;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.file = file;
        (state.written, state.all) = (0, 0);
        state.tail.clear();
        Ok(())
    }

    /// Adds to it.
    pub(crate) fn add(&self, bytes: &[u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.all += bytes.len() as u64;
        let room = MOST.saturating_sub(state.written);
        let part = &bytes[..bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX))];
        if let Some(file) = &mut state.file {
            // A full disk costs the log, not the game.
            let _ = file.write_all(part);
        }
        state.written += part.len() as u64;
        state.tail.extend_from_slice(bytes);
        let excess = state.tail.len().saturating_sub(TAIL);
        state.tail.drain(..excess);
    }

    /// Bytes added to it in this game.
    pub(crate) fn all(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Its last line that is not blank.
    pub(crate) fn last_line(&self) -> Option<String> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&state.tail).into_owned();
        let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(line.trim().chars().take(300).collect())
    }

    /// Its last three lines that are not blank, in one.
    pub(crate) fn last_lines(&self) -> Option<String> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&state.tail).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(3)..].iter();
        let shown: Vec<String> = last.map(|line| line.chars().take(200).collect()).collect();
        (!shown.is_empty()).then(|| shown.join(" | "))
    }

    /// Copies a stream into it until the stream ends.
    pub(crate) fn copy_from(&self, mut stream: impl BufRead) {
        loop {
            let taken = match stream.fill_buf() {
                Ok([]) => return,
                Ok(bytes) => {
                    self.add(bytes);
                    bytes.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                Err(_) => return,
            };
            stream.consume(taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_own_count() {
        let log = Log::default();
        log.add(&[b'x'; 1000]);
        log.begin(None).unwrap();
        log.add(b"one\ntwo\n\n");
        assert_eq!((log.all(), log.last_line().as_deref()), (9, Some("two")));
    }
}
