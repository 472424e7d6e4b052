//! Games as a function of a player's parameters, for anyone's optimiser.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use turncoat_board::Geometry;
use turncoat_eval::classic::Schema;
use turncoat_players::{Setting, Spec, seed};
use turncoat_train::genetic::fitness;
use turncoat_train::genetic::{Batch, BatchGame, Contender, Counts, Genome, Layout};

use super::genetic::{PyBatch, play_here, played_by};
use crate::convert;
use crate::errors;
use crate::roster::{Contestant, PyRoster, enrol};

/// How well a player does with other parameters: a function from vectors to scores, for any optimiser.
///
/// `player` is a built-in player with weights, `parameters` the names or groups of those that vary (all if not given).
/// Every vector plays `games` games against each opponent, half with each colour, from random openings of `plies`. The
/// games are the same for all vectors of a call, and depend on the seed alone. A score is the mean margin in discs, or
/// the mean of points (``score="points"``: 1, ½, 0); higher is better.
///
/// >>> from turncoat.lab import Objective
/// >>> objective = Objective("gene45:depth=1", ["greedy"], parameters=["frontier"], games=20)
/// >>> objective.names, objective.start.tolist()
/// (['frontier, stage 1', 'frontier, stage 2'], [-52.0, -27.0])
/// >>> scores = objective([objective.start, objective.start, [52, 27]])
/// >>> bool(scores[0] == scores[1] > scores[2])
/// True
#[pyclass(name = "Objective", module = "turncoat.lab", frozen)]
pub(crate) struct PyObjective {
    player: Contender,
    schema: Schema,
    layout: Layout,
    /// All weights as the player has them, and which of them vary.
    own: Vec<f64>,
    chosen: Vec<usize>,
    opponents: Vec<Contender>,
    roster: Py<PyRoster>,
    setting: Setting,
    games: u32,
    plies: u32,
    points: bool,
}

#[pymethods]
impl PyObjective {
    #[new]
    #[pyo3(signature = (
        player, opponents, *, parameters = None, games = 20, plies = 8, size = 8, seed = 1, score = "margin",
        roster = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        player: &str,
        opponents: &Bound<'_, PyAny>,
        parameters: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = convert::number_of)] games: u32,
        #[pyo3(from_py_with = convert::number_of)] plies: u32,
        #[pyo3(from_py_with = convert::size)] size: u8,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        score: &str,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let points = match score {
            "margin" => false,
            "points" => true,
            other => return Err(errors::input(format!("score is \"margin\" or \"points\", not {other:?}"))),
        };
        if games == 0 || games % 2 == 1 || games > 1_000_000 {
            return Err(errors::input(format!("games is an even number from 2 to 1000000, not {games}")));
        }
        let geometry = convert::geometry(size)?;
        check_plies(plies, geometry)?;
        let spec: Spec = player.parse().map_err(errors::input)?;
        let (schema, base) = spec.parameters().map_err(errors::input)?;
        let setting = Setting { variant: schema.variant, geometry, seed };
        spec.build(setting).map_err(errors::input)?;
        let layout = Layout::of_weights(&schema, &base).map_err(errors::input)?;
        let own = layout.values(&layout.genome(&base).map_err(errors::input)?);
        let parameters = parameters.map(convert::texts).transpose()?;
        let chosen = chosen(&layout, parameters.as_deref())?;
        let opponents = convert::elements(opponents)?.map(|opponent| opponent?.extract::<Contestant>());
        let (roster, opponents) = enrol(py, roster, opponents)?;
        let opponents = contenders(&opponents, roster.get(), setting)?;
        let player = contender(&spec);
        Ok(Self { player, schema, layout, own, chosen, opponents, roster, setting, games, plies, points })
    }

    /// The names of the parameters.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.chosen.iter().map(|&index| self.layout.genes()[index].name.clone()).collect()
    }

    /// The values that the player has.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.chosen.iter().map(|&index| self.own[index]))
    }

    /// The bounds of all parameters, which numbers beyond them are set to: lower and upper.
    #[getter]
    fn bounds(&self) -> (f64, f64) {
        let [low, high] = self.chosen.first().map_or([0.0; 2], |&index| self.layout.genes()[index].bounds);
        (low, high)
    }

    /// Who can play in it.
    #[getter]
    fn roster(&self, py: Python<'_>) -> Py<PyRoster> {
        self.roster.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.chosen.len()
    }

    /// The games of some vectors, as data that can be played anywhere.
    #[pyo3(signature = (vectors, *, seed = None))]
    fn batch(
        &self,
        vectors: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = convert::number_of)] seed: Option<u64>,
    ) -> PyResult<PyBatch> {
        let mut contenders = self.opponents.clone();
        let first = contenders.len() as u32;
        for values in self.rows(vectors)? {
            contenders.push(Contender { parameters: Some(self.layout.parameters(&values)), ..self.player.clone() });
        }
        let mut games = Vec::new();
        for one in first..contenders.len() as u32 {
            for other in 0..first {
                for opening in 0..u64::from(self.games / 2) {
                    for (black, white, counts) in [(one, other, Counts::Black), (other, one, Counts::White)] {
                        games.push(BatchGame { black, white, opening, number: opening, counts });
                    }
                }
            }
        }
        let seed = seed::derive(seed.unwrap_or(self.setting.seed), &[]);
        let Setting { variant, geometry: size, .. } = self.setting;
        Ok(PyBatch(Batch { variant, size, seed, plies: self.plies, starts: Vec::new(), contenders, games }))
    }

    /// The scores of the vectors of a batch, whose margins are given in order.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        batch: &PyBatch,
        margins: PyReadonlyArray1<'py, i8>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (batch, margins) = (&batch.0, margins.as_array().to_vec());
        if margins.len() != batch.games.len() {
            let fault = format!("{} margins are given for {} games", margins.len(), batch.games.len());
            return Err(errors::input(fault));
        }
        let tallies = fitness::count(batch, &margins, batch.contenders.len());
        let score = tallies.iter().skip(self.opponents.len()).map(|tally| {
            let sum =
                if self.points { f64::from(tally.wins()) + f64::from(tally.draws) / 2.0 } else { tally.margin as f64 };
            sum / f64::from(tally.games().max(1))
        });
        Ok(PyArray1::from_iter(py, score))
    }

    /// The score of each vector: an array of shape (n,) for one of shape (n, parameters).
    ///
    /// Equal seeds have equal games; a new one for each generation keeps an optimiser from learning openings by heart.
    /// `evaluate` plays the games, as in `GeneticRun.step`; without it, this many threads of this machine.
    #[pyo3(signature = (vectors, *, seed = None, evaluate = None, threads = 1))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        vectors: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = convert::number_of)] seed: Option<u64>,
        evaluate: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = convert::number_of)] threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let batch = self.batch(vectors, seed)?;
        let margins = match evaluate {
            Some(evaluate) => played_by(&evaluate, &batch.0)?,
            None => play_here(py, &batch.0, threads, self.roster.get())?,
        };
        let margins = PyArray1::from_vec(py, margins).extract()?;
        self.scores(py, &batch, margins)
    }

    /// The parameter file of a vector, for the player's option ``weights=``.
    fn parameters(&self, vector: &Bound<'_, PyAny>) -> PyResult<String> {
        let rows = vector.py().import("numpy")?.call_method1("atleast_2d", (vector,))?;
        let rows = self.rows(&rows)?;
        let [values] = rows.as_slice() else {
            return Err(errors::input(format!("one vector is written at a time, not {}", rows.len())));
        };
        Ok(self.schema.write(&self.layout.parameters(values)))
    }

    fn __repr__(&self) -> String {
        let opponents: Vec<&str> = self.opponents.iter().map(|opponent| opponent.player.as_str()).collect();
        let (player, count) = (&self.player.player, self.chosen.len());
        format!("<Objective of {player} with {count} parameters against {}>", opponents.join(", "))
    }
}

