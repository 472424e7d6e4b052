//! The progress of a run on standard error, if that is a terminal: a line, or a bar with the score.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use turncoat_arena::report::Report;
use turncoat_arena::{Format, Plan, Results};

use super::stderr::target;
use super::table;
use crate::args::Points;

/// How often the numbers change.
const REFRESH: Duration = Duration::from_millis(100);
/// Lines of the table that are shown.
const LINES: usize = 20;

/// One line, as wide as the terminal, that is redrawn in place; hidden elsewhere.
pub(crate) fn status_line(visible: bool) -> ProgressBar {
    redrawn("{wide_msg}", visible)
}

/// Text of several lines that is redrawn in place; hidden elsewhere.
pub(crate) fn live_text(visible: bool) -> ProgressBar {
    redrawn("{msg}", visible)
}

fn redrawn(template: &str, visible: bool) -> ProgressBar {
    let text = ProgressBar::with_draw_target(None, target(visible));
    if let Ok(style) = ProgressStyle::with_template(template) {
        text.set_style(style);
    }
    text
}

/// The live view.
pub(crate) struct Live<'a> {
    bar: ProgressBar,
    plan: &'a Plan,
    names: &'a [String],
    /// When the numbers were changed last.
    refreshed: Cell<Option<Instant>>,
}

impl<'a> Live<'a> {
    /// The view of a run of which some games are done already.
    pub(crate) fn new(plan: &'a Plan, names: &'a [String], done: u64, visible: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(plan.total()), target(visible));
        let left = if plan.sprt.is_some() { "at most {eta} left" } else { "{eta} left" };
        let template = format!("{{msg}}\n{{bar:30}} {{pos}} of {{len}} games, {{elapsed}}, {left}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
        }
        // Games that were done before say nothing about the speed.
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(REFRESH);
        Self { bar, plan, names, refreshed: Cell::new(None) }
    }

    /// A game was counted.
    pub(crate) fn update(&self, results: &Results) {
        let now = Instant::now();
        let soon = |last: Instant| now.duration_since(last) < REFRESH;
        if self.bar.is_hidden() || self.refreshed.get().is_some_and(soon) {
            return;
        }
        self.refreshed.set(Some(now));
        let report = Report { plan: self.plan, names: self.names, results, complete: true };
        self.bar.set_message(match self.plan.format {
            Format::Match => table::match_line(&report),
            _ => table::standings(&report, Points::Standard, LINES).trim_end().to_owned(),
        });
        self.bar.set_position(results.all().count() as u64);
    }

    /// The bar, for printing next to it.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Takes the bar away while something is printed.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.bar.is_hidden() { print() } else { self.bar.suspend(print) }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
