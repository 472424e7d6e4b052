//! The course reports again: every table and figure of a report that can be run, beside the report's own numbers.
//!
//! - [`Report`]: a report as data, `reports/NAME.toml`: its parts, what they say, and the work that repeats each.
//! - `evolution`, `modes`, `contests`, `speed`, `habits`: the kinds of work. Each comes to an [`Outcome`], tables and pictures.
//! - [`Reproduction`]: all parts of a report in a folder, one file each, so that it can be stopped and resumed.
//! - `page`: the page of it all.

mod contests;
mod evolution;
mod habits;
mod modes;
mod page;
mod run;
pub(crate) mod shown;
mod source;
mod speed;

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_players::{BuildError, Fault, StopFlag};

pub use self::page::PAGE;
pub use self::run::{Reproduction, Step};
pub use self::source::{Part, Report};
use crate::genetic::run::GeneticError;
use crate::genetic::{LabError, PlayError};
use crate::matches::MatchError;
use crate::run_folder::FolderError;

/// How much of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// To see it work: the numbers say nothing.
    Quick,
    /// Generations and populations of the report, a few hundred games a match.
    #[default]
    Usual,
    /// Experiments with ten seeds, a thousand games a match and more.
    Full,
}

impl Scale {
    /// One of three, by the scale.
    fn pick<T>(self, quick: T, usual: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Usual => usual,
            Self::Full => full,
        }
    }
}

/// What a part came to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// How long it took here.
    pub seconds: f64,
    /// The report's numbers beside ours.
    pub tables: Vec<Table>,
    /// Charts and tables of weights, as SVG.
    pub pictures: Vec<String>,
    /// Positions, as SVG.
    pub boards: Vec<String>,
}

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    fn new(title: &str, head: &[&str]) -> Self {
        Self { title: title.to_owned(), head: head.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }
}

/// What all kinds of work need.
#[derive(Clone, Copy)]
struct Context<'a> {
    /// Where genetic runs are kept.
    folder: &'a Path,
    scale: Scale,
    seed: u64,
    stop: &'a StopFlag,
    /// Hears what is under way.
    hear: &'a (dyn Fn(&str) + Sync),
}

/// Why a reproduction ended early.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// There is no such report.
    #[error("there is no report of {name:?}: there are {}", Report::names().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The folder, or a file in it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A genetic run.
    #[error(transparent)]
    Genetic(#[from] GeneticError),
    /// An experiment.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// Games of populations.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A player cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A player failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The data of a report names something that there is not.
    #[error("the data of the report: {0}")]
    Data(String),
}

impl ReproduceError {
    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        match self {
            Self::Unknown { .. } => true,
            Self::Folder(error) => error.is_misuse(),
            _ => false,
        }
    }
}
