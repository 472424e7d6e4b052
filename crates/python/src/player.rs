//! `Player`: the named players, asked with the interpreter's lock released.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use turncoat_board::Square;
use turncoat_players::{BuildError, Fault, Limits, Player, Setting, Spec, StopFlag, build, candidate_list, kinds};

use crate::board::PyBoard;
use crate::convert::{self, column, geometry, limits, row, variant};
use crate::errors;
use crate::think::think;
use crate::thought::{PyExplanation, PyThought};

/// Between two looks at a player that another thread is asking.
const WAIT: Duration = Duration::from_millis(1);

/// A player by its description, ``name`` or ``name:key=value,…``.
///
/// Equal seeds choose equally. A player may be asked from several threads, one after the other.
///
/// >>> from turncoat import Board, Player
/// >>> Player("greedy").choose(Board("f5d6c3")).move
/// 'd3'
/// >>> Player("gene45:depth=2").choose(Board()).depth
/// 2
#[pyclass(name = "Player", module = "turncoat", frozen)]
pub(crate) struct PyPlayer {
    player: Mutex<Box<dyn Player>>,
    spec: Spec,
    setting: Setting,
}

#[pymethods]
impl PyPlayer {
    /// Makes a player for one game and size.
    #[new]
    #[pyo3(signature = (spec = "turncoat", *, variant = "reversed", size = 8, seed = 1))]
    fn new(
        spec: &str,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
    ) -> PyResult<Self> {
        let setting = Setting { variant: self::variant(variant)?, geometry: geometry(size)?, seed };
        let spec: Spec = spec.parse().map_err(errors::input)?;
        let player = build(&spec, setting).map_err(|error: BuildError| errors::input(error))?;
        let player = Mutex::new(player);
        Ok(Self { player, spec, setting })
    }

    /// Its description.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The game that it was made for: ``"reversed"`` or ``"reversi"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.setting.variant.name()
    }

    /// The size that it was made for.
    #[getter]
    fn size(&self) -> u8 {
        self.setting.geometry.side()
    }

    /// Chooses a move; ``None`` where there is none. Limits are seconds, plies and positions; without any, the
    /// player's own hold.
    ///
    /// >>> player = Player("gene45:depth=2")
    /// >>> thought = player.choose(Board("f5d6c3"), depth=1)
    /// >>> thought.move in Board("f5d6c3").legal_moves(), thought.depth
    /// (True, 1)
    #[pyo3(signature = (board, *, time = None, depth = None, nodes = None))]
    fn choose(
        &self,
        py: Python<'_>,
        board: PyBoard,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
    ) -> PyResult<Option<PyThought>> {
        let limits = limits(time, depth, nodes)?;
        let chosen = self.ask(py, &board, &limits, |player, limits| player.choose(board.0, limits, &mut |_| {}))?;
        let chosen = chosen.map_err(|fault: Fault| errors::player(fault))?;
        Ok(chosen.map(|thought| PyThought::new(&thought, self.setting.geometry)))
    }

    /// Every legal move with what is known of it, best first. Only ``turncoat`` can tell.
    ///
    /// >>> [thought.exact for thought in Player("turncoat", size=4).analyze(Board(size=4))]
    /// [True, True, True, True]
    #[pyo3(signature = (board, *, time = None, depth = None, nodes = None))]
    fn analyze(
        &self,
        py: Python<'_>,
        board: PyBoard,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
    ) -> PyResult<Vec<PyThought>> {
        let limits = limits(time, depth, nodes)?;
        let moves = self.ask(py, &board, &limits, |player, limits| player.analyze(board.0, limits, &mut |_| {}))?;
        let name = self.spec.name();
        let moves = moves.ok_or_else(|| errors::input(format!("{name} cannot analyse; the player turncoat can")))?;
        let geometry = self.setting.geometry;
        Ok(moves.iter().map(|thought| PyThought::new(thought, geometry)).collect())
    }

    /// The static evaluation of a board for its mover, feature by feature; ``None`` if the player has none.
    ///
    /// >>> explanation = Player("gene45").explain(Board("f5d6c3"))
    /// >>> abs(sum(term.value * term.weight for term in explanation.terms) - explanation.value) < 1e-9
    /// True
    fn explain(&self, py: Python<'_>, board: PyBoard) -> PyResult<Option<PyExplanation>> {
        let explanation = self.ask(py, &board, &Limits::default(), |player, _| player.explain(board.0))?;
        Ok(explanation.map(PyExplanation::new))
    }

    /// The course's list: every legal move as (row, column), then each choice on the way; the last one is the move.
    ///
    /// >>> Player("greedy").candidate_list(Board())
    /// [(2, 3), (3, 2), (4, 5), (5, 4), (2, 3)]
    #[pyo3(signature = (board, *, time = None, depth = None, nodes = None))]
    fn candidate_list(
        &self,
        py: Python<'_>,
        board: PyBoard,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
    ) -> PyResult<Vec<(u8, u8)>> {
        let limits = limits(time, depth, nodes)?;
        let list = self.ask(py, &board, &limits, |player, limits| candidate_list(player, board.0, limits))?;
        let geometry = self.setting.geometry;
        let pair = |square: Square| (row(square, geometry), column(square, geometry));
        let list = list.map_err(|fault: Fault| errors::player(fault))?;
        Ok(list.into_iter().map(pair).collect())
    }

    /// A new game begins: what belongs to the last one is forgotten. Chance moves depend on the number.
    ///
    /// >>> player = Player("random")
    /// >>> player.new_game(7)
    #[pyo3(signature = (number = 0))]
    fn new_game(&self, py: Python<'_>, #[pyo3(from_py_with = convert::number_of)] number: u64) -> PyResult<()> {
        self.with_player(py, &StopFlag::default(), |player| player.new_game(number))
    }

    fn __repr__(&self) -> String {
        let Setting { variant, geometry, .. } = self.setting;
        format!("<Player {}, {variant} {geometry}>", self.spec)
    }
}

