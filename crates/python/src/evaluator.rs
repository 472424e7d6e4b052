//! Evaluators written in Python as players: the search is the engine's, the values of its leaves are Python's, many at a
//! time.
//!
//! An exception of an evaluator is kept in the [`Failure`] of the call and stops whatever is played; the call raises it.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use turncoat_board::{Board, Geometry, Position};
use turncoat_players::{BuildError, Fault, Limits, MoveInfo, Player, Program, Setting, SpecError};
use turncoat_search::Watch;
use turncoat_search::minimax::{BatchEvaluation, Batched, Finished, MOST, choose_batched, won_by};

use crate::arrays::array;
use crate::errors;

/// What stands before the colon in the text of such a player: `evaluator:NAME` or `evaluator:NAME,depth=3`.
pub(crate) const PROTOCOL: &str = "evaluator";
/// The depth that only time or nodes end.
const DEEPEST: u32 = 60;

/// The first exception of the evaluators of a call.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    /// Raises the exception, once.
    pub(crate) fn check(&self) -> PyResult<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    fn note(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// An evaluator and what it says about the search.
pub(crate) struct Evaluator {
    pub(crate) name: String,
    pub(crate) object: Py<PyAny>,
    version: String,
    geometry: Geometry,
    depth: u32,
    batch: usize,
    finished: Finished,
}

impl Evaluator {
    /// Reads the attributes of an instance of `turncoat.Evaluator`.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let class = object.py().import("turncoat.evaluator")?.getattr("Evaluator")?;
        if !object.is_instance(&class)? {
            let fault = format!("expected the text of a player or an Evaluator, not {}", object.repr()?);
            return Err(PyTypeError::new_err(fault));
        }
        let mut name = object.get_type().name()?.to_string();
        let own: String = attribute(object, &name, "name", "a text")?;
        if !own.is_empty() {
            name = own;
        }
        let wrong = |fault: String| errors::input(format!("evaluator {name}: {fault}"));
        if name.contains([':', ',', '=']) || name.trim() != name || name.len() > 100 {
            return Err(wrong("a name has no colons, commas or equals signs, and at most 100 bytes".to_owned()));
        }
        let depth: u32 = attribute(object, &name, "depth", "a whole number")?;
        if !(1..=DEEPEST).contains(&depth) {
            return Err(wrong(format!("depth is 1 to {DEEPEST} plies, not {depth}")));
        }
        let batch: usize = attribute(object, &name, "batch", "a whole number")?;
        if !(1..=1 << 20).contains(&batch) {
            return Err(wrong(format!("batch is 1 to 1048576 boards, not {batch}")));
        }
        let finished = match attribute::<String>(object, &name, "finished", "a text")?.as_str() {
            "score" => Finished::Scored,
            "value" => Finished::Evaluated,
            other => return Err(wrong(format!("finished is \"score\" or \"value\", not {other:?}"))),
        };
        let geometry = crate::convert::geometry(attribute(object, &name, "size", "8, 6 or 4")?)
            .map_err(|error| wrong(error.value(object.py()).to_string()))?;
        let version = attribute(object, &name, "version", "a text")?;
        Ok(Self { object: object.clone().unbind(), version, geometry, depth, batch, finished, name })
    }

    /// The text of the player.
    pub(crate) fn text(&self) -> String {
        format!("{PROTOCOL}:{}", self.name)
    }

    /// The values of boards, checked.
    fn values(&self, boards: &[Board]) -> PyResult<Vec<f64>> {
        Python::attach(|py| {
            let answer = self.object.bind(py).call_method1("evaluate", (array(py, boards)?,))?;
            let numbers = py.import("numpy")?.call_method1("asarray", (answer, "float64"))?;
            let (name, count) = (&self.name, boards.len());
            let shape: Vec<usize> = numbers.getattr("shape")?.extract()?;
            if shape != [count] {
                let found = numbers.getattr("shape")?;
                let fault =
                    format!("{name}.evaluate returned an array of shape {found} for {count} boards, not ({count},)");
                return Err(errors::player(fault));
            }
            let values = numbers.extract::<PyReadonlyArray1<'_, f64>>()?.as_array().to_vec();
            if let Some(index) = values.iter().position(|value| !(-MOST..=MOST).contains(value)) {
                let (value, board) = (values[index], boards[index]);
                let words = format!("[{:#x}, {:#x}]", board.mover().0, board.other().0);
                let fault = format!("{name}.evaluate returned {value} for board {index} of {count}, {words}");
                return Err(errors::player(format!("{fault}: values are numbers from -{MOST:e} to {MOST:e}")));
            }
            Ok(values)
        })
    }
}

impl BatchEvaluation for &Evaluator {
    type Error = PyErr;

    fn evaluate(&mut self, boards: &[Board]) -> PyResult<Vec<f64>> {
        self.values(boards)
    }
}

