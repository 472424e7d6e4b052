//! The machine, and the time that it gives to this thread.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The model of the processor and the number of cores.
pub(crate) fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpus.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let unknown = || "?".to_owned();
    format!(
        "{}, family {}, model {}, {} cores",
        field("model name").unwrap_or_else(unknown),
        field("cpu family").unwrap_or_else(unknown),
        field("model\t").unwrap_or_else(unknown),
        std::thread::available_parallelism().map_or(0, usize::from)
    )
}

/// Seconds of processor time of this thread, which other programs disturb less than the clock.
pub(crate) fn cpu_seconds() -> Result<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").context("processor time, which needs Linux")?;
    let nanoseconds = text.split_whitespace().next().context("no time")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?).as_secs_f64())
}

/// The least and the median of some times.
pub(crate) fn best_and_median(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |place: usize| times.get(place).copied().unwrap_or(f64::NAN);
    (at(0), at(times.len() / 2))
}
