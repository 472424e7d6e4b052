//! `book check`: whether a book is what it should be.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use super::files::open;
use crate::args::Common;
use crate::output;

/// `book check`
#[derive(Debug, Args)]
pub(super) struct CheckBookArgs {
    /// The book [default: the one that comes with the program]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
}

/// Faults that are listed one by one.
const LISTED: usize = 10;

pub(super) fn run(args: &CheckBookArgs, common: &Common) -> Result<()> {
    // The digest, the order and the discs are checked when it is read.
    let book = open(args.book.as_deref(), common)?;
    let report = book.check();
    let faults = report.faults.len();
    if common.json {
        output::json(&json!({
            "positions": book.entries().len(), "complete": report.complete, "unreached": report.unreached,
            "faults": faults,
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
    }
    if faults > 0 {
        bail!("{faults} positions of the book are wrong");
    }
    Ok(())
}
