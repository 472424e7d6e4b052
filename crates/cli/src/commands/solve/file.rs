//! `solve --file`: every position of an OBF file, checked against the scores that it gives.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;
use turncoat_board::Score;
use turncoat_record::lines::LineError;
use turncoat_record::obf::{self, ObfReadError, ScoredPosition};

use super::answer::Answer;
use super::check::Verdict;
use super::{SolveArgs, SolveJob};
use crate::args::Common;
use crate::commands::open;
use crate::failure::misuse;
use crate::output;

pub(super) fn run(path: &Path, args: &SolveArgs, common: &Common) -> Result<()> {
    let entries = read(path, common)?;
    let empties = entries.iter().map(|(_, entry)| entry.position.empties());
    let task = SolveJob::new(args, common, empties.max().unwrap_or(0))?;
    let mut totals = Totals { summary: true, ..Totals::default() };
    for (line, entry) in &entries {
        if task.is_interrupted() {
            break;
        }
        let (answer, verdict) = solve(&task, entry);
        totals.add(&answer, &verdict);
        if common.json {
            let expected = entry.best().map(Score::discs);
            output::json(&answer.object(Some((expected, &verdict))))?;
        } else if !common.quiet || verdict.is_bad() {
            output::line(format_args!("line {line}: {}", answer.row(&verdict)))?;
            if !answer.each.is_empty() {
                output::line(format_args!("    {}", answer.moves()))?;
            }
        }
    }
    let cut_short = task.is_interrupted() && totals.unsolved > 0;
    totals.complete = totals.positions == entries.len() as u64 && !cut_short;
    if common.json {
        output::json(&totals)?;
    } else {
        output::line(totals.text())?;
    }
    totals.conclude(&path.display().to_string(), entries.len())
}

fn read(path: &Path, common: &Common) -> Result<Vec<(usize, ScoredPosition)>> {
    let name = path.display();
    let entries: Result<Vec<_>, _> = obf::read(open(path)?, common.geometry()).collect();
    let entries = entries.map_err(|error| match error {
        ObfReadError::Line(LineError::Unreadable { source, .. }) => {
            anyhow::Error::new(source).context(name.to_string())
        }
        other => misuse(format!("{name}: {other}")),
    })?;
    if entries.is_empty() {
        bail!("no positions in {name}");
    }
    Ok(entries)
}

/// Solves a position and what else its line asks for.
fn solve(task: &SolveJob<'_>, entry: &ScoredPosition) -> (Answer, Verdict) {
    let (mut answer, _) = task.solve(entry.position);
    let (mut nodes, started) = (0, std::time::Instant::now());
    let verdict = Verdict::new(&answer, entry, |played| {
        let (found, entered) = task.solve_move(entry.position, played);
        nodes = entered;
        found
    });
    answer.nodes += nodes;
    answer.seconds += started.elapsed().as_secs_f64();
    (answer, verdict)
}

/// The last JSON object of a file.
#[derive(Serialize, Default)]
struct Totals {
    summary: bool,
    /// Positions that were looked at; the next three are among them.
    positions: u64,
    /// Whose scores were compared to the end.
    checked: u64,
    wrong: u64,
    unsolved: u64,
    /// Whether the file was done to its end.
    complete: bool,
    nodes: u64,
    seconds: f64,
}

impl Totals {
    fn add(&mut self, answer: &Answer, verdict: &Verdict) {
        self.positions += 1;
        self.checked += u64::from(verdict.ok().is_some());
        self.wrong += u64::from(verdict.ok() == Some(false));
        self.unsolved += u64::from(matches!(verdict, Verdict::Unsolved(_)));
        self.nodes += answer.nodes;
        self.seconds += answer.seconds;
    }

    fn text(&self) -> String {
        format!(
            "{} positions, {} checked, {} wrong, {} not solved; {} nodes in {:.2} s, {:.1} million a second",
            self.positions,
            self.checked,
            self.wrong,
            self.unsolved,
            self.nodes,
            self.seconds,
            self.nodes as f64 / self.seconds.max(1e-9) / 1e6
        )
    }

    /// The end: everything solved and right, or a failure that says what is not.
    fn conclude(&self, name: &str, positions: usize) -> Result<()> {
        let mut faults = Vec::new();
        if self.wrong > 0 {
            let (wrong, checked) = (self.wrong, self.checked);
            faults.push(format!("{wrong} of {checked} positions differ from {name}"));
        }
        if self.unsolved > 0 {
            let (unsolved, positions) = (self.unsolved, self.positions);
            faults.push(format!("{unsolved} of {positions} positions not solved"));
        }
        if !self.complete {
            let last = self.positions;
            faults.push(format!("interrupted at position {last} of {positions}"));
        }
        if faults.is_empty() {
            return Ok(());
        }
        bail!(faults.join("; "));
    }
}
