//! Training loops, whose games can be played elsewhere.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use serde_json::json;
use turncoat_players::StopFlag;
use turncoat_train::matches::MatchResult;
use turncoat_train::rounds::{
    Contest, Here, Keep, LoopError, LoopGames, LoopPlan, LoopRun, LoopSettings, LoopStep, REPORT, Work, Workers,
    meet_elsewhere, selfplay_elsewhere,
};
use turncoat_train::selfplay::SelfplayPlan;

use super::to_python;
use crate::convert;
use crate::errors;
use crate::think::think;

/// Stands for a file of weights, before its number.
const PLACE: char = '\u{fffc}';

/// Games of a training loop with everything they depend on; any part of them can be played anywhere.
#[pyclass(name = "LoopGames", module = "turncoat.lab", frozen)]
pub(crate) struct PyLoopGames(LoopGames);

#[pymethods]
impl PyLoopGames {
    /// The files of weights that the playing machine needs.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.0.clone().files().into_iter().map(std::mem::take).collect()
    }

    /// The games as text for another machine: in place of the files stand ``"\ufffc0"`` and ``"\ufffc1"``, which it
    /// replaces with its own.
    fn dump(&self) -> PyResult<String> {
        let mut games = self.0.clone();
        for (number, file) in games.files().into_iter().enumerate() {
            *file = format!("{PLACE}{number}");
        }
        serde_json::to_string(&games).map_err(errors::run)
    }

    fn __repr__(&self) -> String {
        let what = if matches!(self.0, LoopGames::Match(_)) { "a match" } else { "self-play" };
        format!("<LoopGames of {what}>")
    }
}

/// Plays games of a training loop from `first` up to `end` on one thread.
#[pyfunction]
pub(crate) fn play_loop<'py>(
    py: Python<'py>,
    games: &str,
    #[pyo3(from_py_with = convert::number_of)] first: u64,
    #[pyo3(from_py_with = convert::number_of)] end: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let games: LoopGames = serde_json::from_str(games).map_err(errors::input)?;
    let stop = StopFlag::default();
    let played = think(py, &stop, || games.play(first..end, &stop))?;
    Ok(PyBytes::new(py, &played.map_err(errors::run)?))
}

/// A training loop in its folder, as of ``turncoat train loop``.
#[pyclass(name = "LoopRun", module = "turncoat.lab", frozen)]
pub(crate) struct PyLoopRun {
    /// `None` during a step.
    run: Mutex<Option<LoopRun>>,
    folder: PathBuf,
    rounds: u32,
}

#[pymethods]
impl PyLoopRun {
    /// Starts a loop in a new folder: of about so many minutes, or of rounds with so many games each.
    #[staticmethod]
    #[pyo3(signature = (
        folder, *, minutes = None, games = None, rounds = None, quick = false, variant = "reversed", seed = 1, depth = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn create(
        folder: PathBuf,
        minutes: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] games: Option<u64>,
        #[pyo3(from_py_with = convert::number_of)] rounds: Option<u32>,
        quick: bool,
        variant: &str,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
    ) -> PyResult<Self> {
        let settings = settings(&LoopPlan { minutes, games, rounds, quick, depth }, variant, seed)?;
        Self::from_run(LoopRun::create(settings, &folder))
    }

    /// Raises what `create` would raise, without writing anything.
    #[staticmethod]
    #[pyo3(signature = (
        folder, *, minutes = None, games = None, rounds = None, quick = false, variant = "reversed", seed = 1, depth = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn check(
        folder: PathBuf,
        minutes: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] games: Option<u64>,
        #[pyo3(from_py_with = convert::number_of)] rounds: Option<u32>,
        quick: bool,
        variant: &str,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
    ) -> PyResult<()> {
        let settings = settings(&LoopPlan { minutes, games, rounds, quick, depth }, variant, seed)?;
        LoopRun::check(&settings, &folder).map_err(failure)
    }

    /// Resumes the loop of a folder, with another end if one is given.
    #[staticmethod]
    #[pyo3(signature = (folder, *, rounds = None, minutes = None))]
    fn resume(
        folder: PathBuf,
        #[pyo3(from_py_with = convert::number_of)] rounds: Option<u32>,
        minutes: Option<f64>,
    ) -> PyResult<Self> {
        Self::from_run(LoopRun::resume(&folder).and_then(|mut run| {
            if rounds.is_some() || minutes.is_some() {
                run.prolong(rounds, minutes)?;
            }
            Ok(run)
        }))
    }

    /// Its folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The number of rounds.
    #[getter]
    fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The record of each round so far.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let log = self.with_run(|run| Ok(json!(run.rounds())))?;
        to_python(py, &log)
    }

    /// Goes through one more round, or fits the error model after the last one.
    ///
    /// The games are played by `play`, which takes `LoopGames`, the number of the first game and the one after the last,
    /// and returns what `play_loop` says of parts of them, in order; so many `cores` decide how much it is asked for at
    /// once. The rest, and without `play` the games too, is done by this many threads of this machine. Returns the record
    /// of the round, or at the end ``{"complete": True, "weights": …, "report": …}``. After an exception the loop can be
    /// continued.
    #[pyo3(signature = (play = None, *, cores = 1, threads = 1))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        play: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = convert::number_of)] cores: u64,
        #[pyo3(from_py_with = convert::number_of)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(errors::run)?;
        let step = self.with_run(|run| {
            if let Some(play) = play {
                let mut workers = Elsewhere { play, cores, pool, failure: None };
                let step = run.step(&mut workers);
                return workers.failure.map_or_else(|| step.map_err(failure), Err);
            }
            let stop = StopFlag::default();
            let here = || run.step(&mut Here { stop: &stop, hear: &|_| {} });
            think(py, &stop, || pool.install(here))?.map_err(failure)
        })?;
        match step {
            LoopStep::Round(record) => to_python(py, &json!(record)),
            LoopStep::Complete => {
                let best = self.with_run(|run| Ok(run.best()))?;
                to_python(py, &json!({"complete": true, "weights": best, "report": self.folder.join(REPORT)}))
            }
            LoopStep::Interrupted => Err(errors::run("interrupted")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<LoopRun of {} rounds in {}>", self.rounds, self.folder.display())
    }
}

