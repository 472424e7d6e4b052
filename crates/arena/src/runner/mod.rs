//! Plays the games of a schedule on several threads and counts them in the order of their numbers.
//!
//! Threads take the next game, play it, and hand it to the one that called [`run`]: it stores the games in
//! batches, counts the contiguous prefix of their numbers, and decides from that alone when to stop.

mod collect;
mod worker;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use thiserror::Error;
use turncoat_board::Game;
use turncoat_players::StopFlag;

use self::collect::Collector;
pub use self::collect::settle;
use self::worker::{Work, Worker};
use crate::entrant::Entrant;
use crate::openings::Openings;
use crate::played::Finished;
use crate::referee::Control;
use crate::results::Results;
use crate::schedule::Fixture;
use crate::stats::sprt::{Decision, Sprt};
use crate::store::{Store, StoreError};

/// Finished games that may wait to be counted before threads must.
const QUEUE: usize = 256;

/// What threads are called; the binary keeps their panics, which become faults, off the terminal.
pub const THREAD_NAME: &str = "arena";

/// Sees games on the threads that play them. A function is one that sees the moves alone.
pub trait Watch: Sync {
    /// A game at its beginning and after each move, with how long black and white have thought so far.
    fn see(&self, fixture: &Fixture, game: &Game, thinking: [Duration; 2]);

    /// A game that is over, before it is counted.
    fn finished(&self, finished: &Finished) {
        let _ = finished;
    }
}

impl<F: Fn(&Fixture, &Game, [Duration; 2]) + Sync> Watch for F {
    fn see(&self, fixture: &Fixture, game: &Game, thinking: [Duration; 2]) {
        self(fixture, game, thinking);
    }
}

/// Who plays, from where, and under which clock.
#[derive(Debug)]
pub struct Arena {
    /// The players.
    pub entrants: Vec<Entrant>,
    /// The openings.
    pub openings: Openings,
    /// The time control.
    pub control: Control,
}

/// How a run is carried out; none of this changes its games.
pub struct RunOptions<'a> {
    /// Games at the same time.
    pub concurrency: usize,
    /// Raised from outside to interrupt the run.
    pub stop: StopFlag,
    /// Sees every move.
    pub watcher: Option<&'a dyn Watch>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// All games were played.
    Complete,
    /// The sequential test was decided.
    Decided(Decision),
    /// The flag was raised.
    Interrupted,
}

/// Why a run ended early. No player is charged for it.
#[derive(Debug, Error)]
pub enum RunError {
    /// Games cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The arena broke in a game, also when it was played again.
    #[error("game {} could not be played, and nobody is charged for it: {fault}", number + 1)]
    Broken {
        /// The game's number, from 0.
        number: u64,
        /// What happened.
        fault: String,
    },
    /// Not a single thread can be started.
    #[error("no thread can be started to play on: {0}")]
    Thread(io::Error),
    /// The output of the games has failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Plays the games of a schedule that are not among the results yet. `counted` is called after each game
/// is counted, in the order of numbers; games that are there already are counted first.
///
/// # Errors
/// If games cannot be stored or shown, or the arena itself broke; what was stored before is safe.
pub fn run(
    arena: &Arena,
    schedule: impl Iterator<Item = Fixture> + Send,
    results: &mut Results,
    store: Option<&mut Store>,
    sprt: Option<&Sprt>,
    options: &RunOptions<'_>,
    counted: &mut dyn FnMut(&Results) -> io::Result<()>,
) -> Result<Finish, RunError> {
    let done: Vec<u64> = results.all().map(|game| game.fixture.number).collect();
    let mut collector = Collector { results, store, sprt, counted, decided: None, batch: Vec::new(), due: None };
    collector.settle()?;
    let mut left = false;
    if collector.decided.is_none() {
        let is_done = |fixture: &Fixture| done.binary_search(&fixture.number).is_ok();
        let queue = Mutex::new(schedule.filter(|fixture| !is_done(fixture)));
        let next = &|| queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let abandoned = play_all(arena, next, &mut collector, options)?;
        // A run that has just finished cannot be interrupted any more.
        left = abandoned || next().is_some();
    }
    let (decided, counted) = (collector.decided, collector.results.games().len() as u64);
    if let Some(store) = collector.store {
        if decided.is_some() {
            store.truncate(counted)?;
        }
        store.check_place()?;
    }
    Ok(match decided {
        Some(decision) => Finish::Decided(decision),
        None if left => Finish::Interrupted,
        None => Finish::Complete,
    })
}

/// Starts the threads and collects what they play; whether one of them has left a game unfinished.
fn play_all(
    arena: &Arena,
    next: &(dyn Fn() -> Option<Fixture> + Sync),
    collector: &mut Collector<'_>,
    options: &RunOptions<'_>,
) -> Result<bool, RunError> {
    let halt = StopFlag::default();
    let abandoned = AtomicBool::new(false);
    let (sender, receiver) = mpsc::sync_channel(QUEUE);
    thread::scope(|scope| {
        for started in 0..options.concurrency.max(1) {
            let sender = sender.clone();
            let worker = Worker::new(arena, &halt, options.watcher);
            let abandoned = &abandoned;
            let spawned = thread::Builder::new().name(THREAD_NAME.to_owned()).spawn_scoped(scope, move || {
                if worker.work(next, &sender) == Work::Abandoned {
                    abandoned.store(true, Ordering::Relaxed);
                }
            });
            match spawned {
                Ok(_) => {}
                Err(error) if started == 0 => return Err(RunError::Thread(error)),
                // The games are the same on fewer threads.
                Err(_) => break,
            }
        }
        drop(sender);
        collector.collect(&receiver, &halt, &options.stop)
    })?;
    Ok(abandoned.into_inner())
}
