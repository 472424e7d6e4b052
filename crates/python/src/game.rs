//! `Game`: a game with its history.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use turncoat_board::{Game, Geometry, Move, Position};
use turncoat_record::Record;
use turncoat_record::ggf::{self, Ggf};
use turncoat_record::{chess_log, input, transcript};

use crate::board::PyBoard;
use crate::convert::{self, geometry, move_of, number, variant};
use crate::errors;

/// A game with its history.
///
/// >>> from turncoat import Game
/// >>> game = Game.parse("f5d6c3")
/// >>> game.moves
/// ['f5', 'd6', 'c3']
/// >>> game.undo()
/// 'c3'
/// >>> game.play("c5")
/// >>> game.transcript
/// 'f5d6c5'
#[pyclass(name = "Game", module = "turncoat", frozen)]
pub(crate) struct PyGame(Mutex<Game>);

#[pymethods]
impl PyGame {
    /// A new game from the initial position or another board. The size is the board's, or 8.
    ///
    /// >>> Game("reversi", size=6).board == Board(size=6)
    /// True
    #[new]
    #[pyo3(signature = (variant = "reversed", *, size = None, start = None))]
    fn new(
        variant: &str,
        #[pyo3(from_py_with = convert::optional_size)] size: Option<u8>,
        start: Option<PyBoard>,
    ) -> PyResult<Self> {
        let usual = start.map_or(Geometry::EIGHT, |start| start.0.geometry());
        let geometry = size.map_or(Ok(usual), geometry)?;
        let start = start.map_or_else(|| Position::start(geometry), |start| start.0);
        if start.geometry() != geometry {
            let found = start.geometry();
            let fault = format!("the starting board is {found}, not {geometry}");
            return Err(errors::input(fault));
        }
        let game = Game::from_position(self::variant(variant)?, start);
        Ok(Self::from_game(game))
    }

    /// Reads a game: a transcript, GGF, or a log of the course's platform.
    ///
    /// >>> Game.parse("f5f5")
    /// Traceback (most recent call last):
    /// ...
    /// turncoat.errors.InputError: not a transcript: character 3, move 2: f5 is already occupied by black
    #[staticmethod]
    #[pyo3(signature = (text, *, variant = "reversed", size = 8))]
    fn parse(text: &str, variant: &str, #[pyo3(from_py_with = convert::size)] size: u8) -> PyResult<Self> {
        let game = input::parse(text, self::variant(variant)?, geometry(size)?);
        game.map(Self::from_game).map_err(errors::input)
    }

    /// ``"reversed"`` or ``"reversi"``.
    #[getter]
    fn variant(&self) -> &'static str {
        self.game().variant().name()
    }

    /// The current board.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.game().position())
    }

    /// The starting board.
    #[getter]
    fn start(&self) -> PyBoard {
        PyBoard(self.game().start())
    }

    /// The moves so far, passes included.
    ///
    /// >>> Game.parse("f5d6").moves
    /// ['f5', 'd6']
    #[getter]
    fn moves(&self) -> Vec<String> {
        let game = self.game();
        game.moves().iter().map(|m| m.label(game.geometry())).collect()
    }

    /// The boards so far: at the start and after each move.
    ///
    /// >>> [board.empties for board in Game.parse("f5d6").boards]
    /// [60, 59, 58]
    #[getter]
    fn boards(&self) -> Vec<PyBoard> {
        self.game().positions().iter().copied().map(PyBoard).collect()
    }

    /// The moves as one string, passes omitted.
    #[getter]
    fn transcript(&self) -> String {
        transcript::write(&self.game())
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.game().position().is_over()
    }

    /// The winner: -1 black, 1 white, 0 for a draw; ``None`` until the game is over.
    ///
    /// >>> Game.parse("e6f4e3f6g5d6e7f5c5").winner
    /// 1
    #[getter]
    fn winner(&self) -> Option<i8> {
        let outcome = self.game().outcome()?;
        Some(outcome.winner.map_or(0, number))
    }

    /// Black's score in discs; ``None`` until the game is over.
    ///
    /// >>> Game.parse("e6f4e3f6g5d6e7f5c5").score
    /// -64
    #[getter]
    fn score(&self) -> Option<i32> {
        Some(self.game().outcome()?.score.discs())
    }

    /// Plays a move. A pass is a move too, and must be played where the rules require one.
    ///
    /// >>> game = Game()
    /// >>> game.play("f5")
    /// >>> game.play((5, 3))
    /// >>> game.transcript
    /// 'f5d6'
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let geometry = self.game().geometry();
        let played = move_of(r#move, geometry)?;
        self.game().play(played).map_err(errors::illegal)
    }

    /// Takes back the last move and returns it; ``None`` at the start.
    ///
    /// >>> game = Game.parse("f5d6")
    /// >>> game.undo(), game.transcript
    /// ('d6', 'f5')
    fn undo(&self) -> Option<String> {
        let mut game = self.game();
        let geometry = game.geometry();
        game.undo().map(|played| played.label(geometry))
    }

    /// Replays the move taken back last and returns it; ``None`` if there is none.
    ///
    /// >>> game = Game.parse("f5d6")
    /// >>> game.undo(), game.redo(), game.transcript
    /// ('d6', 'd6', 'f5d6')
    fn redo(&self) -> Option<String> {
        let mut game = self.game();
        let geometry = game.geometry();
        game.redo().map(|played| played.label(geometry))
    }

    /// The game as the course's platform logs it: a JSON array of the board after each disc. The start is not recorded, so
    /// only games from the initial position can be read back.
    ///
    /// >>> Game.parse(Game.parse("f5d6c3").chess_log()).transcript
    /// 'f5d6c3'
    fn chess_log(&self) -> String {
        chess_log::write(&self.game())
    }

    /// The game as GGF.
    ///
    /// >>> Game.parse(Game.parse("f5d6c3").ggf("me", "you")).transcript
    /// 'f5d6c3'
    #[pyo3(signature = (black = "", white = ""))]
    fn ggf(&self, black: &str, white: &str) -> String {
        let record = Record { black: black.to_owned(), white: white.to_owned(), ..Record::new(self.game().clone()) };
        ggf::write(&Ggf::new(record))
    }

    fn __len__(&self) -> usize {
        self.game().moves().len()
    }

    fn __repr__(&self) -> String {
        let game = self.game();
        let (moves, variant) = (transcript::write(&game), game.variant());
        format!("<Game {variant} {}: {moves:?}>", game.geometry())
    }

    fn __copy__(&self) -> Self {
        Self::from_game(self.game().clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __getnewargs_ex__(&self) -> ((&'static str,), Start) {
        ((self.variant(),), Start { start: self.start() })
    }

    fn __getstate__(&self) -> Vec<String> {
        self.moves()
    }

    fn __setstate__(&self, #[pyo3(from_py_with = convert::texts)] moves: Vec<String>) -> PyResult<()> {
        let mut game = self.game();
        for text in moves {
            let played = turncoat_board::Move::parse(&text, game.geometry());
            let played = played.unwrap_or(Move::Pass);
            game.play(played).map_err(errors::illegal)?;
        }
        Ok(())
    }
}

/// The keyword arguments for unpickling.
#[derive(IntoPyObject)]
struct Start {
    start: PyBoard,
}

impl PyGame {
    pub(crate) const fn from_game(game: Game) -> Self {
        Self(Mutex::new(game))
    }

    pub(crate) fn game(&self) -> MutexGuard<'_, Game> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