impl PyObjective {
    /// All weights by each row of an array.
    fn rows(&self, vectors: &Bound<'_, PyAny>) -> PyResult<Vec<Genome>> {
        let made = vectors.py().import("numpy")?.call_method1("asarray", (vectors, "float64"))?;
        let expected = self.chosen.len();
        let rows: PyReadonlyArray2<'_, f64> = made.extract().map_err(|_| shape(&made, expected))?;
        if rows.shape()[1] != expected {
            return Err(shape(&made, expected));
        }
        let genome = |(row, values): (usize, numpy::ndarray::ArrayView1<'_, f64>)| {
            let mut all = self.own.clone();
            for (&index, &value) in self.chosen.iter().zip(values) {
                if !value.is_finite() {
                    let name = &self.layout.genes()[index].name;
                    return Err(errors::input(format!("vector {row}: {name} is {value}")));
                }
                all[index] = value;
            }
            Ok(Genome::Numbers(all))
        };
        rows.as_array().outer_iter().enumerate().map(genome).collect()
    }
}

fn shape(array: &Bound<'_, PyAny>, expected: usize) -> PyErr {
    let found = array.getattr("shape").map_or_else(|_| "another".to_owned(), |shape| shape.to_string());
    errors::input(format!("vectors are an array of shape (n, {expected}), not {found}"))
}

fn check_plies(plies: u32, geometry: Geometry) -> PyResult<()> {
    let most = u32::from(geometry.area()).saturating_sub(8);
    if plies > most {
        return Err(errors::input(format!("at most {most} random plies, not {plies}")));
    }
    Ok(())
}

/// The places of the weights with these names, or in these groups.
fn chosen(layout: &Layout, parameters: Option<&[String]>) -> PyResult<Vec<usize>> {
    let names = || layout.genes().iter().map(|gene| gene.name.as_str()).enumerate();
    let Some(wanted) = parameters else {
        return Ok(names().map(|(index, _)| index).collect());
    };
    let mut found = Vec::new();
    for want in wanted {
        let is_meant = |name: &str| {
            name.strip_prefix(want.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
        };
        let before = found.len();
        found.extend(names().filter(|(_, name)| is_meant(name)).map(|(index, _)| index));
        if found.len() == before {
            let mut groups: Vec<&str> = names().filter_map(|(_, name)| name.split([' ', ',']).next()).collect();
            groups.dedup();
            return Err(errors::input(format!("no parameter is called {want:?}: there are {}", groups.join(", "))));
        }
    }
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    if once.len() < found.len() || found.is_empty() {
        return Err(errors::input("parameters are given twice, or there are none"));
    }
    Ok(found)
}

fn contender(spec: &Spec) -> Contender {
    Contender { player: spec.to_string(), files: spec.files(), parameters: None }
}

/// The opponents, each built once to find out whether it can be.
fn contenders(texts: &[String], roster: &PyRoster, setting: Setting) -> PyResult<Vec<Contender>> {
    if texts.is_empty() {
        return Err(errors::input("an objective needs opponents"));
    }
    let everyone = roster.everyone(&crate::evaluator::Failure::default());
    let build = |text: &String| {
        let spec = everyone.parse(text)?;
        spec.build(setting).map(|_| contender(&spec))
    };
    texts.iter().map(build).collect::<Result<_, _>>().map_err(errors::input)
}
