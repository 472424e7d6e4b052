//! Talking to a program: one exchange, and what a protocol has to say in it.

use std::time::{Duration, Instant};

use turncoat_board::{Color, Game, Move};
use turncoat_players::{Fault, Setting, StopFlag};

use crate::process::Process;

/// One exchange with a running program: the game it is about and the time it may take.
pub(crate) struct Query<'a> {
    pub(crate) process: &'a mut Process,
    /// The game as it stands.
    pub(crate) game: &'a Game,
    pub(crate) setting: Setting,
    /// How long this exchange may take.
    pub(crate) limit: Duration,
    /// How far the limit may be exceeded.
    pub(crate) grace: Duration,
    /// What is left of the time for the game.
    pub(crate) game_time: Option<Duration>,
    /// The time for a move, if there is one.
    pub(crate) move_time: Option<Duration>,
    /// Plies to look ahead, if that was asked for.
    pub(crate) depth: Option<u32>,
    /// When the exchange began.
    pub(crate) began: Instant,
    pub(crate) stop: &'a StopFlag,
    /// How long it took, if the dialogue knows better than the clock.
    pub(crate) took: Option<Duration>,
}

impl Query<'_> {
    /// The side to move.
    pub(crate) fn side(&self) -> Color {
        self.game.position().side()
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.process.send(line)
    }

    /// Receives a line within the limit.
    pub(crate) fn receive(&mut self) -> Result<String, Fault> {
        let until = self.began + self.limit + self.grace;
        self.process.receive(until, self.stop)
    }
}

/// One side of a protocol: what is sent to a program and what its lines mean.
pub(crate) trait Dialogue: Send {
    /// Whether each game needs a process of its own.
    const ONE_GAME: bool;
    /// Whether its start may take as long as Python's libraries do.
    const SLOW_START: bool = false;

    /// Opens the protocol with a new process.
    fn open(&mut self, query: &mut Query<'_>) -> Result<(), Fault>;

    /// Begins a game, or continues one with a new process.
    fn begin(&mut self, query: &mut Query<'_>) -> Result<(), Fault>;

    /// Whether the process can be asked again in the same game; if not, it is replaced by a new one.
    fn is_ready(&mut self, query: &mut Query<'_>) -> Result<bool, Fault> {
        let _ = query;
        Ok(true)
    }

    /// Asks for a move.
    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault>;
}
