//! Several genetic runs of one experiment, and ratings after the fact; games can be played elsewhere.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::{Value, json};
use turncoat_players::Roster;
use turncoat_train::genetic::rate::{RatePlan, RateStep, Rating, Representative};
use turncoat_train::genetic::replicates::{Estimate, Replicates, Summary, Sweep, SweepPoint};
use turncoat_train::genetic::run::Snapshot;
use turncoat_train::genetic::{Assignment, Choices};

use super::genetic::{Elsewhere, PyGeneticRun, failure, on_threads};
use super::to_python;
use crate::convert;
use crate::errors;
use crate::evaluator::Failure;
use crate::roster::{PyRoster, given};

/// The changed settings of an experiment, as in ``algorithm.population=30``.
pub(super) fn assignments(settings: Option<Vec<String>>) -> PyResult<Vec<Assignment>> {
    settings.unwrap_or_default().iter().map(|setting| setting.parse().map_err(errors::input)).collect()
}

fn everyone(roster: &Py<PyRoster>) -> Roster {
    roster.get().everyone(&Failure::default())
}

/// Runs of one experiment with several seeds, as of ``turncoat train replicate``.
#[pyclass(name = "Replicates", module = "turncoat.lab", frozen)]
pub(crate) struct PyReplicates {
    runs: Replicates,
    roster: Py<PyRoster>,
}

#[pymethods]
impl PyReplicates {
    /// Begins the runs of an experiment, with some settings changed, in a new folder.
    #[staticmethod]
    #[pyo3(signature = (experiment, folder, seeds, *, settings = None, roster = None))]
    fn create(
        py: Python<'_>,
        experiment: PathBuf,
        folder: PathBuf,
        seeds: Vec<u64>,
        settings: Option<Vec<String>>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let roster = given(py, roster)?;
        let runs = Replicates::create(&experiment, &assignments(settings)?, seeds, &folder, &everyone(&roster));
        Ok(Self { runs: runs.map_err(failure)?, roster })
    }

    /// Resumes the runs of a folder.
    #[staticmethod]
    #[pyo3(signature = (folder, *, roster = None))]
    fn resume(py: Python<'_>, folder: PathBuf, roster: Option<Py<PyRoster>>) -> PyResult<Self> {
        Ok(Self { runs: Replicates::resume(&folder).map_err(failure)?, roster: given(py, roster)? })
    }

    /// Their folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.runs.folder().to_owned()
    }

    /// Their seeds.
    #[getter]
    fn seeds(&self) -> Vec<u64> {
        self.runs.seeds().to_vec()
    }

    /// The run of a seed, begun or resumed.
    fn run(&self, py: Python<'_>, #[pyo3(from_py_with = convert::number_of)] seed: u64) -> PyResult<PyGeneticRun> {
        PyGeneticRun::from_run(self.runs.run(seed, &everyone(&self.roster)), self.roster.clone_ref(py))
    }

    /// Writes the table and the curves of what the runs have come to, and returns the means and their standard errors.
    fn summarize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let summary = self.runs.summarize(&everyone(&self.roster)).map_err(failure)?;
        to_python(py, &estimates(&summary))
    }

    fn __repr__(&self) -> String {
        format!("<Replicates: {} runs in {}>", self.runs.seeds().len(), self.runs.folder().display())
    }
}

fn estimates(summary: &Summary) -> Value {
    let labels: Vec<&str> = summary.measures.iter().map(|measure| measure.label.as_str()).collect();
    let estimates: Vec<Option<Estimate>> = summary.measures.iter().map(|measure| summary.estimate(measure)).collect();
    json!({"runs": summary.runs.len(), "measures": labels, "estimates": estimates})
}

/// Runs of one experiment with several values of some settings, as of ``turncoat train sweep``.
#[pyclass(name = "Sweep", module = "turncoat.lab", frozen)]
pub(crate) struct PySweep {
    sweep: Sweep,
    roster: Py<PyRoster>,
}

#[pymethods]
impl PySweep {
    /// Begins the runs of all combinations of settings, as in ``["algorithm.mutation=0.01,0.02"]``, in a new folder.
    #[staticmethod]
    #[pyo3(signature = (experiment, folder, settings, *, seeds = None, roster = None))]
    fn create(
        py: Python<'_>,
        experiment: PathBuf,
        folder: PathBuf,
        settings: Vec<String>,
        seeds: Option<Vec<u64>>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let choices: Result<Vec<Choices>, _> = settings.iter().map(|setting| setting.parse()).collect();
        let (choices, roster) = (choices.map_err(errors::input)?, given(py, roster)?);
        let sweep = Sweep::create(&experiment, &choices, seeds, &folder, &everyone(&roster)).map_err(failure)?;
        Ok(Self { sweep, roster })
    }

