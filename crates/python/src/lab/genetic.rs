//! Runs of the genetic lab, whose games can be played elsewhere.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use turncoat_players::StopFlag;
use turncoat_train::genetic::games::{Evaluate, Threads};
use turncoat_train::genetic::run::{GeneticError, Run, Step};
use turncoat_train::genetic::{Batch, PlayError};

use super::replicates::assignments;
use super::to_python;
use crate::convert;
use crate::errors;
use crate::evaluator::Failure;
use crate::roster::{PyRoster, given};
use crate::think::think;

/// Games with everything they depend on; any part of them can be played anywhere.
#[pyclass(name = "Batch", module = "turncoat.lab", frozen)]
pub(crate) struct PyBatch(pub(super) Batch);

#[pymethods]
impl PyBatch {
    /// The batch of a dump.
    #[staticmethod]
    fn load(dumped: &[u8]) -> PyResult<Self> {
        serde_json::from_slice(dumped).map(Self).map_err(errors::input)
    }

    /// The batch as bytes, for another machine.
    fn dump<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = serde_json::to_vec(&self.0).map_err(errors::run)?;
        Ok(PyBytes::new(py, &text))
    }

    fn __len__(&self) -> usize {
        self.0.games.len()
    }

    /// Plays the games from `first` up to `end` on one thread and returns black's margins as int8.
    #[pyo3(signature = (first, end, *, roster = None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::number_of)] first: usize,
        #[pyo3(from_py_with = convert::number_of)] end: usize,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let count = self.0.games.len();
        if first > end || end > count {
            let fault = format!("games {first} to {end} of {count}");
            return Err(errors::input(fault));
        }
        let failure = Failure::default();
        let everyone = given(py, roster)?.get().everyone(&failure);
        // A chunk is played to its end: it is a matter of seconds.
        let played = think(py, &StopFlag::default(), || self.0.play(first..end, &everyone))?;
        failure.check()?;
        Ok(PyArray1::from_vec(py, played.map_err(errors::player)?))
    }

    fn __repr__(&self) -> String {
        let contenders = self.0.contenders.len();
        format!("<Batch of {} games, {contenders} contenders>", self.0.games.len())
    }
}

/// A run of the genetic lab in its folder, with a checkpoint after every generation.
#[pyclass(name = "GeneticRun", module = "turncoat.lab", frozen)]
pub(crate) struct PyGeneticRun {
    /// `None` during a step, whose games may ask for the progress.
    run: Mutex<Option<Run>>,
    done: AtomicU32,
    folder: PathBuf,
    title: String,
    generations: u32,
    population: usize,
    roster: Py<PyRoster>,
}

#[pymethods]
impl PyGeneticRun {
    /// Starts a run of an experiment file in a new folder, with some settings changed, as in ``["generations=80"]``.
    #[staticmethod]
    #[pyo3(signature = (experiment, folder, *, settings = None, seed = None, roster = None))]
    fn create(
        py: Python<'_>,
        experiment: PathBuf,
        folder: PathBuf,
        settings: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::number_of)] seed: Option<u64>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let (changes, roster) = (assignments(settings)?, given(py, roster)?);
        let everyone = roster.get().everyone(&Failure::default());
        Self::from_run(Run::create(&experiment, &changes, &folder, seed, &everyone), roster)
    }

    /// Raises what `create` would raise, without writing anything.
    #[staticmethod]
    #[pyo3(signature = (experiment, folder, *, settings = None, seed = None, roster = None))]
    fn check(
        py: Python<'_>,
        experiment: PathBuf,
        folder: PathBuf,
        settings: Option<Vec<String>>,
        #[pyo3(from_py_with = convert::number_of)] seed: Option<u64>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<()> {
        let everyone = given(py, roster)?.get().everyone(&Failure::default());
        Run::check(&experiment, &assignments(settings)?, &folder, seed, &everyone).map_err(failure)
    }

    /// Resumes the run of a folder, with another end if `settings` have one, as in ``["generations=80"]``.
    #[staticmethod]
    #[pyo3(signature = (folder, *, settings = None, roster = None))]
    fn resume(
        py: Python<'_>,
        folder: PathBuf,
        settings: Option<Vec<String>>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let (changes, roster) = (assignments(settings)?, given(py, roster)?);
        let everyone = roster.get().everyone(&Failure::default());
        let run = if changes.is_empty() {
            Run::resume(&folder, &everyone)
        } else {
            Run::prolong(&folder, &changes, &everyone)
        };
        Self::from_run(run, roster)
    }

    /// Who can play in it.
    #[getter]
    fn roster(&self, py: Python<'_>) -> Py<PyRoster> {
        self.roster.clone_ref(py)
    }

    /// Its folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The title of the experiment.
    #[getter]
    fn title(&self) -> String {
        self.title.clone()
    }

    /// The number of generations.
    #[getter]
    fn generations(&self) -> u32 {
        self.generations
    }

    /// Generations done.
    #[getter]
    fn done(&self) -> u32 {
        self.done.load(Ordering::Relaxed)
    }

    /// The number of individuals in a generation.
    #[getter]
    fn population(&self) -> usize {
        self.population
    }

    /// The record of each generation so far.
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let log = self.with_run(|run| run.log().map_err(errors::run))?;
        to_python(py, &json!(log))
    }

    /// Plays one more generation, or chooses the champion after the last one.
    ///
    /// The games are played by `evaluate`, which takes a batch and returns an array of its margins in order; without it,
    /// by this many threads of this machine. Returns the record of the generation, or at the end ``{"complete": True,
    /// "standings": […]}`` with the champion first. After an exception the run is as it was before.
    #[pyo3(signature = (evaluate = None, *, threads = 1))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        evaluate: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = convert::number_of)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let step = match evaluate {
            Some(evaluate) => self.with_run(|run| step_by(run, &evaluate)),
            None => self.with_run(|run| step_here(py, run, threads, self.roster.get())),
        }?;
        match step {
            Step::Generation(record) => to_python(py, &json!(record)),
            Step::Complete(standings) => to_python(py, &json!({"complete": true, "standings": standings})),
            Step::Interrupted => Err(errors::run("interrupted")),
        }
    }

    fn __repr__(&self) -> String {
        let (done, generations, folder) = (self.done(), self.generations, self.folder.display());
        format!("<GeneticRun {done} of {generations} in {folder}>")
    }
}

