//! What is written about a run: objects for JSON, CSV, transcripts, and a page.

mod csv;
mod html;
mod summary;
mod transcripts;

pub use csv::{games as games_csv, table as table_csv};
pub use html::page;
pub use summary::{elo_text, los_text};
pub use transcripts::{chess_log, transcripts};

use crate::plan::Plan;
use crate::results::Results;

/// A run to be written about.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// What was asked for.
    pub plan: &'a Plan,
    /// What the players are called.
    pub names: &'a [String],
    /// What came out.
    pub results: &'a Results,
    /// Whether the run has come to its end.
    pub complete: bool,
}

#[cfg(test)]
mod tests;
