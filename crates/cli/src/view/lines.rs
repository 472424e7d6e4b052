//! Lines that stand in for a bar where standard error is no terminal.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::output;

/// Between two lines of a log that is not a terminal.
pub(crate) const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A thread that says every ten seconds how far something is, as long as this lives.
#[derive(Debug)]
pub(crate) struct Lines {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Lines {
    /// Begins to print what `text` says, if it says anything.
    pub(crate) fn start(text: impl Fn() -> Option<String> + Send + 'static) -> Self {
        Self::every(BETWEEN_LINES, move || {
            if let Some(line) = text() {
                output::note(line);
            }
        })
    }

    fn every(interval: Duration, print: impl Fn() + Send + 'static) -> Self {
        let (stop, stopped) = channel();
        // Dropping the sender ends the wait at once.
        let wait = move || stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout);
        let thread = thread::spawn(move || {
            while wait() {
                print();
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_until_it_is_dropped() {
        let (print, printed) = channel();
        let lines = Lines::every(Duration::from_millis(1), move || print.send(()).unwrap());
        for _ in 0..3 {
            printed.recv().unwrap();
        }
        drop(lines);
        // The end of what was printed: the thread is gone.
        printed.into_iter().for_each(drop);
        // One that is dropped early does not wait for its first line.
        drop(Lines::every(Duration::from_secs(1_000_000), || {}));
    }
}