impl PyGeneticRun {
    pub(super) fn from_run(run: Result<Run, GeneticError>, roster: Py<PyRoster>) -> PyResult<Self> {
        let run = run.map_err(failure)?;
        let experiment = &run.lab().experiment;
        Ok(Self {
            done: run.done().into(),
            folder: run.folder().to_owned(),
            title: experiment.title.clone(),
            generations: experiment.generations,
            population: run.lab().population(),
            run: Mutex::new(Some(run)),
            roster,
        })
    }

    /// Does something with the run, exclusively.
    fn with_run<T>(&self, work: impl FnOnce(&mut Run) -> PyResult<T>) -> PyResult<T> {
        let place = || self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let run = place().take();
        let mut run = run.ok_or_else(|| errors::run("a step of this run is under way"))?;
        let done = work(&mut run);
        self.done.store(run.done(), Ordering::Relaxed);
        *place() = Some(run);
        done
    }
}

pub(super) fn failure(error: GeneticError) -> PyErr {
    if error.is_misuse() { errors::input(error) } else { errors::run(error) }
}

fn step_here(py: Python<'_>, run: &mut Run, threads: usize, roster: &PyRoster) -> PyResult<Step> {
    on_threads(py, threads, roster, |games| run.step(games))?.map_err(errors::run)
}

/// Plays a batch on threads of this machine.
pub(super) fn play_here(py: Python<'_>, batch: &Batch, threads: usize, roster: &PyRoster) -> PyResult<Vec<i8>> {
    let margins = on_threads(py, threads, roster, |games| games.evaluate(batch))?.map_err(errors::player)?;
    margins.ok_or_else(|| errors::run("interrupted"))
}

/// Does work whose games are played on threads of this machine.
pub(super) fn on_threads<T: Send>(
    py: Python<'_>,
    threads: usize,
    roster: &PyRoster,
    work: impl FnOnce(&mut Threads) -> T + Send,
) -> PyResult<T> {
    let failure = Failure::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(errors::run)?;
    let mut games = Threads { roster: roster.everyone(&failure), ..Threads::default() };
    let stop = games.stop.clone();
    let done = think(py, &stop, || pool.install(|| work(&mut games)))?;
    failure.check().map(|()| done)
}

fn step_by(run: &mut Run, evaluate: &Bound<'_, PyAny>) -> PyResult<Step> {
    let mut elsewhere = Elsewhere { evaluate, failure: None };
    let step = run.step(&mut elsewhere);
    match elsewhere.failure {
        Some(failure) => Err(failure),
        None => step.map_err(errors::run),
    }
}

/// Games played by a Python function.
pub(super) struct Elsewhere<'a, 'py> {
    pub(super) evaluate: &'a Bound<'py, PyAny>,
    pub(super) failure: Option<PyErr>,
}

impl Evaluate for Elsewhere<'_, '_> {
    fn evaluate(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError> {
        let margins = played_by(self.evaluate, batch);
        // The exception is told when the run has put itself in order.
        Ok(margins.map_err(|error| self.failure = Some(error)).ok())
    }
}

/// The margins of a batch by a Python function.
pub(super) fn played_by(evaluate: &Bound<'_, PyAny>, batch: &Batch) -> PyResult<Vec<i8>> {
    let margins = evaluate.call1((PyBatch(batch.clone()),))?;
    Ok(margins.extract::<PyReadonlyArray1<'_, i8>>()?.as_array().to_vec())
}
