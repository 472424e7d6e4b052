//! A folder of programs as a ladder whose games are played elsewhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use serde_json::json;
use turncoat_arena::{Control, Format, Openings, Plan, Source, StoreFault};
use turncoat_board::Geometry;
use turncoat_host::Hosting;
use turncoat_host::programs::{Luggage, Program};
use turncoat_ladder::{Elsewhere, LadderError, Options, Order, SentGame, TestRules, run};
use turncoat_players::StopFlag;

use super::to_python;
use crate::convert;
use crate::errors;
use crate::roster::{PyRoster, given};
use crate::think::think;

/// Random positions of the test beside the ten fixed ones, as in ``turncoat ladder``.
const RANDOM_POSITIONS: u64 = 20;

/// The files of a program: its text, in which U+FFFC stands for the folder they are put into, their folder here, and their
/// paths within it.
pub(super) type Files = (String, PathBuf, Vec<PathBuf>);

/// What another machine needs of a player that is a program with files of its own.
pub(super) fn luggage(text: &str, hosting: &Hosting) -> PyResult<Option<Files>> {
    let Some(program) = Program::parse(text, hosting) else { return Ok(None) };
    let Luggage { text, folder, files } = program.luggage().map_err(errors::input)?;
    Ok((!files.is_empty()).then_some((text, folder, files)))
}

/// A ladder of the programs in a folder, as of ``turncoat ladder``. Programs are tested here; their games are played by a
/// function, on any machine.
#[pyclass(name = "LadderRun", module = "turncoat.lab", frozen)]
pub(crate) struct PyLadderRun {
    options: Options,
}

