//! `train compare`: the populations of genetic runs against each other.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use turncoat_train::genetic::games::{Evaluate, Threads};
use turncoat_train::genetic::replicates::{Estimate, read_runs};
use turncoat_train::genetic::run::Snapshot;
use turncoat_train::genetic::{ColorTally, compare, fitness};

use super::genetic::{failure, readers};
use super::lab::{View, pool};
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;

/// `train compare`
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Folders of runs, or of several runs each (train replicate)
    #[arg(value_name = "DIR", num_args = 2.., required = true)]
    runs: Vec<PathBuf>,
    /// Random plies before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50))]
    plies: u32,
}

/// The runs of a folder.
struct Side<'a> {
    folder: &'a Path,
    runs: Vec<Snapshot>,
}

/// One cell of the comparison.
#[derive(Serialize)]
struct Comparison<'a> {
    black: &'a Path,
    white: &'a Path,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The share of games won; of several pairs of runs the mean, with its standard error.
    win_rate: f64,
    error: Option<f64>,
    pairs: usize,
}

impl Side<'_> {
    fn name(&self) -> String {
        self.folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// The runs of this side and those of another that meet: the first with the first and so on, or one with all.
    fn pairs<'a>(&'a self, other: &'a Self) -> Vec<(&'a Snapshot, &'a Snapshot)> {
        let count = self.runs.len().max(other.runs.len());
        self.runs.iter().cycle().zip(other.runs.iter().cycle()).take(count).collect()
    }
}

pub(super) fn run(args: &CompareArgs, common: &Common) -> Result<()> {
    let side = |folder: &'_ PathBuf| read_runs(folder, &readers()).map_err(failure);
    let sides = args.runs.iter().map(|folder| Ok(Side { folder, runs: side(folder)? }));
    let sides: Vec<Side<'_>> = sides.collect::<Result<_>>()?;
    let several: Vec<&Side<'_>> = sides.iter().filter(|side| side.runs.len() > 1).collect();
    if let Some(pair) = several.windows(2).find(|pair| pair[0].runs.len() != pair[1].runs.len()) {
        let [(one, ones), (other, others)] = [pair[0], pair[1]].map(|side| (side.folder.display(), side.runs.len()));
        return Err(misuse(format!("{one} has {ones} runs and {other} has {others}: as many must meet as many")));
    }
    let pool = pool(common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let mut threads = Threads { stop, ..Threads::default() };
    let meetings = |black: &Side<'_>| sides.iter().filter(|white| white.folder != black.folder).count() as u64;
    let view = View::new("cells", 0, sides.iter().map(meetings).sum(), &threads.played, common);
    let mut table = Vec::new();
    let mut done = 0;
    for black in &sides {
        let mut row = Vec::new();
        for white in &sides {
            row.push(if black.folder == white.folder {
                None
            } else {
                let cell = pool.install(|| cell(black, white, (args.plies, common.seed()), &mut threads));
                let cell = cell.inspect_err(|_| view.finish())?;
                done += 1;
                view.advance(done, &format!("{} – {}", black.name(), white.name()));
                Some(cell)
            });
        }
        table.push(row);
    }
    view.finish();
    print(&sides, &table, common)
}

/// Plays one side as black against another as white.
fn cell<'a>(
    black: &Side<'a>,
    white: &Side<'a>,
    (plies, seed): (u32, u64),
    threads: &mut Threads,
) -> Result<Comparison<'a>> {
    let mut all = ColorTally::default();
    let mut rates = Vec::new();
    for (one, other) in black.pairs(white) {
        let batch = compare::games((one.lab(), one.population()), (other.lab(), other.population()), plies, seed);
        let Some(played) = threads.evaluate(&batch)? else {
            bail!("interrupted");
        };
        let blacks = one.population().individuals.len();
        let mut tally = ColorTally::default();
        for own in &fitness::count(&batch, &played, batch.contenders.len())[..blacks] {
            tally.include(own);
        }
        rates.push(tally.win_rate());
        all.include(&tally);
    }
    let estimate = Estimate::new(&rates);
    Ok(Comparison {
        black: black.folder,
        white: white.folder,
        games: all.games(),
        wins: all.wins(),
        draws: all.draws,
        losses: all.losses,
        win_rate: estimate.map_or(0.0, |estimate| estimate.mean),
        error: estimate.and_then(|estimate| estimate.error),
        pairs: rates.len(),
    })
}

fn print(sides: &[Side<'_>], table: &[Vec<Option<Comparison<'_>>>], common: &Common) -> Result<()> {
    if common.json {
        return table.iter().flatten().flatten().try_for_each(output::json);
    }
    let longest = sides.iter().map(|side| side.name().chars().count()).max().unwrap_or_default();
    let width = 16.max(longest + 2);
    let columns: String = sides.iter().map(|side| format!("{:>width$}", side.name())).collect();
    output::line(format_args!("{:width$}{columns}", "black \\ white"))?;
    for (side, row) in sides.iter().zip(table) {
        let shown = |cell: &Option<Comparison<'_>>| match cell {
            None => "-".to_owned(),
            Some(Comparison { win_rate, error: None, .. }) => format!("{:.2} %", 100.0 * win_rate),
            Some(Comparison { win_rate, error: Some(error), .. }) => {
                format!("{:.1} ± {:.1} %", 100.0 * win_rate, 100.0 * error)
            }
        };
        let cells: String = row.iter().map(|cell| format!("{:>width$}", shown(cell))).collect();
        output::line(format_args!("{:width$}{cells}", side.name()))?;
    }
    Ok(())
}
