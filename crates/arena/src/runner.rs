//! Plays the games of a schedule on several threads and counts them in the order of their numbers.
//!
//! Threads take the next game, play it, and hand it to the one that called [`run`]: it stores the games in
//! batches, counts the contiguous prefix of their numbers, and decides from that alone when to stop.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use turncoat_board::{Game, Position};
use turncoat_players::{Player, StopFlag};
use turncoat_record::transcript;

use crate::entrant::Entrant;
use crate::openings::Openings;
use crate::played::{Ending, Played};
use crate::referee::{Control, Referee, Verdict, panic_message};
use crate::results::Results;
use crate::schedule::Fixture;
use crate::stats::sprt::{Decision, Sprt};
use crate::store::{Store, StoreError};

/// Games are committed at the latest this long after they were finished.
const BATCH: Duration = Duration::from_millis(50);
/// How often a game is played again after the arena itself broke in it.
const ATTEMPTS: u32 = 3;
/// Finished games that may wait to be counted before threads must.
const QUEUE: usize = 256;

/// What threads are called; the binary keeps their panics, which become faults, off the terminal.
pub const THREAD_NAME: &str = "arena";

/// Sees a game at its beginning and after each move, on the thread that plays it.
pub type Watcher<'a> = dyn Fn(&Fixture, &Game) + Sync + 'a;

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
pub struct Options<'a> {
    /// Games at the same time.
    pub concurrency: usize,
    /// Raised from outside to interrupt the run.
    pub stop: StopFlag,
    /// Sees every move.
    pub watcher: Option<&'a Watcher<'a>>,
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

/// Why a run could not go on. No game is charged to anybody for it.
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
    /// Whoever is shown the games has failed.
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
    mut store: Option<&mut Store>,
    sprt: Option<&Sprt>,
    options: &Options<'_>,
    counted: &mut dyn FnMut(&Results) -> io::Result<()>,
) -> Result<Finish, RunError> {
    let done: Vec<u64> = results.all().map(|game| game.fixture.number).collect();
    let mut counter = Counter {
        results,
        sprt,
        decided: None,
        counted,
    };
    counter.settle()?;
    let mut left = false;
    if counter.decided.is_none() {
        let halt = StopFlag::default();
        let is_done = |fixture: &Fixture| done.binary_search(&fixture.number).is_ok();
        let queue = Mutex::new(schedule.filter(|fixture| !is_done(fixture)));
        let next = &|| queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let abandoned = AtomicBool::new(false);
        let (sender, receiver) = mpsc::sync_channel(QUEUE);
        thread::scope(|scope| {
            for _ in 0..options.concurrency.max(1) {
                let sender = sender.clone();
                let worker = Worker::new(arena, &halt, options.watcher);
                let abandoned = &abandoned;
                let spawned = thread::Builder::new()
                    .name(THREAD_NAME.to_owned())
                    .spawn_scoped(scope, move || {
                        if worker.work(next, &sender) == Work::Abandoned {
                            abandoned.store(true, Ordering::Relaxed);
                        }
                    });
                if let Err(error) = spawned {
                    halt.raise();
                    return Err(RunError::Output(error));
                }
            }
            drop(sender);
            collect(
                &receiver,
                &mut counter,
                store.as_deref_mut(),
                &halt,
                &options.stop,
            )
        })?;
        // Whoever interrupts a run that has just come to its end has not interrupted it.
        left = abandoned.into_inner() || next().is_some();
    }
    let (decided, counted) = (counter.decided, counter.results.games().len() as u64);
    if let Some(decision) = decided {
        if let Some(store) = store {
            store.truncate(counted)?;
        }
        return Ok(Finish::Decided(decision));
    }
    Ok(if left {
        Finish::Interrupted
    } else {
        Finish::Complete
    })
}

/// Counts games in order and decides.
struct Counter<'a> {
    results: &'a mut Results,
    sprt: Option<&'a Sprt>,
    decided: Option<Decision>,
    counted: &'a mut dyn FnMut(&Results) -> io::Result<()>,
}

impl Counter<'_> {
    /// Counts what can be counted.
    fn settle(&mut self) -> io::Result<()> {
        while self.decided.is_none() && self.results.count_next().is_some() {
            (self.counted)(self.results)?;
            let pair_is_whole = self.results.games().len().is_multiple_of(2);
            if let Some(sprt) = self.sprt.filter(|_| pair_is_whole) {
                self.decided = sprt.decide(&self.results.against(0, 1).pairs);
            }
        }
        if self.decided.is_some() {
            // What was finished beyond the decision does not count.
            self.results.drop_waiting();
        }
        Ok(())
    }
}

/// What a thread hands over.
type Report = Result<Played, RunError>;

