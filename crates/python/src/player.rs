//! `Player`: built-in players, programs and evaluators, called with the GIL released.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use turncoat_api::PlayerView;
use turncoat_board::{Game, Position, Square};
use turncoat_players::{Fault, Limits, Player, Roster, Setting, Spec, StopFlag, Turn, candidate_list};

use crate::board::PyBoard;
use crate::convert::{self, column, geometry, limits, row, variant};
use crate::errors;
use crate::evaluator::{Failure, PROTOCOL};
use crate::game::PyGame;
use crate::roster::{Contestant, PyRoster, enrol};
use crate::think::think;
use crate::thought::{PyExplanation, PyThought};

/// Between two attempts to lock a player that another thread is using.
const WAIT: Duration = Duration::from_millis(1);
/// How far a program may exceed its time.
const GRACE: Duration = Duration::from_millis(100);

/// A player, given as ``name`` or ``name:key=value,…``, a program as ``py:mine.py``, which runs as its roster says,
/// or an `Evaluator`.
///
/// Equal seeds give equal choices of built-in players. A player may be shared by threads; calls take turns.
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
    failure: Failure,
}

#[pymethods]
impl PyPlayer {
    /// Builds a player for one game and size.
    #[new]
    #[pyo3(signature = (spec = Contestant::usual(), *, variant = "reversed", size = 8, seed = 1, roster = None))]
    fn new(
        py: Python<'_>,
        spec: Contestant,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        let setting = Setting { variant: self::variant(variant)?, geometry: geometry(size)?, seed };
        let (roster, texts) = enrol(py, roster, std::iter::once(Ok(spec)))?;
        let failure = Failure::default();
        let everyone = roster.get().everyone(&failure);
        // Whether there is a sandbox, and a Python, is found out by starting them.
        let built = py.detach(|| {
            let spec = everyone.parse(&texts.concat())?;
            spec.build(setting).map(|player| (spec, Mutex::new(player)))
        });
        let (spec, player) = built.map_err(errors::input)?;
        Ok(Self { player, spec, setting, failure })
    }

