//! How foreign programs are run: their limits, and where their output goes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use turncoat_players::Fault;

/// How foreign programs are run. As [`Programs`](turncoat_players::Programs), it adds them to a roster.
#[derive(Debug, Clone)]
pub struct Hosting {
    /// Run it without a sandbox.
    pub trust: bool,
    /// Bytes of memory that it may use beyond what it held after its start.
    pub memory: Option<u64>,
    /// Whether it may use only one CPU.
    pub one_thread: bool,
    /// Processes that it may have.
    pub processes: usize,
    /// How long its start may take.
    pub start_up: Duration,
    /// The Python of the course's programs where neither their text nor `TURNCOAT_PYTHON` names one; `python3` if not given.
    pub python: Option<OsString>,
    /// The folder for the logs of games, if they are kept.
    pub logs: Option<PathBuf>,
    /// Measures what programs use.
    pub meter: Meter,
    /// Which programs have started, and which failed to.
    pub starts: Starts,
    /// The files of all programs, which none of them is shown as a module.
    pub entrants: Entrants,
}

/// The files of all programs that take part.
#[derive(Debug, Clone, Default)]
pub struct Entrants(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Entrants {
    /// Adds the files that a player's text names.
    pub(crate) fn add<'a>(&self, words: impl Iterator<Item = &'a str>) {
        let files = words.filter_map(|word| Path::new(word).canonicalize().ok()).filter(|path| path.is_file());
        self.all().extend(files);
    }

    /// Whether a file is one of them.
    pub(crate) fn contains(&self, file: &Path) -> bool {
        self.all().contains(file)
    }

    fn all(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a program may hold beyond `--memory` for its start: libraries such as numba's compiler.
const START: u64 = 512 << 20;
/// What a program may hold in all if nothing else is said, on machines that have twice as much.
const CEILING: u64 = 2 << 30;

impl Hosting {
    /// Bytes of memory that a program may hold in all, from its first moment on.
    pub(crate) fn ceiling(&self) -> u64 {
        self.memory.map_or_else(|| CEILING.min(half_of_machine()), |memory| memory.saturating_add(START))
    }
}

/// Half of this machine's memory, as far as that is known.
fn half_of_machine() -> u64 {
    static HALF: OnceLock<u64> = OnceLock::new();
    *HALF.get_or_init(|| {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let total =
            text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok());
        total.map_or(u64::MAX, |kilobytes: u64| kilobytes << 9)
    })
}

/// How the first starts of programs went. One that used up its time is not waited for in every game again.
#[derive(Debug, Clone, Default)]
pub struct Starts(Arc<Mutex<BTreeMap<String, Option<Fault>>>>);

/// A start that fails sooner costs little, and is tried again.
const LONG_START: Duration = Duration::from_secs(5);

impl Starts {
    /// Why a program is not started again.
    pub(crate) fn hopeless(&self, name: &str) -> Option<Fault> {
        self.all().get(name).cloned().flatten()
    }

    /// Records a start. A program that has started once is always tried again.
    pub(crate) fn note(&self, name: &str, fault: Option<&Fault>, took: Duration) {
        if fault.is_none() || took >= LONG_START {
            let mut all = self.all();
            all.entry(name.to_owned()).or_insert(fault.cloned());
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Option<Fault>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            python: None,
            logs: None,
            meter: Meter::default(),
            starts: Starts::default(),
            entrants: Entrants::default(),
        }
    }
}

/// How long a program may take to open a protocol; only Python's libraries need more.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(20);

/// How long a program may think if no time is set: a silent one must end.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// CPU seconds that one process may use in all: a guard behind the clocks.
pub(crate) const CPU_SECONDS: u64 = 24 * 3600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_start_that_failed_is_remembered_unless_it_ever_succeeded() {
        let starts = Starts::default();
        let fault = Fault::Crash("it did not start".to_owned());
        starts.note("quick", Some(&fault), Duration::from_secs(1));
        assert_eq!(starts.hopeless("quick"), None);
        starts.note("good", None, Duration::from_secs(1));
        starts.note("good", Some(&fault), LONG_START);
        assert_eq!(starts.hopeless("good"), None);
        starts.clone().note("slow", Some(&fault), LONG_START);
        assert_eq!(starts.hopeless("slow"), Some(fault));
    }
}
