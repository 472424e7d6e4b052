//! The growth of a book whose positions are searched elsewhere.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use turncoat_board::{Bitboard, Board, Geometry, Position, Square, VariantKind};
use turncoat_book::{Aim, Book, Found, GrowLimits, GrowPlan, GrowSettings, Growth, Progress, Search, Task};
use turncoat_players::book::{BookSearch, BookSolver, ReadBookError, book_evaluation, check_kind, read_book};
use turncoat_players::flagship::usual_evaluation;
use turncoat_players::{Setting, Spec, StopFlag};
use turncoat_search::transposition::TranspositionTable;
use turncoat_util::{FileLock, LockError, replace_file};

use super::to_python;
use crate::convert;
use crate::errors;
use crate::think::think;

/// Discs of the mover and of the other side, and how deep to search: a position for another machine.
type SentTask = (u64, u64, u32);
/// Score, depth, whether it is exact, the best square and the nodes: what was found about it.
type SentFound = (f64, u32, bool, Option<u8>, u64);

/// How positions are searched.
#[derive(Serialize, Deserialize)]
struct Plan {
    variant: VariantKind,
    size: Geometry,
    player: String,
    /// Mebibytes of the solver's table, where scores are proven instead.
    solver: Option<u32>,
}

/// The growth of a book as of ``turncoat book grow``, or of ``turncoat book solve``; what is to be searched can be searched on any machine.
#[pyclass(name = "BookRun", module = "turncoat.lab", frozen)]
pub(crate) struct PyBookRun {
    path: PathBuf,
    plan: Plan,
    evaluation: String,
    growing: Mutex<Growing>,
    _lock: FileLock,
}

struct Growing {
    book: Book,
    plan: GrowPlan,
    /// The plies of an exact book, and those of its answers.
    exact: Option<(u32, Option<u32>)>,
    is_complete: bool,
}

