//! One run as the terminal sees it: store, signals, live view, and what is said at the end.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, anyhow};
use turncoat_arena::report::{GameObject, Report};
use turncoat_arena::{
    Arena, Finish, Fixture, Options, Plan, Results, RunError, Store, run, runner,
};
use turncoat_board::Game;
use turncoat_players::StopFlag;

use super::files::Files;
use super::{resume, store_failure, summarise};
use crate::args::{ArenaArgs, Common, Points};
use crate::output;
use crate::view::live::Live;
use crate::view::watch::Watch;

/// How a run is shown.
pub(super) struct Terminal<'a> {
    pub(super) names: &'a [String],
    pub(super) args: &'a ArenaArgs,
    pub(super) common: &'a Common,
    pub(super) points: Points,
}

impl Terminal<'_> {
    /// Makes the store or opens it again; the games in it go to the results.
    pub(super) fn open_store(&self, plan: &Plan, results: &mut Results) -> Result<Option<Store>> {
        let Some(path) = &self.args.store else {
            return Ok(None);
        };
        let command = resume::this_command();
        if !self.args.resume {
            let store = Store::create(path, plan, &command);
            return store.map(Some).map_err(|error| store_failure(error, None));
        }
        let (store, games) =
            Store::resume(path, plan, &command).map_err(|error| store_failure(error, None))?;
        if !self.common.quiet {
            output::note(format_args!(
                "{} of {} games are in {}",
                games.len(),
                plan.schedule().total(),
                path.display()
            ));
        }
        for game in games {
            results.take(game);
        }
        Ok(Some(store))
    }

    pub(super) fn run(
        &self,
        arena: &Arena,
        plan: &Plan,
        results: &mut Results,
        store: Option<&mut Store>,
    ) -> Result<Finish, RunError> {
        let stop = interruptible().map_err(io::Error::other)?;
        keep_faults_off_the_terminal();
        let watch = self
            .args
            .watch
            .then(|| Watch::new(self.names.to_vec(), self.args.pace));
        let watcher = |fixture: &Fixture, game: &Game| {
            if let Some(watch) = &watch {
                watch.show(fixture, game);
            }
        };
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let options = Options {
            concurrency: match self.args.concurrency {
                _ if self.args.watch => 1,
                Some(n) => usize::from(n),
                None => cores,
            },
            stop,
            watcher: Some(&watcher),
        };
        let visible = !self.common.quiet && !self.args.watch;
        let done = results.all().count() as u64;
        let live = Live::new(plan, self.names, done, visible);
        // Only what is printed onto the bar must take it away first.
        let talks = (self.common.json && io::stdout().is_terminal()) || self.common.verbose;
        let finish = run(
            arena,
            plan.schedule(),
            results,
            store,
            plan.sprt.as_ref(),
            &options,
            &mut |results| {
                if let Some(watch) = &watch {
                    watch.count(results);
                }
                live.update(results);
                if talks {
                    live.suspend(|| self.print_last(results))
                } else {
                    self.print_last(results)
                }
            },
        );
        live.finish();
        finish
    }

    /// Prints the game that was counted last.
    fn print_last(&self, results: &Results) -> io::Result<()> {
        let Some(played) = results.games().last() else {
            return Ok(());
        };
        if self.common.json {
            output::json(&GameObject::new(played, self.names)).map_err(into_io)?;
        }
        if self.common.verbose {
            let game = GameObject::new(played, self.names);
            let margin = game.margin.map_or_else(String::new, |m| format!(" {m:+}"));
            let detail = game.detail.map_or_else(String::new, |d| format!(": {d}"));
            output::note(format_args!(
                "game {}: {} – {}: {}{margin}, {}{detail}",
                game.game, game.black, game.white, game.winner, game.reason
            ));
        }
        Ok(())
    }

    /// Says what came out and writes the files, or says how to go on.
    pub(super) fn conclude(
        &self,
        finish: Result<Finish, RunError>,
        plan: &Plan,
        results: &Results,
        store: Option<Store>,
        files: &Files,
    ) -> Result<()> {
        let complete = match finish {
            Ok(finish) => finish != Finish::Interrupted,
            Err(error) => {
                let resume = store.as_ref().map(|_| resume::command(None));
                return Err(failed(error, resume));
            }
        };
        let report = Report {
            plan,
            names: self.names,
            results,
            complete,
        };
        summarise(&report, self.common, self.points)?;
        if complete {
            return files.write(&report);
        }
        Err(interrupted(plan, results, store)?)
    }
}

/// Where the games of an interrupted run are, and how to go on.
fn interrupted(plan: &Plan, results: &Results, store: Option<Store>) -> Result<anyhow::Error> {
    let kept = results.all().count();
    let total = plan.schedule().total();
    let (place, command) = if let Some(store) = store {
        (store.path().to_owned(), resume::command(None))
    } else {
        let path = save(plan, results).context("the games could not be kept")?;
        let command = resume::command(Some(&path));
        (path, command)
    };
    Ok(anyhow!(
        "interrupted after {kept} of {total} games, which are in {}; to go on:\n  {command}",
        place.display()
    ))
}

/// Why a run could not go on, and how it can.
fn failed(error: RunError, resume: Option<String>) -> anyhow::Error {
    match error {
        RunError::Store(error) => store_failure(error, resume.as_deref()),
        RunError::Output(error) => error.into(),
        RunError::Broken { .. } | RunError::Thread(_) => match resume {
            Some(command) => anyhow!("{error}; to go on:\n  {command}"),
            None => error.into(),
        },
    }
}

/// Keeps the games of a run that had no store, under a name that is free.
fn save(plan: &Plan, results: &Results) -> Result<PathBuf> {
    let games: Vec<_> = results.all().cloned().collect();
    for number in 1..10_000 {
        let path = PathBuf::from(format!("turncoat-{number}.db"));
        if path.exists() {
            continue;
        }
        let mut store = Store::create(&path, plan, &resume::this_command())?;
        store.write(&games)?;
        return Ok(path);
    }
    Err(anyhow!("there are too many stores here already"))
}

/// A flag that is raised by Ctrl-C or a polite kill. The second one ends the process at once; what is
/// stored stays stored.
fn interruptible() -> Result<StopFlag, ctrlc::Error> {
    let stop = StopFlag::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    })?;
    Ok(stop)
}

/// A panic of a player is a fault in the record of its game, not a message in the middle of the view.
fn keep_faults_off_the_terminal() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(runner::THREAD_NAME) {
            usual(panic);
        }
    }));
}

/// The error of writing, as it came from the system where it did.
fn into_io(error: anyhow::Error) -> io::Error {
    error
        .downcast::<io::Error>()
        .unwrap_or_else(io::Error::other)
}
