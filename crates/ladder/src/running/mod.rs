//! The ladder at work: one thread watches the folder, some test programs, some play.

mod games;
mod members;
mod state;
mod testing;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use thiserror::Error;
use turncoat_api::{CheckReport, ContestGame, ContestRow, LiveView};
use turncoat_arena::runner::THREAD_NAME;
use turncoat_arena::{Openings, Plan, StoreError};
use turncoat_host::Hosting;
use turncoat_players::{BuildError, StopFlag};

use self::members::Seen;
use self::state::State;
use crate::cores::Cores;
use crate::folder::Watch;
use crate::order::{Elsewhere, now};
use crate::store::{Store, beside};

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// How often the games under way are written for pages.
const SHOWN: Duration = Duration::from_millis(500);
/// How long a thread waits before it looks again for something to do.
const PAUSE: Duration = Duration::from_millis(200);
/// How long the ladder rests after trouble that is nobody's fault.
const REST: Duration = Duration::from_secs(5);

/// When trouble that lasts is told again.
const TOLD_AGAIN: Duration = Duration::from_mins(5);

/// The most pairs that are played on other machines at a time.
const MOST_ELSEWHERE: usize = 1024;

/// What a ladder is about.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of players.
    pub folder: PathBuf,
    /// The store.
    pub store: PathBuf,
    /// The rules of all games; its players stay empty.
    pub plan: Plan,
    /// The openings of the plan.
    pub openings: Openings,
    /// How programs are run.
    pub hosting: Hosting,
    /// Built-in players that are always there.
    pub yardsticks: Vec<String>,
    /// How programs are tested.
    pub test: TestRules,
    /// When every program has so many games, the ladder ends.
    pub games: Option<u64>,
    /// The most games at a time; otherwise as many as cores are free.
    pub concurrency: Option<usize>,
    /// Whoever plays the games, if that is not this machine.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The command that began it, for people.
    pub command: String,
}

/// How programs are tested.
#[derive(Debug, Clone, Copy)]
pub struct TestRules {
    /// Random positions beside the fixed ones.
    pub random: u64,
    /// The time for a move.
    pub limit: Duration,
    /// Whether the course's forbidden imports are looked for.
    pub forbids_os: bool,
}

/// What has happened.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// What lies under a name is not a program.
    Refused {
        /// The name.
        player: String,
        /// Why.
        words: String,
    },
    /// A new version has come.
    Arrived {
        /// The player.
        player: String,
        /// Which version.
        version: u64,
    },
    /// A version was tested.
    Tested {
        /// The player.
        player: String,
        /// Which version.
        version: u64,
        /// Whether it passed.
        passed: bool,
        /// The test.
        report: CheckReport,
    },
    /// A version plays.
    Enters {
        /// The player.
        player: String,
        /// Which version.
        version: u64,
    },
    /// A player is no longer in the folder.
    Left {
        /// The player.
        player: String,
    },
    /// A game has ended.
    Game(ContestGame),
    /// Something is wrong that is nobody's fault.
    Trouble {
        /// What.
        words: String,
    },
    /// The table has changed.
    Table {
        /// All lines.
        rows: Vec<ContestRow>,
        /// Games in all.
        games: u64,
    },
}

/// Why a ladder cannot begin or go on.
#[derive(Debug, Error)]
pub enum LadderError {
    /// The folder.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// A path that players' texts cannot hold.
    #[error("{}: commas and quotes in the path of the store would be misread in a player's text; choose another --store", .0.display())]
    Path(PathBuf),
    /// A yardstick cannot play.
    #[error(transparent)]
    Yardstick(#[from] BuildError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread cannot be started.
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    /// What has happened cannot be told.
    #[error(transparent)]
    Output(io::Error),
}

/// What all threads share.
struct Shared<'a> {
    options: &'a Options,
    state: Mutex<State>,
    /// Something was added that a thread may wait for.
    changed: Condvar,
    stop: StopFlag,
    events: Sender<Event>,
}

