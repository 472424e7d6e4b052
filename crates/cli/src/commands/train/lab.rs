//! What the runs of the lab share in the terminal: threads, and a view of their progress.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::args::Common;
use crate::output;
use crate::view::stderr::target;

/// The threads of the lab carry this name.
const THREAD: &str = "lab";
/// Between two lines of a log that is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

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

/// The progress of a run on standard error: a bar on a terminal, a line now and then elsewhere.
pub(super) struct View {
    /// What is counted.
    unit: &'static str,
    bar: ProgressBar,
    /// Whether lines stand in for the bar.
    lines: bool,
    started: Instant,
    last_line: Cell<Instant>,
}

impl View {
    /// A view of a run that has come so far.
    pub(super) fn new(unit: &'static str, done: u64, total: u64, common: &Common) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), target(!common.quiet));
        let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}s  {{msg}}  {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        let lines = bar.is_hidden() && !common.quiet;
        Self { unit, bar, lines, started: Instant::now(), last_line: Cell::new(Instant::now()) }
    }

    /// Games a second, in words.
    pub(super) fn speed(&self, played: u64) -> String {
        format!("{:.0} games/s", played as f64 / self.started.elapsed().as_secs_f64().max(1e-9))
    }

    /// Shows how far the run has come.
    pub(super) fn advance(&self, position: u64, message: String) {
        self.bar.set_position(position);
        if self.lines && self.last_line.get().elapsed() >= BETWEEN_LINES {
            output::note(format_args!("{} {position}: {message}", self.unit));
            self.last_line.set(Instant::now());
        }
        self.bar.set_message(message);
    }

    /// Takes the bar off the terminal.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