/// An attribute of an evaluator, which must be of its type.
fn attribute<'py, T: FromPyObjectOwned<'py>>(
    object: &Bound<'py, PyAny>,
    name: &str,
    key: &str,
    what: &str,
) -> PyResult<T> {
    let value = object.getattr(key)?;
    let wrong = |repr: String| errors::input(format!("evaluator {name}: {key} is {what}, not {repr}"));
    value.extract().map_err(|_| value.repr().map_or_else(|error| error, |repr| wrong(repr.to_string())))
}

/// An evaluator as a player's text names it.
pub(crate) struct Named {
    text: String,
    /// The evaluator and the depth of the text, or why there are none.
    found: Result<(Arc<Evaluator>, Option<u32>), String>,
    failure: Failure,
}

impl Named {
    /// Finds the evaluator of a text, given what stands after the protocol.
    pub(crate) fn parse(text: &str, rest: &str, evaluators: &[Arc<Evaluator>], failure: &Failure) -> Self {
        Self { text: text.to_owned(), found: find(rest, evaluators), failure: failure.clone() }
    }
}

fn find(rest: &str, evaluators: &[Arc<Evaluator>]) -> Result<(Arc<Evaluator>, Option<u32>), String> {
    let mut words = rest.split(',').map(str::trim);
    let name = words.next().unwrap_or_default();
    let found = evaluators.iter().find(|evaluator| evaluator.name == name).ok_or_else(|| {
        let names: Vec<&str> = evaluators.iter().map(|evaluator| evaluator.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        format!("no evaluator is called {name:?}: the roster has {names}")
    })?;
    let mut depth = None;
    for word in words {
        let value =
            word.strip_prefix("depth=").ok_or_else(|| format!("{word:?} is no option: evaluators have depth="))?;
        let plies = value.parse().ok().filter(|plies| (1..=DEEPEST).contains(plies));
        depth = Some(plies.ok_or_else(|| format!("depth is 1 to {DEEPEST} plies, not {value:?}"))?);
    }
    Ok((Arc::clone(found), depth))
}

impl Program for Named {
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        let fault = |fault| SpecError { spec: self.text.clone(), fault };
        let (evaluator, depth) = self.found.clone().map_err(fault)?;
        if setting.geometry != evaluator.geometry {
            let own = evaluator.geometry;
            return Err(fault(format!("it plays on {own}; its attribute `size` says so")).into());
        }
        Ok(Box::new(EvaluatorPlayer { evaluator, depth, setting, failure: self.failure.clone() }))
    }

    fn contents(&self) -> Option<String> {
        let (evaluator, _) = self.found.as_ref().ok()?;
        (!evaluator.version.is_empty()).then(|| evaluator.version.clone())
    }
}

/// The search with an evaluator at its leaves.
struct EvaluatorPlayer {
    evaluator: Arc<Evaluator>,
    /// That of the text.
    depth: Option<u32>,
    setting: Setting,
    failure: Failure,
}

impl EvaluatorPlayer {
    /// The depth of the text within the asker's limit, or the asker's; else time or nodes end the search, or the
    /// evaluator's own depth.
    fn depth(&self, limits: &Limits) -> u32 {
        match (self.depth, limits.depth) {
            (Some(own), Some(limit)) => own.min(limit),
            (Some(depth), None) | (None, Some(depth)) => depth,
            (None, None) if limits.time.is_some() || limits.nodes.is_some() => DEEPEST,
            (None, None) => self.evaluator.depth,
        }
        .max(1)
    }
}

impl Player for EvaluatorPlayer {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(last) = position.legal_moves().into_iter().last() else {
            return Ok(None);
        };
        let mut best = MoveInfo::at_sight(last);
        report(&best);
        let finished = self.evaluator.finished;
        // A part is kept back, as the classics do.
        let time = limits.time.map(|time| time.saturating_sub(time / 25));
        let (variant, batch, depth) = (self.setting.variant, self.evaluator.batch, self.depth(limits));
        let search = Batched { variant, finished, batch, depth, time };
        let mut watch = Watch::start(&Limits { time, ..limits.clone() });
        let mut better = |choice: turncoat_search::minimax::Choice, depth| {
            let won = won_by(choice.value);
            let exact = won.is_some() && depth >= position.empties() && finished == Finished::Scored;
            let score = Some(won.unwrap_or(choice.value));
            best = MoveInfo { score, depth, exact, ..MoveInfo::at_sight(choice.square) };
            report(&best);
        };
        let found = choose_batched(search, position, &mut &*self.evaluator, &mut watch, &mut better);
        if let Err(error) = found {
            let text = error.to_string();
            self.failure.note(error);
            // Whatever is played ends here.
            limits.stop.raise();
            return Err(Fault::Crash(text));
        }
        best.nodes = watch.nodes();
        Ok(Some(best))
    }
}
