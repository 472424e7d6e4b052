//! Self-play runs, whose games can be played elsewhere.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use turncoat_players::StopFlag;
use turncoat_train::games::{TrainingGame, read_shard, write_shard};
use turncoat_train::run_folder::FolderError;
use turncoat_train::selfplay::{SelfplayPlan, SelfplayRun, play_chunk};

use crate::convert;
use crate::errors;
use crate::think::think;

/// A self-play run in its folder: a file for each finished shard of games.
#[pyclass(name = "SelfplayRun", module = "turncoat.lab", frozen)]
pub(crate) struct PySelfplayRun(SelfplayRun);

#[pymethods]
impl PySelfplayRun {
    /// Starts the run of a settings file in a new folder.
    #[staticmethod]
    fn create(settings: PathBuf, folder: PathBuf) -> PyResult<Self> {
        SelfplayRun::create(&settings, &folder).map(Self).map_err(failure)
    }

    /// Raises what `create` would raise, without writing anything.
    #[staticmethod]
    fn check(settings: PathBuf, folder: PathBuf) -> PyResult<()> {
        SelfplayRun::check(&settings, &folder).map_err(failure)
    }

    /// Resumes the run of a folder.
    #[staticmethod]
    fn resume(folder: PathBuf) -> PyResult<Self> {
        SelfplayRun::resume(&folder).map(Self).map_err(failure)
    }

    /// Its folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    /// The number of games.
    #[getter]
    fn games(&self) -> u64 {
        self.0.plan().games
    }

    /// The evaluation: a name, or a file that the playing machine needs.
    #[getter]
    fn evaluation(&self) -> String {
        self.0.plan().evaluation.clone()
    }

    /// How games are played, as text for another machine, which may have the evaluation at another path.
    #[pyo3(signature = (evaluation = None))]
    fn plan(&self, evaluation: Option<String>) -> PyResult<String> {
        let mut plan = self.0.plan().clone();
        plan.evaluation = evaluation.unwrap_or(plan.evaluation);
        serde_json::to_string(&plan).map_err(errors::run)
    }

    /// The missing shards, each with the number of its first game and the one after its last.
    fn missing(&self) -> Vec<(u64, u64, u64)> {
        let numbers = |shard| {
            let games = self.0.plan().games_of(shard);
            (shard, games.start, games.end)
        };
        self.0.missing().into_iter().map(numbers).collect()
    }

    /// Writes a shard from its chunks, in the order of their games.
    fn keep(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::number_of)] shard: u64,
        chunks: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let chunks = convert::elements(chunks)?.map(|chunk| Ok(chunk?.extract()?));
        let chunks = chunks.collect::<PyResult<Vec<PyBackedBytes>>>()?;
        py.detach(|| {
            let SelfplayPlan { variant, size, .. } = *self.0.plan();
            let mut games: Vec<TrainingGame> = Vec::new();
            for chunk in &chunks {
                games.extend(read_shard(chunk, variant, size).map_err(errors::run)?);
            }
            let plan = self.0.plan();
            if shard >= plan.shards() {
                let shards = plan.shards();
                let fault = format!("there is no shard {shard}: the run has {shards}, from 0 on");
                return Err(errors::input(fault));
            }
            let numbers = plan.games_of(shard);
            let expected = numbers.end - numbers.start;
            if games.len() as u64 != expected {
                let found = games.len();
                let fault = format!("{found} games came back for the {expected} of shard {shard}");
                return Err(errors::run(fault));
            }
            self.0.keep(shard, &games).map_err(failure)
        })
    }

    fn __repr__(&self) -> String {
        format!("<SelfplayRun of {} games in {}>", self.games(), self.0.path().display())
    }
}

fn failure(error: FolderError) -> PyErr {
    if error.is_misuse() { errors::input(error) } else { errors::run(error) }
}

/// Plays the games of a plan from `first` up to `end` on one thread: a chunk for `SelfplayRun.keep`.
#[pyfunction]
pub(crate) fn play_selfplay<'py>(
    py: Python<'py>,
    plan: &str,
    #[pyo3(from_py_with = convert::number_of)] first: u64,
    #[pyo3(from_py_with = convert::number_of)] end: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let plan: SelfplayPlan = serde_json::from_str(plan).map_err(errors::input)?;
    if let Some(fault) = plan.fault() {
        return Err(errors::input(fault));
    }
    let stop = StopFlag::default();
    let games = think(py, &stop, || {
        let games = play_chunk(&plan, first..end, &stop);
        games.map(|games| write_shard(plan.variant, plan.size, &games))
    })?;
    Ok(PyBytes::new(py, &games.map_err(errors::run)?))
}