/// Takes finished games until all threads are done. After a failure or a decision it goes on taking, so
/// that no thread hangs on a full queue, and the first failure is what it returns.
fn collect(
    receiver: &Receiver<Report>,
    counter: &mut Counter<'_>,
    store: Option<&mut Store>,
    halt: &StopFlag,
    stop: &StopFlag,
) -> Result<(), RunError> {
    let mut batch = Batch {
        store,
        games: Vec::new(),
        due: None,
    };
    let mut failure = None;
    loop {
        let report = receiver.recv_timeout(batch.time_left());
        let over = matches!(report, Err(RecvTimeoutError::Disconnected));
        if let Ok(report) = report
            && failure.is_none()
            && counter.decided.is_none()
        {
            let taken = report.and_then(|played| {
                batch.add(&played);
                counter.results.take(played);
                Ok(counter.settle()?)
            });
            failure = taken.err();
        }
        if over || batch.time_left().is_zero() {
            let end = match counter.decided {
                Some(_) => counter.results.games().len() as u64,
                None => u64::MAX,
            };
            if let Err(error) = batch.commit(end) {
                failure.get_or_insert(error.into());
            }
        }
        if over {
            return failure.map_or(Ok(()), Err);
        }
        if failure.is_some() || counter.decided.is_some() || stop.is_raised() {
            halt.raise();
        }
    }
}

/// Games that are still to be committed.
struct Batch<'a> {
    store: Option<&'a mut Store>,
    games: Vec<Played>,
    due: Option<Instant>,
}

impl Batch<'_> {
    fn add(&mut self, played: &Played) {
        if self.store.is_some() {
            self.games.push(played.clone());
            self.due.get_or_insert_with(|| Instant::now() + BATCH);
        }
    }

    fn time_left(&self) -> Duration {
        self.due
            .map_or(BATCH, |due| due.saturating_duration_since(Instant::now()))
    }

    /// Stores the games before this number. Those that cannot be stored are not tried again: they are
    /// missing in the store, and are played again when the run is gone on with.
    fn commit(&mut self, end: u64) -> Result<(), StoreError> {
        self.due = None;
        let mut games = std::mem::take(&mut self.games);
        games.retain(|played| played.fixture.number < end);
        match &mut self.store {
            Some(store) if !games.is_empty() => store.write(&games),
            _ => Ok(()),
        }
    }
}

/// How a thread ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// There was nothing left to take.
    Done,
    /// It left a game that it had taken.
    Abandoned,
}

/// One thread with its own players.
struct Worker<'a> {
    arena: &'a Arena,
    referee: Referee,
    halt: &'a StopFlag,
    watcher: Option<&'a Watcher<'a>>,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> Worker<'a> {
    fn new(arena: &'a Arena, halt: &'a StopFlag, watcher: Option<&'a Watcher<'a>>) -> Self {
        Self {
            arena,
            referee: Referee::new(arena.control, halt.clone()),
            halt,
            watcher,
            players: arena.entrants.iter().map(|_| None).collect(),
        }
    }

    fn work(mut self, next: &dyn Fn() -> Option<Fixture>, sender: &SyncSender<Report>) -> Work {
        while !self.halt.is_raised()
            && let Some(fixture) = next()
        {
            let Some(report) = self.play_again_if_broken(fixture) else {
                return Work::Abandoned;
            };
            let failed = report.is_err();
            // Nobody listens any more if the run is over.
            if sender.send(report).is_err() || failed {
                return Work::Abandoned;
            }
        }
        Work::Done
    }

    /// Plays a game; where the arena itself breaks, it is played again with new players. `None` if it was
    /// abandoned.
    fn play_again_if_broken(&mut self, fixture: Fixture) -> Option<Report> {
        let mut fault = String::new();
        for _ in 0..ATTEMPTS {
            let attempt = catch_unwind(AssertUnwindSafe(|| self.play(fixture)));
            fault = match attempt {
                Ok(Ok(played)) => return played.map(Ok),
                Ok(Err(fault)) => fault,
                Err(panic) => panic_message(&*panic),
            };
            self.players.fill_with(|| None);
        }
        let number = fixture.number;
        Some(Err(RunError::Broken { number, fault }))
    }

    /// Plays a game; `Ok(None)` if it was abandoned, an error if it could not be played.
    fn play(&mut self, fixture: Fixture) -> Result<Option<Played>, String> {
        let opening = self.arena.openings.get(fixture.opening);
        let (mut black, mut white) = (self.take(fixture.black)?, self.take(fixture.white)?);
        let watcher = self.watcher;
        let mut see = |game: &Game| {
            if let Some(watcher) = watcher {
                watcher(&fixture, game);
            }
        };
        let players: [&mut dyn Player; 2] = [&mut *black, &mut *white];
        let verdict = self
            .referee
            .play(fixture.number, &opening, players, &mut see);
        let Some(verdict) = verdict else {
            return Ok(None);
        };
        // After a fault nobody knows what state a player is in: it is made anew.
        if !matches!(verdict.ending, Ending::Fault { .. }) {
            self.players[fixture.black] = Some(black);
            self.players[fixture.white] = Some(white);
        }
        Ok(Some(record(fixture, &opening, verdict)))
    }

    fn take(&mut self, index: usize) -> Result<Box<dyn Player>, String> {
        match self.players[index].take() {
            Some(player) => Ok(player),
            None => self.arena.entrants[index]
                .make()
                .map_err(|error| format!("{}: {error}", self.arena.entrants[index].name())),
        }
    }
}

fn record(fixture: Fixture, opening: &Game, verdict: Verdict) -> Played {
    let start = opening.start();
    Played {
        fixture,
        start: (start != Position::start(start.geometry())).then(|| start.to_string()),
        moves: transcript::write(&verdict.game),
        ending: verdict.ending,
        thinking: verdict.thinking,
    }
}
