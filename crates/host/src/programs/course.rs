//! `py:`: the course's class `AI`, hosted by our own Python file in a process of its own.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::course::{Candidate, Order, Report, State, decision};

use super::dialogue::{Dialogue, Query};
use super::one_thread;
use crate::hosting::{CPU_SECONDS, Hosting};
use crate::python::Python;
use crate::sandbox::{self, Launch};

/// The Python program that runs the class.
const HARNESS: &str = include_str!("../harness.py");

/// The time for a move, in seconds, that programs are told if none is set.
const TOLD: f64 = 5.0;

/// How long an interrupted program may take to finish.
const ENDING: Duration = Duration::from_secs(1);

/// How a file with the class is started.
///
/// # Errors
/// If there is no such file.
pub(super) fn launch(file: &Path, python: Python, folder: Option<&Path>, hosting: &Hosting) -> Result<Launch, String> {
    let path = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
    if !path.is_file() {
        return Err(format!("{} is not a file", file.display()));
    }
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
    Ok(Launch {
        words: words.to_vec(),
        shown,
        place: None,
        environment,
        cpu_seconds: CPU_SECONDS,
        tasks: sandbox::TASKS,
    })
}

/// A candidate list, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed {
    pub(crate) list: Vec<Candidate>,
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

impl Course {
    /// Calls `go` for its list. The class is interrupted from inside at the limit; if that has no effect, because native
    /// code blocks the signal, the last list received in time counts.
    pub(crate) fn list(&mut self, query: &mut Query<'_>) -> Result<Listed, Fault> {
        let position = query.game.position();
        query.send(&Order::go(position, Some(query.limit.as_secs_f64())).write())?;
        let in_time = query.began + query.limit + query.grace;
        let mut last: Option<Vec<Candidate>> = None;
        self.busy = true;
        let (list, done) = loop {
            let heard = match query.process.receive(in_time + ENDING, query.stop) {
                Err(Fault::Timeout(_)) if !query.stop.is_raised() => {
                    break (last.ok_or(Fault::Timeout(String::new()))?, false);
                }
                heard => parse(&heard?)?,
            };
            let (items, state) = match heard {
                Report::List { items, state } => (items, state),
                other => return Err(fault(other)),
            };
            let list = items.iter().map(Candidate::from_json).collect();
            let late = Instant::now() > in_time;
            match state {
                State::SoFar if late => {}
                State::SoFar => last = Some(list),
                State::Done => {
                    self.busy = false;
                    break (list, true);
                }
                State::Interrupted if late => break (last.unwrap_or(list), false),
                State::Interrupted => break (list, false),
            }
        };
        let took = query.began.elapsed().min(query.limit);
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
        let until = Instant::now() + ENDING;
        while self.busy {
            match query.process.receive(until, query.stop) {
                Ok(line) => self.busy = parse(&line)? != Report::Stopped {},
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
