//! How the error fell, as pictures beside the weights: by stage, and pass by pass.

use std::collections::BTreeMap;

use serde::Deserialize;
use turncoat_eval::patterns::most_empties;

use super::conjugate::{Best, Passed};
use super::run::LOG;
use crate::chart::{Chart, Curve};
use crate::run_folder::{FolderError, RunFolder};

/// A line of the log.
#[derive(Debug, Clone, Copy, Deserialize)]
struct LoggedPass {
    stage: usize,
    pass: usize,
    error: f64,
    kept_back: Option<f64>,
}

impl LoggedPass {
    /// The error on games kept back; lines without one are not drawn.
    fn kept_back(&self) -> f64 {
        self.kept_back.unwrap_or_default()
    }
}

/// The pass whose weights were kept.
fn best(passes: &[LoggedPass]) -> LoggedPass {
    let mut best = Best::default();
    let mut kept = passes[0];
    for &line in passes {
        let LoggedPass { pass, error, kept_back, .. } = line;
        if best.hear(Passed { pass, error, kept_back }) {
            kept = line;
        }
    }
    kept
}

/// In the picture of passes every this many stages has a line.
const EVERY: usize = 5;

/// Draws `errors.svg` and `passes.svg` from the log of a folder. Stages without games kept back are left out:
/// nothing can be said of them.
pub(super) fn draw(folder: &RunFolder) -> Result<(), FolderError> {
    // Nothing is logged if all stages were there already.
    let log = if folder.file(LOG).exists() { folder.read(LOG)? } else { String::new() };
    let stages = read(&log);
    folder.replace("errors.svg", by_stage(&stages).draw())?;
    folder.replace("passes.svg", by_pass(&stages).draw())
}

/// The passes of each stage. An interrupted stage begins again: its later passes count.
fn read(log: &str) -> BTreeMap<usize, Vec<LoggedPass>> {
    let mut stages: BTreeMap<usize, Vec<LoggedPass>> = BTreeMap::new();
    for line in log.lines() {
        let Ok(line) = serde_json::from_str::<LoggedPass>(line) else {
            continue; // The last line of a killed run may be cut off.
        };
        let passes = stages.entry(line.stage).or_default();
        if line.pass == 0 {
            passes.clear();
        }
        if line.kept_back.is_some() {
            passes.push(line);
        }
    }
    stages.retain(|_, passes| !passes.is_empty());
    stages
}

/// The error of every stage before and after.
fn by_stage(stages: &BTreeMap<usize, Vec<LoggedPass>>) -> Chart {
    let curve = |label: &str, of: fn(&[LoggedPass]) -> f64| {
        let discs = |stage: usize| f64::from(64 - most_empties(stage));
        let points = stages.iter().map(|(&stage, passes)| (discs(stage), of(passes)));
        Curve::new(label, points.collect())
    };
    Chart {
        title: "Error by stage, in discs (root mean square)".to_owned(),
        across: "discs on the board".to_owned(),
        percent: false,
        curves: vec![
            curve("before, on games kept back", |passes| passes[0].kept_back()),
            curve("after, on games kept back", |passes| best(passes).kept_back()),
            curve("after, on the games learned from", |passes| best(passes).error),
        ],
    }
}

/// How the error on games kept back fell with each pass, as a share of what it was.
fn by_pass(stages: &BTreeMap<usize, Vec<LoggedPass>>) -> Chart {
    let curves = stages.iter().filter(|(stage, _)| *stage % EVERY == EVERY - 1).map(|(&stage, passes)| {
        let share = |line: &LoggedPass| (line.pass as f64, line.kept_back() / passes[0].kept_back());
        let label = format!("from {} empty squares", most_empties(stage));
        Curve::new(&label, passes.iter().map(share).collect())
    });
    Chart {
        title: "Error on games kept back, beside that before training".to_owned(),
        across: "pass".to_owned(),
        percent: false,
        curves: curves.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_training_is_the_pass_whose_weights_were_kept() {
        let log = "{\"stage\":4,\"pass\":0,\"error\":9.0,\"kept_back\":9.5}\n\
                   {\"stage\":4,\"pass\":1,\"error\":8.0,\"kept_back\":8.5}\n\
                   {\"stage\":4,\"pass\":2,\"error\":7.0,\"kept_back\":8.4999}\n\
                   {\"stage\":4,\"pass\":3,\"error\":6.0,\"kept_back\":8.7}\n";
        let kept = best(&read(log)[&4]);
        // The third is not clearly better.
        assert_eq!((kept.pass, kept.error, kept.kept_back()), (1, 8.0, 8.5));
    }

    #[test]
    fn a_stage_that_began_anew_is_drawn_once() {
        let log = "{\"stage\":4,\"pass\":0,\"error\":9.0,\"kept_back\":9.5}\n\
                   {\"stage\":4,\"pass\":1,\"error\":8.0,\"kept_back\":8.5}\n\
                   {\"stage\":4,\"pass\":0,\"error\":9.0,\"kept_back\":9.5}\n\
                   {\"stage\":0,\"pass\":0,\"error\":9.0,\"kept_back\":null}\n\
                   {\"stage\":4,\"pa";
        let stages = read(log);
        assert_eq!(stages.len(), 1);
        assert_eq!(stages[&4].len(), 1);
        assert!(by_stage(&stages).draw().contains("Error by stage"));
        assert!(by_pass(&stages).draw().contains("from 52 empty squares"));
    }
}