impl PyPlayer {
    /// Asks about a board while other Python threads run.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limits: &Limits,
        question: impl FnOnce(&mut dyn Player, &Limits) -> T + Send,
    ) -> PyResult<T> {
        if board.0.geometry() != self.setting.geometry {
            let (own, found) = (self.setting.geometry, board.0.geometry());
            let fault = format!("the player was made for a board of {own}, not of {found}");
            return Err(errors::input(fault));
        }
        self.with_player(py, &limits.stop, |player| question(player, limits))
    }

    /// Does something with the player. It is locked on the thread that does it, so that nobody waits for it with the
    /// interpreter's lock in hand, and whoever waits can be told to stop.
    fn with_player<T: Send>(
        &self,
        py: Python<'_>,
        stop: &StopFlag,
        work: impl FnOnce(&mut dyn Player) -> T + Send,
    ) -> PyResult<T> {
        let done = think(py, stop, || {
            let mut player = lock_unless(&self.player, stop)?;
            Some(work(&mut **player))
        })?;
        done.ok_or_else(|| errors::player("stopped"))
    }
}

/// Locks what another thread may be at work with; `None` if the flag is raised meanwhile.
fn lock_unless<'a, T>(mutex: &'a Mutex<T>, stop: &StopFlag) -> Option<MutexGuard<'a, T>> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(broken)) => return Some(broken.into_inner()),
            Err(TryLockError::WouldBlock) if stop.is_raised() => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
        }
    }
}

/// A kind of built-in player.
///
/// >>> players()[0]
/// <PlayerKind random: ...>
#[pyclass(name = "PlayerKind", module = "turncoat", frozen, get_all)]
pub(crate) struct PyPlayerKind {
    /// Its name.
    name: &'static str,
    /// One line about it.
    about: &'static str,
    /// The games it plays.
    variants: Vec<&'static str>,
    /// The sizes it plays on.
    sizes: Vec<u8>,
    /// Its options: what stands before the ``=``, what may stand after it, what it does.
    options: Vec<(&'static str, &'static str, &'static str)>,
}

#[pymethods]
impl PyPlayerKind {
    fn __repr__(&self) -> String {
        format!("<PlayerKind {}: {}>", self.name, self.about)
    }
}

/// The built-in players.
///
/// >>> from turncoat import players
/// >>> [kind.name for kind in players()]
/// ['random', 'greedy', 'gene45', 'nine-weights', 'top-six', 'shifting-weights', 'six-stage', 'turncoat']
#[pyfunction]
pub(crate) fn players() -> Vec<PyPlayerKind> {
    kinds()
        .map(|kind| PyPlayerKind {
            name: kind.name,
            about: kind.about,
            variants: kind.variants.iter().map(|variant| variant.name()).collect(),
            sizes: kind.sides.to_vec(),
            options: kind.options.iter().map(|option| (option.key, option.value, option.about)).collect(),
        })
        .collect()
}