    /// Its description.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The game it was built for: ``"reversed"`` or ``"reversi"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.setting.variant.name()
    }

    /// The size it was built for.
    #[getter]
    fn size(&self) -> u8 {
        self.setting.geometry.side()
    }

    /// Chooses a move; ``None`` if there is none. Limits are seconds, plies and nodes; without any, the player's own
    /// apply. A program that needs to know the moves so far is asked about a game.
    ///
    /// >>> player = Player("gene45:depth=2")
    /// >>> thought = player.choose(Board("f5d6c3"), depth=1)
    /// >>> thought.move in Board("f5d6c3").legal_moves(), thought.depth
    /// (True, 1)
    #[pyo3(signature = (board, *, time = None, depth = None, nodes = None))]
    fn choose(
        &self,
        py: Python<'_>,
        board: Bound<'_, PyAny>,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
    ) -> PyResult<Option<PyThought>> {
        let limits = limits(time, depth, nodes)?;
        let game = self.game(&board)?;
        let chosen = self.with_player(py, &limits.stop, |player| {
            show(player, &game, &limits)?;
            player.choose(game.position(), &limits, &mut |_| {})
        })?;
        let chosen = chosen.map_err(|fault: Fault| errors::player(fault))?;
        Ok(chosen.map(|thought| PyThought::new(&thought, self.setting.geometry)))
    }

    /// Every legal move with its score, depth and line, best first. Only ``turncoat`` supports this.
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

    /// The course's list: every legal move as (row, column), then each choice along the way; the last one is the move.
    ///
    /// >>> Player("greedy").candidate_list(Board())
    /// [(2, 3), (3, 2), (4, 5), (5, 4), (2, 3)]
    #[pyo3(signature = (board, *, time = None, depth = None, nodes = None))]
    fn candidate_list(
        &self,
        py: Python<'_>,
        board: Bound<'_, PyAny>,
        time: Option<f64>,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        #[pyo3(from_py_with = convert::number_of)] nodes: Option<u64>,
    ) -> PyResult<Vec<(u8, u8)>> {
        let limits = limits(time, depth, nodes)?;
        let game = self.game(&board)?;
        let list = self.with_player(py, &limits.stop, |player| {
            show(player, &game, &limits)?;
            candidate_list(player, game.position(), &limits)
        })?;
        let geometry = self.setting.geometry;
        let pair = |square: Square| (row(square, geometry), column(square, geometry));
        let list = list.map_err(|fault: Fault| errors::player(fault))?;
        Ok(list.into_iter().map(pair).collect())
    }

    /// Starts a new game and forgets the last one. Random choices depend on the number.
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
    /// Calls the player about a board while other Python threads run.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        limits: &Limits,
        question: impl FnOnce(&mut dyn Player, &Limits) -> T + Send,
    ) -> PyResult<T> {
        self.check(board.0)?;
        self.with_player(py, &limits.stop, |player| question(player, limits))
    }

    /// Refuses a board of another size.
    fn check(&self, position: Position) -> PyResult<()> {
        let (own, found) = (self.setting.geometry, position.geometry());
        if own == found {
            return Ok(());
        }
        Err(errors::input(format!("the player was built for {own}, not for {found}")))
    }

    /// The game that is asked about.
    fn game(&self, asked: &Bound<'_, PyAny>) -> PyResult<Game> {
        let game = match (asked.cast::<PyBoard>(), asked.cast::<PyGame>()) {
            (Ok(board), _) => Game::from_position(self.setting.variant, board.get().0),
            (_, Ok(game)) => game.get().game().clone(),
            _ => return Err(PyTypeError::new_err(format!("expected a Board or a Game, not {}", asked.repr()?))),
        };
        self.check(game.position())?;
        let (own, found) = (self.setting.variant, game.variant());
        if own != found {
            return Err(errors::input(format!("the player was built for {own}, not for {found}")));
        }
        Ok(game)
    }

    /// Does something with the player. It is locked on the thread that does the work, so nothing waits for it while holding
    /// the GIL, and a waiting call can be interrupted.
    fn with_player<T: Send>(
        &self,
        py: Python<'_>,
        stop: &StopFlag,
        work: impl FnOnce(&mut dyn Player) -> T + Send,
    ) -> PyResult<T> {
        let work = || {
            let mut player = lock_unless(&self.player, stop)?;
            let done = work(&mut **player);
            Some(self.failure.check().map(|()| done))
        };
        // An evaluator runs on the thread that asks: there Ctrl-C interrupts it.
        let done = if self.spec.name() == PROTOCOL { py.detach(work) } else { think(py, stop, work)? };
        done.unwrap_or_else(|| Err(errors::player("stopped")))
    }
}

/// Shows a player the game before it is asked: a program is started here.
fn show(player: &mut dyn Player, game: &Game, limits: &Limits) -> Result<(), Fault> {
    player.prepare(&Turn { game, move_time: limits.time, game_time: None, grace: GRACE, stop: &limits.stop })
}

/// Locks what another thread may be using; `None` if the flag is raised meanwhile.
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
    name: String,
    /// One line about it.
    about: &'static str,
    /// The games it plays.
    variants: Vec<&'static str>,
    /// The sizes it plays on.
    sizes: Vec<u8>,
    /// Its options: the key, the kind of value, what it does.
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
/// >>> [kind.name for kind in players()][2:]
/// ['gene45', 'nine-weights', 'top-six', 'shifting-weights', 'six-stage', 'linear', 'adaptive', 'turncoat']
#[pyfunction]
pub(crate) fn players() -> Vec<PyPlayerKind> {
    let kind = |player: PlayerView| PyPlayerKind {
        name: player.name.into_owned(),
        about: player.about,
        variants: player.variants,
        sizes: player.sizes.to_vec(),
        options: player.options.iter().map(|option| (option.key, option.value, option.about)).collect(),
    };
    turncoat_api::players(&Roster::default()).into_iter().map(kind).collect()
}
