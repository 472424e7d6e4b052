//! What can be wrong with a store.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use turncoat_util::OtherFormat;

use crate::plan::PlanError;

/// What is wrong with a store, and which.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct StoreError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: StoreFault,
}

impl StoreError {
    /// Whether the database could not open one of its files.
    pub(super) fn is_unopened(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
        let StoreFault::Sqlite(error) = &self.fault else {
            return false;
        };
        matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly))
    }
}

/// What can be wrong with a store.
#[derive(Debug, Error)]
pub enum StoreFault {
    /// A new run wants a new file.
    #[error("there is a file already; --resume continues its run")]
    Exists,
    /// There is nothing to continue.
    #[error("there is no such store")]
    Missing,
    /// A store is a file.
    #[error("this is a folder: a store is a file")]
    Folder,
    /// The file is something else.
    #[error("this is not a store of games")]
    Foreign,
    /// The store was written by another version of the program.
    #[error(transparent)]
    Format(#[from] OtherFormat),
    /// Another run writes to it.
    #[error("another run is using this store{}", process_named(*.process))]
    InUse {
        /// Its process, where known.
        process: Option<u32>,
    },
    /// It belongs to another run.
    #[error("{what}: {asked} was asked for, but the run in the store has {there}; it began with\n  {command}")]
    OtherRun {
        /// What differs: an option of the command line, if there is one.
        what: &'static str,
        /// As asked for now.
        asked: String,
        /// As stored.
        there: String,
        /// The command that began it.
        command: String,
    },
    /// Its players are other ones by now.
    #[error(
        "{} changed since the run in the store began with\n  {command}",
        have_been(.players)
    )]
    Changed {
        /// Those whose files are others than then.
        players: Vec<String>,
        /// The command that began it.
        command: String,
    },
    /// A game in it is broken.
    #[error("game {} in it is broken: {fault}", number + 1)]
    BadGame {
        /// Its number, from 0.
        number: u64,
        /// Why.
        fault: String,
    },
    /// The description of the run.
    #[error(transparent)]
    Plan(PlanError),
    /// It is not where it was.
    #[error("the store was removed or replaced during the run")]
    Gone,
    /// No room.
    #[error("the disk is full; what was stored before is safe")]
    Full,
    /// The system refused.
    #[error(transparent)]
    Io(io::Error),
    /// The database refused.
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
}

/// Names of players with their verb.
fn have_been(players: &[String]) -> String {
    let verb = if players.len() == 1 { "has" } else { "have" };
    format!("{} {verb} been", players.join(", "))
}

fn process_named(process: Option<u32>) -> String {
    process.map_or_else(String::new, |id| format!(" (process {id})"))
}
