//! The usability test of a program: what `check --json` prints and a ladder keeps.

use serde::{Deserialize, Serialize};

/// A position that a program was asked about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckedCase {
    /// Its number, from 1.
    pub case: usize,
    /// The position.
    pub position: String,
    /// Whether the answer was right.
    pub ok: bool,
    /// How long it took.
    pub seconds: f64,
    /// Whether the program was interrupted at its limit.
    pub interrupted: bool,
    /// Why there was no answer: `timeout`, `crash`, …
    #[cfg_attr(feature = "openapi", schema(required))]
    pub fault: Option<String>,
    /// The legal moves, as the program writes them.
    pub expected: String,
    /// What it answered.
    pub came: String,
    /// What is wrong with that.
    pub complaints: Vec<String>,
}

/// The whole test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckSummary {
    /// Tells this object from the cases.
    pub summary: bool,
    /// Cases that were tried.
    pub cases: usize,
    /// Positions without a move, where only the course's class is asked.
    pub left_out: usize,
    /// Cases with the right answer.
    pub passed: usize,
    /// Whether the program has passed.
    pub ok: bool,
    /// `complete`, `not-started`, `hopeless` or `interrupted`.
    pub end: String,
    /// How long it took to start.
    pub start_seconds: f64,
    /// Its longest answer.
    pub slowest_seconds: f64,
    /// The most memory beyond that of its start.
    pub memory_megabytes: f64,
    /// Lines of its source that import what the course forbids.
    pub forbidden_imports: Vec<usize>,
}

/// The test of a version, as a ladder keeps it: the whole, and the cases that went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheckReport {
    /// The verdict in words.
    pub words: String,
    /// The whole.
    pub whole: CheckSummary,
    /// The first wrong cases.
    pub wrong: Vec<CheckedCase>,
}