#[pymethods]
impl PyBookRun {
    /// Opens the book of a file, or begins one. The arguments are those of ``turncoat book grow``; with ``exact`` the
    /// positions after ``plies`` are solved and then those of ``answers``, as by ``turncoat book solve``.
    #[new]
    #[pyo3(signature = (
        file, *, variant = None, size = None, plies = 6, line_plies = 24, depth = 16, margin = 1.0, balanced = None,
        choices = None, rival = None, positions = None, nodes = None, eval = None, selectivity = 2, hash = 16, rescore = false, exact = false, answers = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        file: PathBuf,
        variant: Option<&str>,
        #[pyo3(from_py_with = convert::optional_size)] size: Option<u8>,
        #[pyo3(from_py_with = convert::number_of)] plies: u32,
        #[pyo3(from_py_with = convert::number_of)] line_plies: u32,
        #[pyo3(from_py_with = convert::number_of)] depth: u32,
        margin: f64,
        balanced: Option<f64>,
        choices: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] rival: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] positions: Option<u64>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
        eval: Option<String>,
        #[pyo3(from_py_with = convert::number_of)] selectivity: u8,
        #[pyo3(from_py_with = convert::number_of)] hash: u32,
        rescore: bool,
        exact: bool,
        #[pyo3(from_py_with = convert::number_of)] answers: Option<u32>,
    ) -> PyResult<Self> {
        let is_far =
            [Some(margin), balanced, choices].into_iter().flatten().any(|discs| !(0.0..=64.0).contains(&discs));
        if is_far || depth == 0 || plies > 12 || line_plies > 60 {
            return Err(errors::input(
                "depth is at least 1, plies at most 12, line_plies at most 60, margin, balanced and choices 0 to 64 discs",
            ));
        }
        let variant = variant.map(convert::variant).transpose()?;
        let geometry = size.map(convert::geometry).transpose()?;
        let (path, lock) = lock(file)?;
        let known = path.exists().then(|| read_book(&path)).transpose().map_err(unreadable)?;
        let variant = variant.or(known.as_ref().map(Book::variant)).unwrap_or(VariantKind::Reversed);
        let size = geometry.or(known.as_ref().map(Book::geometry)).unwrap_or(Geometry::EIGHT);
        if exact && size == Geometry::EIGHT {
            return Err(errors::input("nobody can solve the first plies of 8x8: size 6 or 4"));
        }
        if answers.is_some_and(|answers| !exact || answers > 60) {
            return Err(errors::input("answers are for exact books, at most 60 plies"));
        }
        let name = eval.unwrap_or_else(|| usual_evaluation(variant, size).to_owned());
        let evaluation = book_evaluation(&name, variant, size).map_err(errors::input)?;
        let fault = |fault: String| errors::input(format!("{}: {fault}", path.display()));
        let mut book = known.unwrap_or_else(|| Book::new(variant, size, evaluation.clone()));
        check_kind(&book, variant, size).map_err(fault)?;
        if evaluation.checksum != book.evaluation().checksum {
            if !rescore {
                let other = &book.evaluation().name;
                return Err(fault(format!(
                    "its scores are those of another evaluation ({other}): rescore searches them again"
                )));
            }
            book.take_evaluation(evaluation);
        }
        let player = format!("turncoat:eval={name},selectivity={selectivity},hash={hash}");
        let plan = Plan { variant, size, player, solver: exact.then_some(hash) };
        plan.search(StopFlag::default())?;
        if choices.is_some() && rival.is_some() {
            return Err(errors::input("a book grows by surer choices or by answers to a rival, not by both at once"));
        }
        let aim = Aim::new(depth, choices, rival).map_err(errors::input)?;
        let settings = GrowSettings { depth, plies, line_plies, margin, balanced, aim };
        let growing = Growing {
            book,
            plan: GrowPlan::new(settings, GrowLimits { positions, nodes }),
            exact: exact.then_some((plies, answers)),
            is_complete: false,
        };
        Ok(Self { path, plan, evaluation: name, growing: Mutex::new(growing), _lock: lock })
    }

    /// The evaluation: a name, or a file that the searching machine needs.
    #[getter]
    fn evaluation(&self) -> &str {
        &self.evaluation
    }

    /// How positions are searched, as text for another machine, which may have the evaluation at another path.
    #[pyo3(signature = (evaluation = None))]
    fn description(&self, evaluation: Option<&str>) -> PyResult<String> {
        let player = self.plan.player.replacen(&self.evaluation, evaluation.unwrap_or(&self.evaluation), 1);
        serde_json::to_string(&Plan { player, ..self.plan }).map_err(errors::run)
    }

    /// What is to be searched next, all of it before this is asked again; nothing at the end.
    fn batch(&self, py: Python<'_>) -> PyResult<Vec<SentTask>> {
        let sent = |task: Task| (task.board.mover().0, task.board.other().0, task.depth);
        py.detach(|| {
            let mut growing = self.growing()?;
            let Growing { book, plan, exact, is_complete } = &mut *growing;
            let tasks = match *exact {
                Some((plies, answers)) => {
                    let tasks = book.next_exact(plies, answers);
                    *is_complete = tasks.is_empty();
                    tasks
                }
                None => plan.next(book).unwrap_or_else(|end| {
                    *is_complete = matches!(end, Growth::Complete(_));
                    Vec::new()
                }),
            };
            Ok(tasks.into_iter().map(sent).collect())
        })
    }

    /// Takes what ``search_book`` found about some tasks.
    fn keep(&self, tasks: Vec<SentTask>, found: Vec<SentFound>) -> PyResult<()> {
        if tasks.len() != found.len() {
            return Err(errors::input(format!("{} results came back for {} positions", found.len(), tasks.len())));
        }
        let mut growing = self.growing()?;
        for (task, (score, depth, is_exact, best, nodes)) in tasks.into_iter().zip(found) {
            let best = best.map(Square::new).transpose().map_err(errors::input)?;
            growing.book.insert(board(task)?, Found { score, depth, is_exact, best, nodes });
            growing.plan.progress.searched += 1;
            growing.plan.progress.nodes += nodes;
        }
        Ok(())
    }

    /// Writes the book: whole, or the old one stays.
    fn save(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let mut growing = self.growing()?;
            growing.book.settle();
            let saved = replace_file(&self.path, &growing.book.write());
            saved.map_err(|error| errors::run(format!("{}: {error}", self.path.display())))
        })
    }

    /// What the book has become, as of ``turncoat book grow --json``.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let growing = self.growing()?;
        let Progress { searched, nodes } = growing.plan.progress;
        let start = growing.book.find(Position::start(growing.book.geometry()));
        let summary = json!({
            "summary": true, "searched": searched, "nodes": nodes, "positions": growing.book.entries().len(),
            "score": start.map(turncoat_book::Entry::value),
            "complete": growing.is_complete,
        });
        to_python(py, &summary)
    }

    fn __repr__(&self) -> String {
        format!("<BookRun of {}>", self.path.display())
    }
}

