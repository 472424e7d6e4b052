//! `book check`: whether a book is what it should be.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use turncoat_book::{Book, Entry, Verifier};

use super::files::{note_stale, open};
use crate::args::Common;
use crate::failure::misuse;
use crate::output;
use crate::view::progress::count;

/// `book check`
#[derive(Debug, Args)]
pub(super) struct CheckBookArgs {
    /// The book [default: the one that comes with the program]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
    /// Prove so many exact scores again, by a plain search that shares nothing with the solver; --seed draws them
    #[arg(long, value_name = "N")]
    verify: Option<usize>,
    /// Those of positions after so many plies [default: the latest that have any]
    #[arg(long, value_name = "N", requires = "verify")]
    plies: Option<u32>,
}

/// Faults that are listed one by one.
const LISTED: usize = 10;
/// Mebibytes of a thread's table in the plain search.
const HASH: usize = 256;

pub(super) fn run(args: &CheckBookArgs, common: &Common) -> Result<()> {
    // The digest, the order and the discs are checked when it is read.
    let book = open(args.book.as_deref(), common)?;
    note_stale(&book);
    let report = book.check();
    let faults = report.faults.len();
    let sample = book.sample_exact(args.plies, args.verify.unwrap_or(0), common.seed());
    if args.verify.is_some_and(|count| count > 0) && sample.is_empty() {
        let plies = args.plies.map_or_else(String::new, |plies| format!(" after {plies} plies"));
        return Err(misuse(format!("the book has no exact scores{plies} to be proven again")));
    }
    let proven = Proven::of(&book, &sample, common);
    if common.json {
        output::json(&json!({
            "positions": book.entries().len(), "complete": report.complete, "unreached": report.unreached,
            "faults": faults, "verified": sample.len(), "refuted": proven.wrong.len(), "nodes": proven.nodes,
            "seconds": proven.seconds,
        }))?;
    } else {
        for (position, fault) in report.faults.iter().take(LISTED) {
            output::line(format_args!("{position}: {fault}"))?;
        }
        output::line(format_args!(
            "{} positions, {} negamaxed from all of their moves, {} that no line leads to: {}",
            book.entries().len(),
            report.complete,
            report.unreached,
            if faults == 0 { "sound".to_owned() } else { format!("{faults} faults") }
        ))?;
        if args.verify.is_some() {
            proven.tell(&book, &sample)?;
        }
    }
    let wrong = faults + proven.wrong.len();
    if wrong > 0 {
        bail!("{wrong} positions of the book are wrong");
    }
    Ok(())
}

/// What a plain search found about exact scores.
struct Proven {
    wrong: Vec<Entry>,
    nodes: u64,
    seconds: f64,
}

impl Proven {
    fn of(book: &Book, sample: &[Entry], common: &Common) -> Self {
        let hash = common.hash.map_or(HASH, |hash| hash as usize);
        let (taken, nodes, began) = (AtomicUsize::new(0), AtomicU64::new(0), Instant::now());
        let refuted = || {
            let mut verifier = Verifier::new(book.variant(), book.geometry(), hash);
            let next = || sample.get(taken.fetch_add(1, Ordering::Relaxed));
            let wrong: Vec<Entry> = std::iter::from_fn(next).filter(|entry| !verifier.holds(entry)).copied().collect();
            nodes.fetch_add(verifier.nodes(), Ordering::Relaxed);
            wrong
        };
        let threads = common.threads().min(sample.len());
        let wrong = thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(refuted)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        Self { wrong, nodes: nodes.into_inner(), seconds: began.elapsed().as_secs_f64() }
    }

    fn tell(&self, book: &Book, sample: &[Entry]) -> Result<()> {
        for entry in self.wrong.iter().take(LISTED) {
            if let Some(position) = book.position(entry.board()) {
                output::line(format_args!("{position}: its score is not {:+.0}", entry.score()))?;
            }
        }
        let plies = sample.first().map_or(0, |entry| entry.board().discs().count().saturating_sub(4));
        output::line(format_args!(
            "{} exact scores after {plies} plies searched again, {} of them wrong: {} nodes in {:.1} s",
            sample.len(),
            self.wrong.len(),
            count(self.nodes),
            self.seconds
        ))
    }
}
