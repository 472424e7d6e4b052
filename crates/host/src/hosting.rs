//! How foreign programs are treated: what they may use, and where their words go.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a foreign program may use beside its time.
#[derive(Debug, Clone)]
pub struct Hosting {
    /// Run it without a sandbox.
    pub trust: bool,
    /// Bytes that it may hold beyond what it held after its start.
    pub memory: Option<u64>,
    /// Whether it may use one CPU alone.
    pub one_thread: bool,
    /// Processes that it may have.
    pub processes: usize,
    /// How long its start may take.
    pub start_up: Duration,
    /// The folder for the logs of games, if they are kept.
    pub logs: Option<PathBuf>,
    /// Tells what programs have used.
    pub meter: Meter,
}

/// The most memory that any program of a hosting has used beyond that of its start.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// In bytes.
    pub fn peak(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn note(&self, bytes: u64) {
        self.0.fetch_max(bytes, Ordering::Relaxed);
    }
}

impl Default for Hosting {
    fn default() -> Self {
        Self {
            trust: false,
            memory: None,
            one_thread: false,
            processes: 32,
            start_up: Duration::from_mins(2),
            logs: None,
            meter: Meter::default(),
        }
    }
}

/// How long a program may think where nobody set a time: one that says nothing must come to an end.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// CPU seconds that one process may use at all: a guard behind the clocks.
pub(crate) const CPU_SECONDS: u64 = 24 * 3600;
