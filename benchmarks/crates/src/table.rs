//! The report.

use crate::race::Times;

/// A markdown table, one row a contender.
pub fn markdown(all: &[Times], depth: u32) -> String {
    let unit = all.iter().filter(|times| times.ours).map(Times::median).fold(f64::INFINITY, f64::min);
    let mut table = format!("| perft {depth} | best s | median s | million leaves/s | time / ours |\n");
    table.push_str("|---|---:|---:|---:|---:|\n");
    for times in all {
        table.push_str(&row(times, unit));
    }
    table
}

fn row(times: &Times, unit: f64) -> String {
    let (best, median) = (times.best(), times.median());
    let speed = times.leaves as f64 / median / 1e6;
    let ratio = median / unit;
    let name = &times.name;
    format!("| {name} | {best:.3} | {median:.3} | {speed:.0} | {ratio:.2} |\n")
}
