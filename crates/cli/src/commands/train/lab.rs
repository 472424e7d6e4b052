//! What the runs of the lab share in the terminal: threads, and a view of their progress.

use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::args::Common;
use crate::view::lines::Lines;
use crate::view::stderr::target;

/// The threads of the lab carry this name.
const THREAD: &str = "lab";

/// The threads that play, as many as asked for; all cores if not.
pub(super) fn pool(common: &Common) -> Result<ThreadPool> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = common.threads.map_or(cores, usize::from);
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|_| THREAD.to_owned())
        .build()
        .context("cannot start threads")
}

/// The panic of a player is in the error that ends the run; it is not printed into the view.
pub(super) fn keep_faults_off_the_terminal() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(THREAD) {
            usual(panic);
        }
    }));
}

/// Progress on standard error: a bar on a terminal, a line now and then elsewhere.
pub(super) struct Bar {
    bar: ProgressBar,
    _lines: Option<Lines>,
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Bar {
    /// A bar of so many units. `rest` is the part of its template after them.
    pub(super) fn new(length: u64, units: &'static str, rest: &str, common: &Common) -> Self {
        Self::with_detail(length, units, rest, String::new, common)
    }

    /// The same; its lines also have a detail that changes while the bar stands still.
    fn with_detail(
        length: u64,
        units: &'static str,
        rest: &str,
        detail: impl Fn() -> String + Send + 'static,
        common: &Common,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length), target(!common.quiet));
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}} of {{len}} {units}, {rest}")) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        let shown = bar.clone();
        let lines = (bar.is_hidden() && !common.quiet)
            .then(|| Lines::start(move || (!shown.is_finished()).then(|| line(&shown, units, &detail()))));
        Self { bar, _lines: lines }
    }
}

/// How far a bar is, as a line.
fn line(bar: &ProgressBar, units: &str, detail: &str) -> String {
    let mut parts = vec![format!("{} of {} {units}", bar.position(), bar.length().unwrap_or_default())];
    parts.extend([bar.message(), detail.to_owned()].into_iter().filter(|part| !part.is_empty()));
    parts.push(format!("{:.0} s", bar.elapsed().as_secs_f64()));
    parts.join(", ")
}

/// The progress of a run that plays games.
pub(super) struct View {
    bar: Bar,
    played: Arc<AtomicU64>,
    started: Instant,
}

impl View {
    /// A view of a run that has come so far; `played` counts its games.
    pub(super) fn new(units: &'static str, done: u64, total: u64, played: &Arc<AtomicU64>, common: &Common) -> Self {
        let games = Arc::clone(played);
        let detail = move || format!("{} games played", games.load(Ordering::Relaxed));
        let bar = Bar::with_detail(total, units, "{msg}, {eta} left", detail, common);
        bar.set_position(done);
        bar.reset_eta();
        Self { bar, played: Arc::clone(played), started: Instant::now() }
    }

    /// Shows how far the run has come.
    pub(super) fn advance(&self, position: u64, message: &str) {
        let played = self.played.load(Ordering::Relaxed) as f64;
        let speed = played / self.started.elapsed().as_secs_f64().max(1e-9);
        self.bar.set_position(position);
        self.bar.set_message(format!("{message}, {speed:.0} games/s"));
    }

    /// Takes the bar off the terminal.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_a_bar_shows() {
        let bar = ProgressBar::hidden();
        bar.set_length(60);
        assert_eq!(line(&bar, "generations", ""), "0 of 60 generations, 0 s");
        bar.set_position(12);
        bar.set_message("best 17");
        assert_eq!(
            line(&bar, "generations", "340 games played"),
            "12 of 60 generations, best 17, 340 games played, 0 s"
        );
    }
}