    /// Resumes the runs of a folder.
    #[staticmethod]
    #[pyo3(signature = (folder, *, roster = None))]
    fn resume(py: Python<'_>, folder: PathBuf, roster: Option<Py<PyRoster>>) -> PyResult<Self> {
        Ok(Self { sweep: Sweep::resume(&folder).map_err(failure)?, roster: given(py, roster)? })
    }

    /// Its folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.sweep.folder().to_owned()
    }

    /// The combinations of values.
    #[getter]
    fn points(&self) -> Vec<String> {
        self.sweep.points().iter().map(SweepPoint::label).collect()
    }

    /// The runs of the combination with this index, begun or resumed.
    fn replicates(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::number_of)] index: usize,
    ) -> PyResult<PyReplicates> {
        if index >= self.sweep.points().len() {
            return Err(errors::input(format!("there is no combination {index}")));
        }
        let runs = self.sweep.replicates(index, &everyone(&self.roster)).map_err(failure)?;
        Ok(PyReplicates { runs, roster: self.roster.clone_ref(py) })
    }

    /// Writes the table and the curves of what the runs have come to, and returns means and standard errors by combination.
    fn summarize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let summary = self.sweep.summarize(&everyone(&self.roster)).map_err(failure)?;
        let point = |(point, runs): &(SweepPoint, Summary)| {
            let mut value = estimates(runs);
            value["settings"] = point.label().into();
            value
        };
        to_python(py, &summary.points.iter().map(point).collect())
    }

    fn __repr__(&self) -> String {
        format!("<Sweep of {} combinations in {}>", self.sweep.points().len(), self.sweep.folder().display())
    }
}

/// Plays generations of a run against a player afterwards, as ``turncoat train rate`` does, and returns what each came to.
/// `who` is ``saved``, ``all`` or a rank; the games are played by `evaluate`, or by threads of this machine.
#[pyfunction]
#[pyo3(signature = (
    folder, against, evaluate = None, *, games = 100, plies = None, seed = None, who = "1", generations = None,
    name = None, threads = 1, roster = None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn rate<'py>(
    py: Python<'py>,
    folder: PathBuf,
    against: String,
    evaluate: Option<Bound<'py, PyAny>>,
    #[pyo3(from_py_with = convert::number_of)] games: u32,
    #[pyo3(from_py_with = convert::number_of)] plies: Option<u32>,
    #[pyo3(from_py_with = convert::number_of)] seed: Option<u64>,
    who: &str,
    generations: Option<Vec<u32>>,
    name: Option<String>,
    #[pyo3(from_py_with = convert::number_of)] threads: usize,
    roster: Option<Py<PyRoster>>,
) -> PyResult<Bound<'py, PyAny>> {
    let roster = given(py, roster)?;
    let run = Snapshot::read(&folder, &everyone(&roster)).map_err(failure)?;
    let who = match who {
        "saved" => Representative::Saved,
        "all" => Representative::All,
        rank => {
            let rank: Option<usize> = rank.parse().ok().filter(|&rank| rank > 0);
            Representative::Rank(rank.ok_or_else(|| errors::input("who: saved, all or a rank from 1 on"))?)
        }
    };
    let (plies, seed) = (plies.unwrap_or_else(|| run.lab().experiment.size.into()), seed.unwrap_or(run.lab().seed));
    let plan = RatePlan { against, games, plies, seed, who };
    let name = match name {
        Some(name) if !RatePlan::is_name(&name) => {
            return Err(errors::input(format!("{name:?} is no name for a folder")));
        }
        Some(name) => name,
        None => plan.usual_name(),
    };
    let generations: BTreeSet<u32> = generations.unwrap_or_default().into_iter().collect();
    let mut rating = Rating::open(&run, plan, &generations, &name, &everyone(&roster)).map_err(failure)?;
    loop {
        let step = match &evaluate {
            Some(evaluate) => {
                let mut elsewhere = Elsewhere { evaluate, failure: None };
                let step = rating.step(&mut elsewhere);
                elsewhere.failure.map_or(Ok(()), Err)?;
                step
            }
            None => on_threads(py, threads, roster.get(), |games| rating.step(games))?,
        };
        match step.map_err(errors::run)? {
            RateStep::Rated(_) => {}
            RateStep::Complete => return to_python(py, &json!(rating.rates().collect::<Vec<_>>())),
            RateStep::Interrupted => return Err(errors::run("interrupted")),
        }
    }
}