impl Shared<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: Event) {
        // Nobody listens when the ladder has ended.
        let _ = self.events.send(event);
    }

    /// Waits a moment, or until something has changed.
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, PAUSE).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Tests and ranks the programs of a folder until the flag is raised or all have their games. `tell` hears what happens.
///
/// # Errors
/// If the folder or the store cannot be used, or `tell` fails.
pub fn run(
    options: &Options,
    stop: &StopFlag,
    tell: &mut dyn FnMut(Event) -> io::Result<()>,
) -> Result<(), LadderError> {
    let cannot = |error| LadderError::Folder { folder: options.folder.clone(), error };
    let mut watch = Watch::new(&options.folder).map_err(cannot)?;
    let store = Store::open(&options.store, &options.plan, &options.command)?;
    let place = options.store.canonicalize().unwrap_or_else(|_| options.store.clone());
    if place.to_string_lossy().contains([',', '"', '\'']) {
        return Err(LadderError::Path(place));
    }
    crate::folder::tidy(&beside(&place, "-versions"));
    let (events, heard) = mpsc::channel();
    let state = State::open(store, options)?;
    let own = thread::available_parallelism().map_or(1, usize::from);
    // Machines may join.
    let most = options.elsewhere.as_ref().map_or(own, |elsewhere| (4 * elsewhere.cores()).clamp(16, MOST_ELSEWHERE));
    let most = options.concurrency.unwrap_or(most);
    // When something fails here, the threads end too.
    let ended = StopFlag::default();
    let shared = Shared { options, state: Mutex::new(state), changed: Condvar::new(), stop: ended.clone(), events };
    let shared = &shared;
    let result = thread::scope(|scope| {
        let thread = || thread::Builder::new().name(THREAD_NAME.to_owned());
        let start = |number: usize| {
            if number < own {
                thread().spawn_scoped(scope, move || shared.test_on())?;
            }
            thread().spawn_scoped(scope, move || shared.play_on()).map(|_| ())
        };
        let started = (0..most).try_for_each(start).map_err(LadderError::Thread);
        let result = started.and_then(|()| watch_on(shared, &mut watch, &heard, stop, tell));
        ended.raise();
        shared.changed.notify_all();
        result
    });
    let _ = fs::remove_file(beside(&options.store, "-live"));
    result
}

/// Writes what is going on beside the store, for pages that show it.
fn write_live(store: &Path, live: &LiveView) {
    // Seen a moment later, or not at all on a full disk: no game depends on it.
    if let Ok(text) = serde_json::to_string(live) {
        let (new, place) = (beside(store, "-live-new"), beside(store, "-live"));
        let _ = fs::write(&new, text).and_then(|()| fs::rename(&new, &place));
    }
}

/// The trouble that was told last: on a full disk it comes every few seconds.
#[derive(Debug, Default)]
struct LastTrouble(Option<(String, Instant)>);

impl LastTrouble {
    /// Whether this was told a moment ago.
    fn is_known(&mut self, event: &Event) -> bool {
        let Event::Trouble { words } = event else { return false };
        let is_known = self.0.as_ref().is_some_and(|(told, at)| told == words && at.elapsed() < TOLD_AGAIN);
        if !is_known {
            self.0 = Some((words.clone(), Instant::now()));
        }
        is_known
    }
}

/// Watches the folder and tells what happens.
fn watch_on(
    shared: &Shared<'_>,
    watch: &mut Watch,
    heard: &Receiver<Event>,
    stop: &StopFlag,
    tell: &mut dyn FnMut(Event) -> io::Result<()>,
) -> Result<(), LadderError> {
    let mut cores = Cores::default();
    let (mut due, mut shown) = (Instant::now(), Instant::now());
    let mut unreadable = false;
    let mut seen = Seen::default();
    let mut trouble = LastTrouble::default();
    loop {
        match heard.recv_timeout(due.saturating_duration_since(Instant::now()).min(PAUSE)) {
            Ok(event) if trouble.is_known(&event) => {}
            Ok(event) => tell(event).map_err(LadderError::Output)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if stop.is_raised() {
            return Ok(());
        }
        if shown.elapsed() >= SHOWN {
            shown = Instant::now();
            let live = shared.state().changed_live();
            if let Some(live) = live {
                write_live(&shared.options.store, &live);
            }
        }
        if Instant::now() < due {
            continue;
        }
        due = Instant::now() + LOOK;
        match watch.look(Instant::now()) {
            Ok(sightings) => {
                unreadable = false;
                shared.sight(watch, sightings, &mut seen);
            }
            Err(error) if !unreadable => {
                unreadable = true;
                let words = format!("{}: {error}; nobody leaves the ladder meanwhile", watch.folder().display());
                shared.tell(Event::Trouble { words });
            }
            Err(_) => {}
        }
        let elsewhere = shared.options.elsewhere.as_ref().map(|elsewhere| elsewhere.cores());
        let mut state = shared.state();
        let own = state.at_work();
        state.allowed = shared.options.concurrency.or(elsewhere).unwrap_or_else(|| cores.free(own));
        let table = state.changed_table();
        let done = seen.is_done() && state.is_done(shared.options.games);
        drop(state);
        shared.changed.notify_all();
        if let Some((rows, games)) = table {
            tell(Event::Table { rows, games }).map_err(LadderError::Output)?;
        }
        if done {
            while let Ok(event) = heard.try_recv() {
                tell(event).map_err(LadderError::Output)?;
            }
            return Ok(());
        }
    }
}
