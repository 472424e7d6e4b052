//! The verdict of the test in words.

use turncoat_players::Fault;

use super::{Case, End, MOST_CRASHES, Subject, Verdict};

impl Verdict {
    /// The first line: the verdict, or that there is none.
    pub fn outcome(&self, subject: &Subject, positions: u64, cases: &[Case]) -> String {
        if self.is_open() {
            let tried = self.cases;
            return format!(
                "{subject}: interrupted before there was a verdict, after {tried} of at most {positions} positions"
            );
        }
        let mark = if self.is_good() { "passes" } else { "fails" };
        format!("{subject} {mark} the test: {}", self.words(cases))
    }

    /// Why it passes or fails.
    pub fn words(&self, cases: &[Case]) -> String {
        let Self { passed, cases: tried, .. } = self;
        let counted = format!("{passed} of {tried} answers are right");
        let words = match self.end {
            End::Complete => counted,
            End::NotStarted => "it does not start, so nothing else was tried".to_owned(),
            End::Interrupted => format!("it was interrupted; {counted}"),
            End::Hopeless => format!("{}, so the rest was not tried (--all tries it)", why(cases)),
        };
        if self.forbidden.is_empty() {
            return words;
        }
        let lines: Vec<String> = self.forbidden.iter().map(ToString::to_string).collect();
        format!("{words}, and it imports os in line {}, which the course forbids", lines.join(", "))
    }
}

/// Why the last case made the others pointless.
fn why(cases: &[Case]) -> String {
    let Some(last) = cases.last() else {
        return String::new();
    };
    let in_a_row = |what: &str| {
        let first = cases[cases.len().saturating_sub(MOST_CRASHES)].number;
        let last = last.number;
        format!("it {what} {MOST_CRASHES} times in a row (cases {first}–{last})")
    };
    match last.fault {
        Some(Fault::OutOfMemory(_)) => format!("it ran out of memory in case {}", last.number),
        Some(Fault::Crash(_)) => in_a_row("crashed"),
        Some(Fault::Protocol(_)) => in_a_row("broke the protocol"),
        _ => format!("it ran out of time in case {}", last.number),
    }
}
