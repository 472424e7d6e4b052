//! `Roster`: who can play beside the built-in players, and how foreign programs are run.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use turncoat_host::Hosting;
use turncoat_players::{Program, Programs, Roster};

use crate::convert;
use crate::errors;
use crate::evaluator::{Evaluator, Failure, Named, PROTOCOL};

/// Who can play beside the built-in players: evaluators, and programs, named as on the command line (``py:mine.py``).
///
/// An evaluator's text is ``evaluator:NAME``, or ``evaluator:NAME,depth=3``. Programs run in a sandbox unless they are
/// trusted; ``memory`` is the megabytes that one may use beyond what it holds after its start, ``logs`` a folder for what
/// they print. Where no roster is given, programs may play in the sandbox.
///
/// >>> from turncoat import Roster
/// >>> Roster(memory=100)
/// <Roster: programs in a sandbox, 100 MB>
#[pyclass(name = "Roster", module = "turncoat", frozen)]
pub(crate) struct PyRoster {
    hosting: Hosting,
    megabytes: Option<u32>,
    evaluators: Vec<Arc<Evaluator>>,
}

#[pymethods]
impl PyRoster {
    #[new]
    #[pyo3(signature = (evaluators = None, *, trust = false, memory = None, logs = None))]
    fn new(
        py: Python<'_>,
        evaluators: Option<&Bound<'_, PyAny>>,
        trust: bool,
        #[pyo3(from_py_with = convert::number_of)] memory: Option<u32>,
        logs: Option<PathBuf>,
    ) -> PyResult<Self> {
        if memory == Some(0) {
            return Err(errors::input("a program needs at least 1 megabyte"));
        }
        if let Some(folder) = &logs {
            fs::create_dir_all(folder)?;
        }
        let bytes = memory.map(|megabytes| u64::from(megabytes) * 1_000_000);
        let hosting = Hosting { trust, memory: bytes, logs, ..usual_hosting(py) };
        let mut roster = Self { hosting, megabytes: memory, evaluators: Vec::new() };
        for evaluator in evaluators.map(convert::elements).transpose()?.into_iter().flatten() {
            roster.add(&evaluator?)?;
        }
        Ok(roster)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let evaluators: Vec<Py<PyAny>> = self.evaluators.iter().map(|each| each.object.clone_ref(py)).collect();
        let arguments = PyDict::new(py);
        arguments.set_item("trust", self.hosting.trust)?;
        arguments.set_item("memory", self.megabytes)?;
        arguments.set_item("logs", &self.hosting.logs)?;
        Ok((PyTuple::new(py, [evaluators])?, arguments))
    }

    fn __repr__(&self) -> String {
        let place = if self.hosting.trust { "without" } else { "in" };
        let memory = self.megabytes.map_or_else(String::new, |megabytes| format!(", {megabytes} MB"));
        let names = self.evaluators.iter().map(|evaluator| format!(", {}", evaluator.text()));
        format!("<Roster: programs {place} a sandbox{memory}{}>", names.collect::<String>())
    }
}

impl PyRoster {
    /// Everyone who can play in a call, which hears of the evaluators' exceptions.
    pub(crate) fn everyone(&self, failure: &Failure) -> Roster {
        let (hosting, evaluators) = (self.hosting.clone(), self.evaluators.clone());
        Roster::default().with_programs(Everyone { hosting, evaluators, failure: failure.clone() })
    }

    /// How programs are run.
    pub(crate) const fn hosting(&self) -> &Hosting {
        &self.hosting
    }

    /// Bytes of memory that a program may use.
    pub(crate) const fn memory(&self) -> Option<u64> {
        self.hosting.memory
    }

    /// Adds an evaluator, unless it is there; its text.
    fn add(&mut self, object: &Bound<'_, PyAny>) -> PyResult<String> {
        let evaluator = Evaluator::new(object)?;
        let text = evaluator.text();
        match self.evaluators.iter().find(|known| known.name == evaluator.name) {
            None => self.evaluators.push(Arc::new(evaluator)),
            Some(known) if known.object.is(object) => {}
            Some(_) => {
                let name = evaluator.name;
                return Err(errors::input(format!("two evaluators are called {name}: give one another `name`")));
            }
        }
        Ok(text)
    }
}

/// How programs are run: those in Python by this one, with its packages.
fn usual_hosting(py: Python<'_>) -> Hosting {
    let own = py.import("sys").and_then(|sys| sys.getattr("executable")?.extract::<String>());
    Hosting { python: own.ok().filter(|path| !path.is_empty()).map(Into::into), ..Hosting::default() }
}

/// The roster that was given, or the usual one, with the evaluators among the players; and the players' texts.
pub(crate) fn enrol(
    py: Python<'_>,
    roster: Option<Py<PyRoster>>,
    players: impl Iterator<Item = PyResult<Contestant>>,
) -> PyResult<(Py<PyRoster>, Vec<String>)> {
    let given = roster.as_ref().map(Py::get);
    let mut all = PyRoster {
        hosting: given.map_or_else(|| usual_hosting(py), |roster| roster.hosting.clone()),
        megabytes: given.and_then(|roster| roster.megabytes),
        evaluators: given.map_or_else(Vec::new, |roster| roster.evaluators.clone()),
    };
    let mut texts = Vec::new();
    for player in players {
        texts.push(match player? {
            Contestant::Text(text) => text,
            Contestant::Evaluator(object) => all.add(object.bind(py))?,
        });
    }
    Ok((Py::new(py, all)?, texts))
}

/// The roster that was given, or the usual one.
pub(crate) fn given(py: Python<'_>, roster: Option<Py<PyRoster>>) -> PyResult<Py<PyRoster>> {
    roster.map_or_else(|| enrol(py, None, std::iter::empty()).map(|(usual, _)| usual), Ok)
}

/// A player as Python names it.
#[derive(FromPyObject)]
pub(crate) enum Contestant {
    Text(String),
    Evaluator(Py<PyAny>),
}

impl Contestant {
    /// The engine.
    pub(crate) fn usual() -> Self {
        Self::Text("turncoat".to_owned())
    }
}

struct Everyone {
    hosting: Hosting,
    evaluators: Vec<Arc<Evaluator>>,
    failure: Failure,
}

impl Programs for Everyone {
    fn find(&self, text: &str) -> Option<Arc<dyn Program>> {
        match text.split_once(':') {
            Some((PROTOCOL, rest)) => Some(Arc::new(Named::parse(text, rest, &self.evaluators, &self.failure))),
            _ => self.hosting.find(text),
        }
    }
}
