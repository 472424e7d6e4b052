//! `Roster`: who can play beside the built-in players, and how foreign programs are run.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use turncoat_host::Hosting;
use turncoat_players::Roster;

use crate::convert;
use crate::errors;

/// Who can play beside the built-in players: programs, named as on the command line (``py:mine.py``, ``gtp:edax``).
///
/// They run in a sandbox unless they are trusted. ``memory`` is the megabytes that one may use beyond what it holds after
/// its start, ``logs`` a folder for what programs print. Where no roster is given, programs may play in the sandbox.
///
/// >>> from turncoat import Roster
/// >>> Roster(memory=100)
/// <Roster: programs in a sandbox, 100 MB>
#[pyclass(name = "Roster", module = "turncoat", frozen)]
pub(crate) struct PyRoster {
    hosting: Hosting,
    megabytes: Option<u32>,
}

#[pymethods]
impl PyRoster {
    #[new]
    #[pyo3(signature = (*, trust = false, memory = None, logs = None))]
    fn new(
        trust: bool,
        #[pyo3(from_py_with = convert::number_of)] memory: Option<u32>,
        logs: Option<PathBuf>,
    ) -> PyResult<Self> {
        if memory == Some(0) {
            return Err(errors::input("a program needs at least 1 megabyte"));
        }
        let bytes = memory.map(|megabytes| u64::from(megabytes) * 1_000_000);
        let hosting = Hosting { trust, memory: bytes, logs, ..Hosting::default() };
        Ok(Self { hosting, megabytes: memory })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let arguments = PyDict::new(py);
        arguments.set_item("trust", self.hosting.trust)?;
        arguments.set_item("memory", self.megabytes)?;
        arguments.set_item("logs", &self.hosting.logs)?;
        Ok(((), arguments))
    }

    fn __repr__(&self) -> String {
        let place = if self.hosting.trust { "without" } else { "in" };
        let memory = self.megabytes.map_or_else(String::new, |megabytes| format!(", {megabytes} MB"));
        format!("<Roster: programs {place} a sandbox{memory}>")
    }
}

impl PyRoster {
    /// Everyone who can play.
    pub(crate) fn everyone(&self) -> Roster {
        Roster::default().with_programs(self.hosting.clone())
    }

    /// Bytes of memory that a program may use.
    pub(crate) const fn memory(&self) -> Option<u64> {
        self.hosting.memory
    }
}

/// The roster that was given, or the usual one.
pub(crate) fn given(py: Python<'_>, roster: Option<Py<PyRoster>>) -> PyResult<Py<PyRoster>> {
    roster.map_or_else(|| Py::new(py, PyRoster::new(false, None, None)?), Ok)
}
