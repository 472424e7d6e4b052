//! Long work, on its own thread with the GIL released, interrupted by Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use turncoat_players::StopFlag;
use turncoat_util::panic_message;

use crate::errors;

/// Between two checks for signals.
const LOOK: Duration = Duration::from_millis(50);
/// Deep searches are recursive.
const STACK: usize = 16 << 20;

/// Does the work while other Python threads run. A signal raises the flag, which the work must check, and then its own
/// exception; a panic becomes an exception too.
pub(crate) fn think<T: Send>(py: Python<'_>, stop: &StopFlag, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::channel();
    thread::scope(|scope| {
        let answer = move || {
            // The caller waits for the answer.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        };
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, answer)?;
        let mut signal = None;
        loop {
            let (received, back) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
            receiver = back;
            match received {
                Ok(done) => {
                    return match (signal, done) {
                        (Some(signal), _) => Err(signal),
                        (None, Ok(done)) => Ok(done),
                        (None, Err(panic)) => {
                            Err(errors::player(format!("the engine broke: {}", panic_message(&*panic))))
                        }
                    };
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stop.raise();
                        signal.get_or_insert(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(errors::player("the engine broke off"));
                }
            }
        }
    })
}
