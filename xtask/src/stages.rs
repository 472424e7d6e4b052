//! Stages of a long run: each prints its name and its seconds, and a table closes the run.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::shell::target;

/// One step of a run.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> Result<()>,
    /// Seconds on two quiet cores, with everything built before: a first guess until a run has been measured here.
    pub(crate) usual: u64,
}

/// What became of the stages.
pub(crate) struct Report {
    rows: Vec<(String, String)>,
    began: Instant,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new(), began: Instant::now() }
    }

    /// Notes that something was left out.
    pub(crate) fn not_run(&mut self, name: &str, reason: &str) {
        self.rows.push((name.to_owned(), format!("not run ({reason})")));
    }

    /// Runs stages one after the other, up to the first that fails.
    pub(crate) fn run(&mut self, stages: &[Stage], title: &str) -> Result<()> {
        let mut known = Known::read();
        for (number, stage) in stages.iter().enumerate() {
            let usual = words(Duration::from_secs(known.usual(stage)));
            headline(&format!("{title}[{}/{}] {} – usually {usual}", number + 1, stages.len(), stage.name));
            let began = Instant::now();
            let done = (stage.run)();
            let took = began.elapsed();
            let verdict = if done.is_ok() { words(took) } else { format!("FAILED after {}", words(took)) };
            headline(&format!("{title}[{}/{}] {}: {verdict}", number + 1, stages.len(), stage.name));
            self.rows.push((format!("{title}{}", stage.name), verdict));
            done.with_context(|| format!("the stage \"{}\" failed", stage.name))?;
            known.note(stage.name, took);
        }
        Ok(())
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        let width = self.rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        eprintln!();
        for (name, verdict) in &self.rows {
            eprintln!("  {name:width$}  {verdict}");
        }
        eprintln!("  {:width$}  {}", "in all", words(self.began.elapsed()));
    }
}

/// What is about to be done, and how long that usually takes.
pub(crate) fn announce(stages: &[Stage], repeats: usize, load: usize) {
    let known = Known::read();
    let seconds: u64 = stages.iter().map(|stage| known.usual(stage)).sum::<u64>() * repeats as u64;
    let times = if repeats == 1 { String::new() } else { format!(", {repeats} times") };
    let beside = if load == 0 { String::new() } else { format!(", beside {load} busy loops") };
    headline(&format!(
        "cargo xtask test: {} {}{times}{beside}; usually {} here, and ten minutes more where nothing is built yet",
        stages.len(),
        if stages.len() == 1 { "stage" } else { "stages" },
        words(Duration::from_secs(seconds))
    ));
}

fn headline(text: &str) {
    eprintln!("\x1b[1m{text}\x1b[0m");
}

fn words(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min {:02} s", seconds / 60, seconds % 60) }
}

/// Seconds of stages as they were last measured in this folder.
struct Known(BTreeMap<String, u64>);

impl Known {
    fn path() -> PathBuf {
        target().join("test-seconds.txt")
    }

    fn read() -> Self {
        let text = fs::read_to_string(Self::path()).unwrap_or_default();
        let entry = |line: &str| {
            let (seconds, name) = line.split_once(' ')?;
            Some((name.to_owned(), seconds.parse().ok()?))
        };
        Self(text.lines().filter_map(entry).collect())
    }

    fn usual(&self, stage: &Stage) -> u64 {
        self.0.get(stage.name).copied().unwrap_or(stage.usual)
    }

    /// Remembers a time. A guess for the next run is all it is, so that a file that cannot be written does not matter.
    fn note(&mut self, name: &str, took: Duration) {
        self.0.insert(name.to_owned(), took.as_secs());
        let lines: String = self.0.iter().map(|(name, seconds)| format!("{seconds} {name}\n")).collect();
        let _ = fs::write(Self::path(), lines);
    }
}