#[pymethods]
impl PyLadderRun {
    /// `time` is the seconds for a move; the ladder ends when every program has `games` games, if that is given.
    #[new]
    #[pyo3(signature = (
        folder, *, store = None, time = 1.0, games = None, variant = "reversed", size = 8, seed = 1, plies = None,
        yardsticks = None, roster = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        store: Option<PathBuf>,
        time: f64,
        #[pyo3(from_py_with = convert::number_of)] games: Option<u64>,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        #[pyo3(from_py_with = convert::number_of)] plies: Option<u32>,
        yardsticks: Option<Vec<String>>,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        convert::limits(Some(time), None, None)?;
        std::fs::read_dir(&folder).map_err(|error| errors::input(format!("{}: {error}", folder.display())))?;
        let roster = given(py, roster)?;
        let hosting = Hosting { one_thread: true, ..roster.get().hosting().clone() };
        let plan = Plan {
            format: Format::Ladder,
            players: Vec::new(),
            titles: Vec::new(),
            players_digests: Vec::new(),
            variant: variant.parse().map_err(errors::input)?,
            size: Geometry::from_side(size).map_err(errors::input)?,
            seed,
            games: 2,
            openings: format!("random:{}", plies.unwrap_or_else(|| u32::from(size))),
            openings_digest: None,
            move_seconds: Some(time),
            game_seconds: None,
            increment_seconds: None,
            grace_seconds: Control::GRACE.as_secs_f64(),
            depth: None,
            sprt: None,
            memory: hosting.memory,
            course_points: false,
        };
        let openings = openings(&plan)?;
        let limit = plan.control().move_time.unwrap_or_default();
        let options = Options {
            store: store.unwrap_or_else(|| folder.join(".turncoat/ladder.db")),
            folder,
            plan,
            openings,
            hosting,
            yardsticks: yardsticks.unwrap_or_else(|| vec!["random".to_owned(), "greedy".to_owned()]),
            test: TestRules { random: RANDOM_POSITIONS, limit, forbids_os: false },
            games,
            concurrency: None,
            elsewhere: None,
            command: "turncoat-ray ladder".to_owned(),
        };
        Ok(Self { options })
    }

    /// The store.
    #[getter]
    fn store(&self) -> PathBuf {
        self.options.store.clone()
    }

    /// Runs the ladder until all have their games, or Ctrl-C. ``play(order, programs, stopped)`` plays a pair and returns
    /// the games of ``play_pair``; it is called by many threads. ``programs`` are the files of both players, or None; when
    /// ``stopped()``, no games are wanted any more. ``cores()`` says how many pairs can be played at a time; ``tell`` gets
    /// everything that happens.
    fn run(&self, py: Python<'_>, play: Py<PyAny>, cores: Py<PyAny>, tell: Py<PyAny>) -> PyResult<()> {
        let stop = StopFlag::default();
        let hosting = self.options.hosting.clone();
        let elsewhere = Functions { play, cores, hosting };
        let options = Options { elsewhere: Some(Arc::new(elsewhere)), ..self.options.clone() };
        let mut failure = None;
        let ran = think(py, &stop, || {
            run(&options, &stop, &mut |event| {
                Python::attach(|py| {
                    let told = to_python(py, &json!(event)).and_then(|event| tell.call1(py, (event,)));
                    told.map(|_| ()).map_err(|error| {
                        failure.get_or_insert(error);
                        std::io::Error::other("the function that was told has failed")
                    })
                })
            })
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        ran.map_err(|error| match error {
            LadderError::Folder { .. } | LadderError::Path(_) | LadderError::Yardstick(_) => errors::input(error),
            LadderError::Store(store) if matches!(store.fault, StoreFault::OtherRun { .. } | StoreFault::Foreign) => {
                errors::input(store)
            }
            error => errors::run(error),
        })
    }

    fn __repr__(&self) -> String {
        format!("<LadderRun of {}>", self.options.folder.display())
    }
}

fn openings(plan: &Plan) -> PyResult<Openings> {
    let source: Source = plan.openings.parse().map_err(errors::input)?;
    Openings::new(&source, plan.variant, plan.size, plan.seed).map_err(errors::input)
}

/// Functions of Python that play.
#[derive(Debug)]
struct Functions {
    play: Py<PyAny>,
    cores: Py<PyAny>,
    hosting: Hosting,
}

impl Elsewhere for Functions {
    fn cores(&self) -> usize {
        let asked = Python::attach(|py| self.cores.call0(py).and_then(|cores| cores.extract::<usize>(py)));
        asked.unwrap_or(1).max(1)
    }

    fn play(&self, order: &Order, stop: &StopFlag) -> Result<Vec<turncoat_ladder::store::LadderGame>, String> {
        let mut order = order.clone();
        let mut programs = Vec::new();
        for spec in &mut order.specs {
            let files = luggage(spec, &self.hosting).map_err(|error| error.to_string())?;
            if let Some((text, ..)) = &files {
                spec.clone_from(text);
            }
            programs.push(files);
        }
        let text = serde_json::to_string(&order).map_err(|error| error.to_string())?;
        let flag = stop.clone();
        let played = Python::attach(|py| {
            let stopped = PyCFunction::new_closure(py, None, None, move |_, _| flag.is_raised())?;
            self.play.call1(py, (text, programs, stopped))?.extract::<String>(py)
        });
        if stop.is_raised() {
            return Ok(Vec::new());
        }
        let sent: Vec<SentGame> =
            serde_json::from_str(&played.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
        order.receive(sent).map_err(|error| error.to_string())
    }
}

/// Plays a pair of games that a ladder has ordered. ``folders`` are where the files of its two players lie here, or None.
#[pyfunction]
#[pyo3(signature = (order, folders, *, roster = None))]
pub(crate) fn play_pair(
    py: Python<'_>,
    order: &str,
    folders: [Option<PathBuf>; 2],
    roster: Option<Py<PyRoster>>,
) -> PyResult<String> {
    let mut order: Order = serde_json::from_str(order).map_err(errors::input)?;
    for (spec, folder) in order.specs.iter_mut().zip(&folders) {
        *spec = placed(spec, folder.as_deref())?;
    }
    let openings = openings(&order.plan)?;
    let roster = given(py, roster)?;
    let hosting = Hosting { one_thread: true, ..roster.get().hosting().clone() };
    let stop = StopFlag::default();
    let mut games: Vec<SentGame> = Vec::new();
    let played =
        think(py, &stop, || order.play(&openings, &hosting, &stop, &|_| {}, &mut |game| games.push(game.into())))?;
    played.map_err(errors::run)?;
    serde_json::to_string(&games).map_err(errors::run)
}

/// The text of a program whose files lie in this folder.
pub(super) fn placed(text: &str, folder: Option<&Path>) -> PyResult<String> {
    let Some(folder) = folder else { return Ok(text.to_owned()) };
    let folder = folder.to_str().filter(|folder| !folder.contains([',', '"', '\'', ' ']));
    let folder =
        folder.ok_or_else(|| errors::input("the folder of programs has a name that no player's text can hold"))?;
    Ok(text.replace(turncoat_host::programs::PLACE, folder))
}
