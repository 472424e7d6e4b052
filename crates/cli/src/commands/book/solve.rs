//! `book solve`: the exact score of every position of the first plies, for small boards.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use turncoat_board::{Geometry, Position};
use turncoat_book::{Book, Entry, Progress, Task, run as search_all};
use turncoat_players::book::{BookSolver, book_evaluation};
use turncoat_players::flagship::usual_evaluation;
use turncoat_search::transposition::TranspositionTable;

use super::files::Kept;
use super::grow::Watched;
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;
use crate::view::progress::count;

/// `book solve`
#[derive(Debug, Args)]
pub(super) struct SolveBookArgs {
    /// The book; made if it is not there
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Solve the positions after so many plies; those before follow from them
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// Then solve what a perfect side needs, of either colour and whatever the other one does, for so many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    answers: Option<u32>,
}

/// Mebibytes of the table that all solves share.
const HASH: usize = 1024;

pub(super) fn run(args: &SolveBookArgs, common: &Common) -> Result<()> {
    for (given, name) in [(common.depth.is_some(), "--depth"), (common.time.is_some(), "--time")] {
        if given {
            return Err(misuse(format!("{name} has no meaning here: a solve goes to the end of the game")));
        }
    }
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let (mut book, mut kept) = Kept::open(&args.file, common, |variant, geometry| {
        let evaluation = book_evaluation(usual_evaluation(variant, geometry), variant, geometry).map_err(misuse)?;
        Ok(Book::new(variant, geometry, evaluation))
    })?;
    if book.geometry() == Geometry::EIGHT {
        return Err(misuse("nobody can solve the first plies of 8x8: --size 6 or 4"));
    }
    let hash = common.hash.map_or(HASH, |hash| hash as usize);
    let table = Arc::new(TranspositionTable::new(hash)?);
    let solver = |_| BookSolver::new(Arc::clone(&table), book.variant(), book.geometry(), stop.clone());
    let mut solvers: Vec<BookSolver> = (0..common.threads()).map(solver).collect();
    let view = Watched::new(common);
    let mut progress = Progress::default();
    let mut solve_all = |book: &mut Book, tasks: &[Task]| {
        search_all(book, tasks, &mut solvers, &|| stop.is_raised(), &mut progress, &mut |book, progress| {
            view.show(book, progress);
            kept.save_now_and_then(book)
        })
    };
    let mut ended = Ok(true);
    while let Ok(true) = ended {
        let tasks = book.next_exact(args.plies, args.answers);
        if tasks.is_empty() {
            break;
        }
        ended = solve_all(&mut book, &tasks);
    }
    book.conclude(args.plies);
    let seconds = view.end().as_secs_f64();
    kept.save(&mut book)?;
    let is_complete = ended?;
    let start = book.find(Position::start(book.geometry())).filter(|start| start.is_exact()).map(Entry::value);
    let exact = book.entries().iter().filter(|entry| entry.is_exact()).count();
    if common.json {
        output::json(&json!({
            "summary": true, "solved": progress.searched, "nodes": progress.nodes, "seconds": seconds,
            "exact": exact, "score": start, "complete": is_complete,
        }))?;
    } else {
        let worth = start.map_or_else(String::new, |start| format!(", {start:+} for black at the start"));
        output::line(format_args!(
            "{} positions solved, {} nodes in {seconds:.1} s; {exact} exact ones{worth}",
            progress.searched,
            count(progress.nodes)
        ))?;
    }
    if !is_complete {
        bail!("stopped; the same command continues");
    }
    Ok(())
}
