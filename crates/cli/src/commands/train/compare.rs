//! `train compare`: the populations of genetic runs against each other.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use turncoat_train::genetic::games::{Evaluate, Threads};
use turncoat_train::genetic::run::Snapshot;
use turncoat_train::genetic::{ColorTally, compare, fitness};

use super::genetic::snapshot;
use super::lab::pool;
use crate::args::Common;
use crate::output;

/// `train compare`
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Folders of runs
    #[arg(value_name = "DIR", num_args = 2.., required = true)]
    runs: Vec<PathBuf>,
    /// Random plies before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50))]
    plies: u32,
}

/// One cell of the comparison.
#[derive(Serialize)]
struct Comparison {
    black: PathBuf,
    white: PathBuf,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    win_rate: f64,
}

pub(super) fn run(args: &CompareArgs, common: &Common) -> Result<()> {
    let runs: Vec<Snapshot> = args.runs.iter().map(|folder| snapshot(folder)).collect::<Result<_>>()?;
    let pool = pool(common)?;
    let mut threads = Threads::default();
    let name = |run: &Snapshot| {
        let folder = run.folder().file_name();
        folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    if !common.json {
        let columns: Vec<String> = runs.iter().map(|run| format!("{:>16}", name(run))).collect();
        output::line(format_args!("{:16}{}", "black \\ white", columns.concat()))?;
    }
    for black in &runs {
        let mut row = format!("{:16}", name(black));
        for white in &runs {
            if black.folder() == white.folder() {
                row += &format!("{:>16}", "-");
                continue;
            }
            let sides = [black, white].map(|run| (run.lab(), run.population()));
            let batch = compare::games(sides[0], sides[1], args.plies, common.seed());
            let played = pool.install(|| threads.evaluate(&batch))?.unwrap_or_default();
            let blacks = black.population().individuals.len();
            let tallies = fitness::count(&batch, &played, batch.contenders.len());
            let cell = cell(black, white, &tallies[..blacks]);
            if common.json {
                output::json(&cell)?;
            }
            row += &format!("{:>14.2} %", 100.0 * cell.win_rate);
        }
        if !common.json {
            output::line(row)?;
        }
    }
    Ok(())
}

fn cell(black: &Snapshot, white: &Snapshot, tallies: &[ColorTally]) -> Comparison {
    let sum = |of: fn(&ColorTally) -> u32| tallies.iter().map(of).sum::<u32>();
    let (games, wins) = (sum(ColorTally::games), sum(ColorTally::wins));
    Comparison {
        black: black.folder().to_owned(),
        white: white.folder().to_owned(),
        games,
        wins,
        draws: sum(|tally| tally.draws),
        losses: sum(|tally| tally.losses),
        win_rate: f64::from(wins) / f64::from(games.max(1)),
    }
}
