//! Standard error as the place of live views.

use std::io::{self, IsTerminal};

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// Drawings a second.
const RATE: u8 = 20;

/// Where live views are drawn: on standard error, if that is a terminal.
pub(crate) fn target(visible: bool) -> ProgressDrawTarget {
    if visible && io::stderr().is_terminal() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Stderr(Term::buffered_stderr())), RATE)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// A terminal whose cursor waits at the beginning of the last line. At its end, the `^C` that the terminal shows would
/// begin another line, and the first line of the view would stay when the view is taken away.
#[derive(Debug)]
struct Stderr(Term);

impl TermLike for Stderr {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}
