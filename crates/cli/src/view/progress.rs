//! What a long solve says while it works, and the proofs that it ends with.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use turncoat_board::Geometry;
use turncoat_search::endgame::Progress;

use super::lines::BETWEEN_LINES;
use super::live::status_line;

/// Solves shorter than this say nothing.
const LONG: Duration = Duration::from_secs(1);

/// The progress of a solve on standard error.
pub(crate) struct SolveProgress {
    geometry: Geometry,
    shown: bool,
    every_step: bool,
    /// Shown on a terminal alone.
    line: ProgressBar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last proof of a lower and of an upper bound.
    proofs: [Option<ProvenBound>; 2],
    /// The answer before the present one.
    before: Option<Progress>,
    last_line: Duration,
}

#[derive(Clone, Copy)]
struct ProvenBound {
    bound: i32,
    nodes: u64,
    time: Duration,
}

impl SolveProgress {
    /// A view; `every_step` leaves a line of each answer, also of short solves.
    pub(crate) fn new(geometry: Geometry, shown: bool, every_step: bool) -> Self {
        Self { geometry, shown, every_step, line: status_line(shown), state: Mutex::default() }
    }

    /// Takes a report.
    pub(crate) fn note(&self, progress: &Progress) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(above) = progress.above {
            state.remember(progress, above);
        }
        if !self.shown || !(self.every_step || progress.time >= LONG) {
            return;
        }
        let text = line(progress, self.geometry);
        let watched = !self.line.is_hidden();
        if leaves_line(progress, self.every_step, watched, state.last_line) {
            state.last_line = progress.time;
            // A closed standard error is no reason to stop.
            self.line.suspend(|| {
                let _ = writeln!(io::stderr(), "{text}");
            });
        } else {
            self.line.set_message(text);
        }
    }

    /// Takes the line off the terminal.
    pub(crate) fn end(&self) {
        self.line.finish_and_clear();
    }

    /// The two proofs of a long solve, a line each.
    pub(crate) fn proofs(&self) -> String {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let long = state.before.is_some_and(|last| last.time >= LONG);
        let [Some(lower), Some(upper)] = state.proofs else {
            return String::new();
        };
        if !long {
            return String::new();
        }
        [("at least", lower), ("at most", upper)]
            .map(|(word, proof)| {
                format!(
                    "proof  {word} {:+}: {} nodes, {:.1} s\n",
                    proof.bound,
                    count(proof.nodes),
                    proof.time.as_secs_f64()
                )
            })
            .concat()
    }
}

impl State {
    fn remember(&mut self, progress: &Progress, above: bool) {
        let (nodes, time) = self.before.map_or((0, Duration::ZERO), |last| (last.nodes, last.time));
        // Where every move is solved, the proofs are those of the position.
        if progress.certainty == 100 && progress.played.is_none() {
            self.proofs[usize::from(!above)] = Some(ProvenBound {
                bound: if above { progress.lower } else { progress.upper },
                nodes: progress.nodes.saturating_sub(nodes),
                time: progress.time.saturating_sub(time),
            });
        }
        self.before = Some(*progress);
    }
}

/// Whether a report stays in view: every answer if they are asked for, otherwise a sign of life now and then where no
/// terminal shows the line that changes.
fn leaves_line(progress: &Progress, every_step: bool, watched: bool, last: Duration) -> bool {
    let is_due = progress.time >= last + BETWEEN_LINES;
    every_step && progress.above.is_some() || !watched && is_due
}

/// A step in words: guesses are likely, proofs are proven.
fn line(progress: &Progress, geometry: Geometry) -> String {
    let Progress { played, lower, upper, bar, above, certainty, nodes, time } = *progress;
    let (sure, share) =
        if certainty == 100 { ("proven", String::new()) } else { ("likely", format!(" (cuts sure to {certainty} %)")) };
    let of = played.map_or_else(String::new, |played| format!("{}: ", played.label(geometry)));
    let answer = match above {
        None => format!("is it above {bar:+}?"),
        Some(true) => format!("{sure} at least {lower:+},"),
        Some(false) => format!("{sure} at most {upper:+},"),
    };
    format!(
        "{:8.1} s {:>8} nodes, {of}{answer} {sure} bounds {lower:+} to {upper:+}{share}",
        time.as_secs_f64(),
        count(nodes)
    )
}

/// A large number in three digits: `17.1M`.
pub(crate) fn count(number: u64) -> String {
    let number = number as f64;
    for (unit, letter) in [(1e9, 'G'), (1e6, 'M'), (1e3, 'k')] {
        if number >= unit {
            return format!("{:.*}{letter}", if number / unit < 100.0 { 2 } else { 1 }, number / unit);
        }
    }
    format!("{number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_board::Move;

    #[test]
    fn guesses_are_likely_and_proofs_proven() {
        let progress = Progress {
            played: None,
            lower: 4,
            upper: 64,
            bar: 3,
            above: Some(true),
            certainty: 93,
            nodes: 1_230_000,
            time: Duration::from_secs(2),
        };
        let said = |progress| line(&progress, Geometry::EIGHT);
        assert_eq!(
            said(progress),
            "     2.0 s    1.23M nodes, likely at least +4, likely bounds +4 to +64 (cuts sure to 93 %)"
        );
        let proof = Progress { played: Geometry::EIGHT.square("f5").map(Move::Place), certainty: 100, ..progress };
        assert_eq!(said(proof), "     2.0 s    1.23M nodes, f5: proven at least +4, proven bounds +4 to +64");
        let question = Progress { above: None, ..proof };
        assert!(said(question).contains("f5: is it above +3? proven bounds +4 to +64"));
    }

    #[test]
    fn answers_leave_no_lines_unless_they_are_asked_for() {
        let answer = |seconds| Progress {
            played: None,
            lower: 4,
            upper: 64,
            bar: 3,
            above: Some(true),
            certainty: 100,
            nodes: 1_230_000,
            time: Duration::from_secs(seconds),
        };
        let begin = Duration::ZERO;
        for watched in [true, false] {
            assert!(!leaves_line(&answer(2), false, watched, begin));
            assert!(leaves_line(&answer(2), true, watched, begin));
        }
        assert!(leaves_line(&answer(10), false, false, begin));
        assert!(!leaves_line(&answer(19), false, false, answer(10).time));
        assert!(!leaves_line(&answer(10), false, true, begin));
    }
}
