//! The usability test as the objects of the API.

use turncoat_api::{CheckReport, CheckSummary, CheckedCase};
use turncoat_arena::faults;
use turncoat_host::check::{Case, End, Verdict};
use turncoat_util::printable;

/// The wrong cases that are kept.
const KEPT: usize = 5;
/// The longest answer or complaint that is kept, in characters.
const LONGEST: usize = 2_000;

/// A case.
pub fn case(case: &Case) -> CheckedCase {
    CheckedCase {
        case: case.number,
        position: case.position.to_string(),
        ok: case.complaints.is_empty(),
        seconds: case.took.as_secs_f64(),
        interrupted: case.interrupted,
        fault: case.fault.as_ref().map(|fault| faults::name(fault).to_owned()),
        expected: case.expected.clone(),
        came: case.came.clone(),
        complaints: case.complaints.clone(),
    }
}

/// The whole.
pub fn summary(verdict: &Verdict) -> CheckSummary {
    CheckSummary {
        summary: true,
        cases: verdict.cases,
        left_out: verdict.left_out,
        passed: verdict.passed,
        ok: verdict.is_good(),
        end: match verdict.end {
            End::Complete => "complete",
            End::NotStarted => "not-started",
            End::Hopeless => "hopeless",
            End::Interrupted => "interrupted",
        }
        .to_owned(),
        start_seconds: verdict.start_up.as_secs_f64(),
        slowest_seconds: verdict.slowest.as_secs_f64(),
        memory_megabytes: verdict.memory as f64 / 1e6,
        forbidden_imports: verdict.forbidden.clone(),
    }
}

/// What is kept of a test.
pub fn kept(verdict: &Verdict, cases: &[Case]) -> CheckReport {
    let short = |text: String| text.chars().take(LONGEST).collect::<String>();
    let wrong = cases.iter().filter(|case| !case.complaints.is_empty()).take(KEPT).map(case_kept);
    let words = verdict.words(cases).replace(" (--all tries it)", "");
    // A program that does not start says why in its first complaint.
    let why = cases.iter().filter(|_| verdict.end == End::NotStarted).flat_map(|case| &case.complaints).next();
    let words = why.map_or(words, |why| format!("it does not start: {}", printable(why)));
    CheckReport { words: short(words), whole: summary(verdict), wrong: wrong.collect() }
}

fn case_kept(checked: &Case) -> CheckedCase {
    let short = |text: &str| text.chars().take(LONGEST).collect::<String>();
    let mut kept = case(checked);
    kept.came = short(&kept.came);
    kept.complaints = kept.complaints.iter().map(|complaint| short(complaint)).collect();
    kept
}
