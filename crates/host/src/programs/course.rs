//! `py:`: the course's class `AI`, hosted by our own Python file in a process of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::course::{Candidate, CandidateList, Order, Report, State, decision};

use super::dialogue::{Dialogue, Query};
use super::one_thread;
use crate::hosting::{CPU_SECONDS, Hosting};
use crate::python::Python;
use crate::sandbox::{self, Launch};

/// The Python program that runs the class.
const HARNESS: &str = include_str!("../harness.py");

/// The time for a move, in seconds, that programs are told if none is set.
const TOLD: f64 = 5.0;

/// How long an interrupted program may take to finish; it is charged for it.
const ENDING: Duration = Duration::from_secs(1);

/// The file with the class, as an absolute path.
///
/// # Errors
/// If there is no such file.
pub(super) fn file(file: &Path) -> Result<PathBuf, String> {
    let path = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
    if path.is_file() { Ok(path) } else { Err(format!("{} is not a file", file.display())) }
}

/// How a file with the class is started.
pub(super) fn launch(path: PathBuf, python: Python, folder: Option<&Path>, hosting: &Hosting) -> Launch {
    let place = path.parent().map(Path::to_owned);
    let mut shown = python.folders;
    match folder {
        Some(folder) if path.starts_with(folder) => shown.push(folder.to_owned()),
        Some(folder) => shown.extend([folder.to_owned(), path.clone()]),
        None => shown.extend(sandbox::with_imports(&path, |file| hosting.entrants.contains(file))),
    }
    let mut environment = one_thread();
    environment.push(("NUMBA_CACHE_DIR".to_owned(), "/tmp".to_owned()));
    environment.push(("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned()));
    let words: [OsString; 5] = [python.program, "-u".into(), "-c".into(), HARNESS.into(), path.into_os_string()];
    Launch { words: words.to_vec(), shown, place, environment, cpu_seconds: CPU_SECONDS, tasks: sandbox::TASKS }
}

/// A candidate list, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) list: CandidateList,
    /// Whether `go` returned by itself.
    pub(crate) done: bool,
    pub(crate) took: Duration,
}

#[derive(Default)]
pub(crate) struct Course {
    /// Whether the last `go` was interrupted and may still be at work.
    busy: bool,
}

fn fault(report: Report) -> Fault {
    match report {
        Report::Failed { stage, text } if stage == "go" => Fault::Crash(text),
        Report::Failed { stage, text } => {
            let stage = if stage == "load" { "loading it" } else { "AI(…)" };
            Fault::Crash(format!("{stage}: {text}"))
        }
        Report::Missing { text } => Fault::Crash(format!("{text} is missing")),
        other => Fault::Protocol(format!("{other:?}").chars().take(80).collect()),
    }
}

fn parse(line: &str) -> Result<Report, Fault> {
    Report::parse(line).map_err(|error| Fault::Protocol(error.to_string()))
}

/// Whether `go` has come to its end, which may be just before it was told to.
const fn is_end(report: &Report) -> bool {
    matches!(report, Report::Stopped {} | Report::Failed { .. } | Report::List { state: State::Done, .. })
}

impl Course {
    /// Calls `go` for its list as it stands when the time is up: the last report that came in time counts, by our clock,
    /// and none after it. The grace is for a program that has shown nothing yet.
    pub(crate) fn list(&mut self, query: &mut Query<'_>) -> Result<Listed, Fault> {
        query.send(&Order::go(query.game.position()).write())?;
        self.busy = true;
        let mut list = CandidateList::default();
        let deadline = query.began + query.limit;
        let (ended, done) = loop {
            let until = if list.is_empty() { deadline + query.grace } else { deadline };
            let (line, at) = match query.process.receive(until, query.stop) {
                Err(Fault::Timeout(_)) if !query.stop.is_raised() => break (until, false),
                heard => heard?,
            };
            if at > until {
                break (until, false);
            }
            match parse(&line)? {
                Report::Add { item } => list.push(Candidate::from_json(&item)),
                Report::List { items, length, state } => {
                    list = CandidateList::from_json(&items, length);
                    if state == State::Done {
                        break (at, true);
                    }
                }
                other => return Err(fault(other)),
            }
            // Within the grace the first choice is all that counts.
            if at > deadline && !list.is_empty() {
                break (at, false);
            }
        };
        self.busy = !done;
        if self.busy {
            // A program that has ended has answered all the same.
            let _ = query.send(&Order::Stop {}.write());
        }
        let took = ended.saturating_duration_since(query.began);
        query.took = Some(took);
        Ok(Listed { list, done, took })
    }
}

impl Dialogue for Course {
    const ONE_GAME: bool = true;
    const SLOW_START: bool = true;

    fn open(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        self.busy = false;
        match parse(&query.receive()?)? {
            Report::Ready { .. } => Ok(()),
            other => Err(fault(other)),
        }
    }

    fn begin(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        let told = query.move_time.map_or(TOLD, |time| time.as_secs_f64());
        let order = Order::begin(query.game.geometry(), query.side(), told);
        query.send(&order.write())?;
        match parse(&query.receive()?)? {
            Report::Begun {} => Ok(()),
            other => Err(fault(other)),
        }
    }

    fn is_ready(&mut self, query: &mut Query<'_>) -> Result<bool, Fault> {
        let until = Instant::now() + query.move_time.map_or(ENDING, |time| ENDING.min(time / 2));
        while self.busy {
            match query.process.receive(until, query.stop) {
                Ok((line, _)) => self.busy = !is_end(&parse(&line)?),
                Err(Fault::Timeout(_)) => return Ok(false),
                Err(fault) => return Err(fault),
            }
        }
        Ok(true)
    }

    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        let Listed { list, done, .. } = self.list(query)?;
        if list.is_empty() && !done {
            return Err(Fault::Timeout(String::new()));
        }
        decision(&list, query.game.position()).map(Move::Place).map_err(Fault::IllegalMove)
    }
}