impl PyLoopRun {
    fn from_run(run: Result<LoopRun, LoopError>) -> PyResult<Self> {
        let run = run.map_err(failure)?;
        let (folder, rounds) = (run.folder().to_owned(), run.settings().rounds);
        Ok(Self { run: Mutex::new(Some(run)), folder, rounds })
    }

    /// Does something with the loop, exclusively.
    fn with_run<T>(&self, work: impl FnOnce(&mut LoopRun) -> PyResult<T>) -> PyResult<T> {
        let place = || self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let run = place().take();
        let mut run = run.ok_or_else(|| errors::run("a step of this run is under way"))?;
        let done = work(&mut run);
        *place() = Some(run);
        done
    }
}

fn settings(plan: &LoopPlan, variant: &str, seed: u64) -> PyResult<LoopSettings> {
    if plan.minutes.is_none() && plan.games.is_none() && !plan.quick {
        return Err(errors::input("minutes or games are needed"));
    }
    if plan.minutes.is_some() && plan.games.is_some() {
        return Err(errors::input("either minutes or games limit a loop"));
    }
    Ok(LoopSettings::planned(variant.parse().map_err(errors::input)?, seed, plan))
}

fn failure(error: LoopError) -> PyErr {
    match error {
        LoopError::Folder(error) if error.is_misuse() => errors::input(error),
        error => errors::run(error),
    }
}

/// Games played by a Python function, everything else by threads of this machine.
struct Elsewhere<'py> {
    play: Bound<'py, PyAny>,
    cores: u64,
    pool: rayon::ThreadPool,
    /// The exception that is raised when the loop has put itself in order.
    failure: Option<PyErr>,
}

impl Elsewhere<'_> {
    fn ask(&mut self, games: &LoopGames, numbers: Range<u64>) -> Option<Vec<Vec<u8>>> {
        let played = || {
            let chunks = self.play.call1((PyLoopGames(games.clone()), numbers.start, numbers.end))?;
            let chunks = convert::elements(&chunks)?.map(|chunk| Ok(chunk?.extract::<PyBackedBytes>()?.to_vec()));
            chunks.collect::<PyResult<Vec<_>>>()
        };
        played().map_err(|error| self.failure = Some(error)).ok()
    }
}

impl Workers for Elsewhere<'_> {
    fn selfplay(&mut self, plan: &SelfplayPlan, first: u64, keep: Keep<'_>) -> Result<bool, LoopError> {
        selfplay_elsewhere(plan, first, keep, self.cores, &mut |games, numbers| Ok(self.ask(games, numbers)))
    }

    fn meet(&mut self, contest: &Contest) -> Result<Option<MatchResult>, LoopError> {
        meet_elsewhere(contest, self.cores, &mut |games, numbers| Ok(self.ask(games, numbers)))
    }

    fn here(&mut self, work: Work<'_>) {
        let stop = StopFlag::default();
        let done = think(self.play.py(), &stop, || self.pool.install(|| work(&stop, &|_| {})));
        self.failure = done.err();
    }
}
