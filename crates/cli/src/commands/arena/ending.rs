//! The end of a run: its results, or the games saved and how to resume.
//!
//! Files come first, then messages, and standard output last: its reader may be gone or stalled.

use std::fmt::Display;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use turncoat_arena::report::Report;
use turncoat_arena::{Finish, Plan, Results, RunError, Store, StoreFault};

use super::files::OutputFiles;
use super::printer::Printer;
use super::{keep, resume, store_failure, summarise};
use crate::args::{Common, Points};
use crate::failure;

/// What the end of a run is about.
pub(super) struct RunEnding<'a> {
    pub(super) plan: &'a Plan,
    pub(super) names: &'a [String],
    pub(super) results: &'a Results,
    pub(super) common: &'a Common,
    pub(super) points: Points,
    pub(super) files: &'a OutputFiles,
}

impl RunEnding<'_> {
    /// Prints the results and writes the files, or says how to resume.
    pub(super) fn conclude(
        &self,
        finish: Result<Finish, RunError>,
        store: Option<Store>,
        printer: Printer,
    ) -> Result<()> {
        let told = match finish {
            Ok(Finish::Interrupted) => self.stopped("interrupted", store),
            Ok(Finish::Complete | Finish::Decided(_)) => {
                return self.deliver(store.is_some(), printer);
            }
            Err(RunError::Store(error)) if matches!(error.fault, StoreFault::Gone) => self.stopped(error, None),
            Err(RunError::Store(error)) => {
                let command = store.map(|_| resume::command(None));
                store_failure(error, command.as_deref())
            }
            Err(RunError::Output(_)) => self.stopped("standard output was closed", store),
            Err(error) => self.stopped(error, store),
        };
        let told = failure::tell(&told);
        let printed = printer.finish().map_err(anyhow::Error::from);
        let printed = printed.and_then(|()| summarise(&self.report(false), self.common, self.points));
        if let Err(error) = printed
            && !failure::is_closed_pipe(&error)
        {
            failure::tell(&error.context("standard output"));
        }
        Err(told)
    }

    fn report(&self, complete: bool) -> Report<'_> {
        Report { plan: self.plan, names: self.names, results: self.results, complete }
    }

    /// Writes and prints the results of a complete run. If that fails and the games are nowhere else, they are saved.
    fn deliver(&self, stored: bool, printer: Printer) -> Result<()> {
        let report = self.report(true);
        let written = self.files.write(&report);
        let printed = printer.finish().map_err(anyhow::Error::from);
        let printed = printed.and_then(|()| summarise(&report, self.common, self.points));
        let error = match (written, printed) {
            (Ok(()), Ok(())) => return Ok(()),
            // The reader has seen enough, and there is nothing to resume.
            (Ok(()), Err(error)) if failure::is_closed_pipe(&error) => return Err(error),
            (Ok(()), Err(error)) => error.context("standard output"),
            (Err(error), _) => error,
        };
        if stored {
            return Err(error);
        }
        Err(match keep::save(self.plan, self.results) {
            Ok(path) => {
                anyhow!("{error:#}\nThe games are complete and saved; to see them:\n  {}", resume::show_command(&path))
            }
            Err(unkept) => anyhow!("{error:#}\nThe games could not be saved: {unkept:#}"),
        })
    }

    /// Why a run has stopped early, where its games are, and how to resume.
    fn stopped(&self, why: impl Display, store: Option<Store>) -> anyhow::Error {
        let games = self.results.all().count();
        let (place, command): (PathBuf, String) = match store {
            Some(store) if store.check_place().is_ok() => (store.path().to_owned(), resume::command(None)),
            _ if games == 0 => return anyhow!("{why} before the first game was finished"),
            _ => match keep::save(self.plan, self.results) {
                Ok(path) => {
                    let command = resume::command(Some(&path));
                    (path, command)
                }
                Err(error) => {
                    return anyhow!("{why} after {games} games, which could not be saved: {error:#}");
                }
            },
        };
        anyhow!(
            "{why} after {games} of {} games, which are in {}; to resume:\n  {command}",
            self.plan.total(),
            place.display()
        )
    }
}
