//! One run as the terminal sees it: store, live view, and what is said meanwhile.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use turncoat_arena::{Arena, Finish, Fixture, Plan, Results, RunError, RunOptions, Store, run, runner};
use turncoat_board::Game;
use turncoat_players::StopFlag;
use turncoat_util::printable;

use super::ending::RunEnding;
use super::files::OutputFiles;
use super::printer::Printer;
use super::{resume, store_failure};
use crate::args::{ArenaArgs, Common, Points};
use crate::commands::signals;
use crate::output;
use crate::view::live::Live;
use crate::view::watch::GameViewer;

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
        if !self.args.resume {
            let store = Store::create(path, plan, &resume::this_command());
            return store.map(Some).map_err(|error| store_failure(error, None));
        }
        let (store, games) = Store::resume(path, plan).map_err(|error| store_failure(error, None))?;
        if !self.common.quiet {
            output::note(format_args!("{} of {} games are in {}", games.len(), plan.total(), path.display()));
        }
        for game in games {
            results.add(game);
        }
        Ok(Some(store))
    }

    /// Plays, and says what came out.
    pub(super) fn play(
        &self,
        arena: &Arena,
        plan: &Plan,
        mut results: Results,
        mut store: Option<Store>,
        files: &OutputFiles,
    ) -> Result<()> {
        let visible = !self.common.quiet && !self.args.watch;
        let done = results.all().count() as u64;
        let live = Live::new(plan, self.names, done, visible);
        // Only what is printed onto the bar must take it away first.
        let beside = io::stdout().is_terminal().then(|| live.bar());
        let printer = Printer::new(beside).context("cannot start a thread for the output")?;
        let stop = signals::stop_flag().context("cannot handle signals")?;
        let finish = self.run(arena, plan, &mut results, store.as_mut(), (&live, &printer, stop));
        live.finish();
        let ending =
            RunEnding { plan, names: self.names, results: &results, common: self.common, points: self.points, files };
        ending.conclude(finish, store, printer)
    }

    fn run(
        &self,
        arena: &Arena,
        plan: &Plan,
        results: &mut Results,
        store: Option<&mut Store>,
        (live, printer, stop): (&Live<'_>, &Printer, StopFlag),
    ) -> Result<Finish, RunError> {
        keep_faults_off_the_terminal();
        let watch = self.args.watch.then(|| GameViewer::new(self.names.to_vec(), self.args.pace, stop.clone()));
        let watcher = |fixture: &Fixture, game: &Game, _: [Duration; 2]| {
            if let Some(watch) = &watch {
                watch.show(fixture, game);
            }
        };
        let options = RunOptions { concurrency: self.concurrency(plan), stop, watcher: Some(&watcher) };
        let mut counted = |results: &Results| {
            if let Some(watch) = &watch {
                watch.count(results);
            }
            live.update(results);
            self.print_last(results, live, printer)
        };
        let mut store = store;
        loop {
            let finish = run(
                arena,
                plan.next_games(results.games()),
                results,
                store.as_deref_mut(),
                plan.sprt.as_ref(),
                &options,
                &mut counted,
            )?;
            // The rounds of a ladder follow from those before.
            let whole = results.games().len() as u64 >= plan.total();
            if finish != Finish::Complete || whole {
                return Ok(finish);
            }
        }
    }

    /// Games at a time; says so where that many cannot be fair.
    fn concurrency(&self, plan: &Plan) -> usize {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let asked = match self.args.concurrency {
            _ if self.args.watch => 1,
            Some(n) => usize::from(n),
            None => cores,
        };
        let timed = plan.move_seconds.is_some() || plan.game_seconds.is_some();
        if timed && asked > cores && !self.common.quiet {
            output::note(format_args!(
                "note: {asked} games at a time share {cores} cores, so players get less than their full time"
            ));
        }
        asked
    }

    /// Prints the game that was counted last.
    fn print_last(&self, results: &Results, live: &Live<'_>, printer: &Printer) -> io::Result<()> {
        let Some(played) = results.games().last() else {
            return Ok(());
        };
        let game = played.object(self.names);
        if self.common.json {
            printer.print(output::json_text(&game)?)?;
        }
        if self.common.verbose {
            let margin = game.margin.map_or_else(String::new, |m| format!(" {m:+}"));
            let detail = game.detail.map_or_else(String::new, |d| format!(": {}", printable(d)));
            live.suspend(|| {
                output::note(format_args!(
                    "game {}: {} – {}: {}{margin}, {}{detail}",
                    game.game, game.black, game.white, game.winner, game.reason
                ));
            });
        }
        Ok(())
    }
}

/// A panic of a player is a fault in the record of its game; it is not printed into the view.
pub(in crate::commands) fn keep_faults_off_the_terminal() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(runner::THREAD_NAME) {
            usual(panic);
        }
    }));
}