impl PyBookRun {
    fn growing(&self) -> PyResult<std::sync::MutexGuard<'_, Growing>> {
        self.growing.lock().map_err(|_| errors::run("the book broke off"))
    }
}

impl Plan {
    fn search(&self, stop: StopFlag) -> PyResult<Box<dyn Search + Send>> {
        if let Some(hash) = self.solver {
            let table = Arc::new(TranspositionTable::new(hash as usize).map_err(errors::input)?);
            return Ok(Box::new(BookSolver::new(table, self.variant, self.size, stop)));
        }
        let player: Spec = self.player.parse().map_err(errors::input)?;
        let setting = Setting { variant: self.variant, geometry: self.size, seed: 1 };
        Ok(Box::new(BookSearch::new(&player, setting, stop).map_err(errors::input)?))
    }
}

/// The file that a path leads to, and the lock that `turncoat book` holds while a book grows.
fn lock(file: PathBuf) -> PyResult<(PathBuf, FileLock)> {
    let path = file.canonicalize().unwrap_or(file);
    let mut name = path.clone().into_os_string();
    name.push("-lock");
    let shown = path.display().to_string();
    let lock = FileLock::acquire(PathBuf::from(name)).map_err(|error| match error {
        LockError::Held(_) => errors::input(format!("{shown}: another process is growing this book")),
        LockError::Io(error) => errors::run(format!("{shown}: {error}")),
    })?;
    Ok((path, lock))
}

fn unreadable(error: ReadBookError) -> PyErr {
    match error {
        ReadBookError::Fault { .. } => errors::input(error),
        ReadBookError::Io { .. } => errors::run(error),
    }
}

fn board((mover, other, _): SentTask) -> PyResult<Board> {
    Board::new(Bitboard(mover), Bitboard(other)).ok_or_else(|| errors::input("two discs are on one square"))
}

/// Searches positions of a book that grows, on one thread, for ``BookRun.keep``.
#[pyfunction]
pub(crate) fn search_book(py: Python<'_>, description: &str, tasks: Vec<SentTask>) -> PyResult<Vec<SentFound>> {
    let plan: Plan = serde_json::from_str(description).map_err(errors::input)?;
    let stop = StopFlag::default();
    let empty = Book::new(plan.variant, plan.size, turncoat_book::Evaluation { name: String::new(), checksum: 0 });
    let position = |&task: &SentTask| {
        let position = empty.position(board(task)?);
        Ok((position.ok_or_else(|| errors::input("a position is not on the board"))?, task.2))
    };
    let positions = tasks.iter().map(position).collect::<PyResult<Vec<_>>>()?;
    let mut search = plan.search(stop.clone())?;
    let found = think(py, &stop, || {
        let found = positions.iter().map(|&(position, depth)| search.search(position, depth));
        found.collect::<Option<Vec<Found>>>()
    })?;
    let sent =
        |Found { score, depth, is_exact, best, nodes }: Found| (score, depth, is_exact, best.map(u8::from), nodes);
    Ok(found.ok_or_else(|| errors::player("a search has failed"))?.into_iter().map(sent).collect())
}
