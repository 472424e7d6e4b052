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
    /// When the clock of the exchange began to run.
    pub(crate) began: Instant,
    pub(crate) stop: &'a StopFlag,
    /// How long it took, if the dialogue knows better than the clock.
    pub(crate) took: Option<Duration>,
    /// Lines and bytes received.
    pub(crate) received: (usize, usize),
}

/// Lines of one exchange. Some engines of NBoard tell a lot while they think.
const MOST_LINES: usize = 50_000;
/// Bytes of one exchange.
const MOST_BYTES: usize = 4 << 20;

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
        let (line, at) = self.process.receive(until, self.stop)?;
        if at > until {
            return Err(Fault::Timeout(String::new()));
        }
        let (lines, bytes) = &mut self.received;
        (*lines, *bytes) = (*lines + 1, *bytes + line.len());
        match (*lines > MOST_LINES, *bytes > MOST_BYTES) {
            (true, _) => Err(Fault::Protocol(format!("an answer of more than {MOST_LINES} lines"))),
            (_, true) => Err(Fault::Protocol("an answer of more than 4 MiB".to_owned())),
            _ => Ok(line),
        }
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
