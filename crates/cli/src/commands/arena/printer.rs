//! Lines on standard output, printed on a separate thread: a slow or stalled reader delays neither the games nor the
//! store.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use indicatif::ProgressBar;

use crate::output;

/// Bytes that are enough for one write.
const TOGETHER: usize = 1 << 16;

/// Prints lines in their order.
pub(super) struct Printer {
    lines: Sender<String>,
    thread: JoinHandle<io::Result<()>>,
}

impl Printer {
    /// A printer next to a bar, which is hidden while something is printed.
    pub(super) fn new(bar: Option<ProgressBar>) -> io::Result<Self> {
        let (lines, receiver) = mpsc::channel::<String>();
        let print = move || {
            while let Ok(mut text) = receiver.recv() {
                // What has come meanwhile is written at once.
                while text.len() < TOGETHER
                    && let Ok(line) = receiver.try_recv()
                {
                    text.push('\n');
                    text.push_str(&line);
                }
                match &bar {
                    Some(bar) => bar.suspend(|| output::line(text)),
                    None => output::line(text),
                }
                .map_err(into_io)?;
            }
            Ok(())
        };
        let thread = thread::Builder::new().spawn(print)?;
        Ok(Self { lines, thread })
    }

    /// Prints a line soon. The error says only that lines can no longer be printed; why is what
    /// [`Printer::finish`] says.
    pub(super) fn print(&self, line: String) -> io::Result<()> {
        self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits until everything is printed.
    pub(super) fn finish(self) -> io::Result<()> {
        drop(self.lines);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the output thread broke off")))
    }
}

/// The error of writing, as it came from the system where it did.
pub(super) fn into_io(error: anyhow::Error) -> io::Error {
    error.downcast::<io::Error>().unwrap_or_else(io::Error::other)
}
