//! What players are asked and what they answer.

use std::time::Duration;

use thiserror::Error;
use turncoat_board::{Game, Move, Position, Square};

use turncoat_eval::Term;
use turncoat_util::printable;

use crate::{Limits, StopFlag};

/// A move with what a player knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveInfo {
    /// The move.
    pub best: Square,
    /// Its score in discs for the mover, if the player has one.
    pub score: Option<f64>,
    /// The search depth in plies.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation, beginning with the move.
    pub line: Vec<Move>,
}

impl MoveInfo {
    /// A move chosen without search.
    pub fn at_sight(best: Square) -> Self {
        Self { best, score: None, depth: 0, exact: false, nodes: 0, line: vec![Move::Place(best)] }
    }
}

/// The game and the clock, as shown to a player before it is asked.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The game; its position is the one that will be asked about.
    pub game: &'a Game,
    /// How long the move may take at most.
    pub move_time: Option<Duration>,
    /// What is left of the time for the whole game.
    pub game_time: Option<Duration>,
    /// How far either may be exceeded.
    pub grace: Duration,
    /// Raised when the game is to be abandoned.
    pub stop: &'a StopFlag,
}

/// A player: chooses moves.
pub trait Player: Send {
    /// Shows the game before a question about its position. What has to be done before thinking, such as starting
    /// a program, is done here: the time it takes is not counted.
    ///
    /// # Errors
    /// If the player fails, which loses it the game.
    fn prepare(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let _ = turn;
        Ok(())
    }

    /// Chooses a move, reporting every better choice on the way; the last one is the answer. `None`
    /// when there is no legal move.
    ///
    /// # Errors
    /// If the player fails, which loses it the game.
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault>;

    /// How long the last choice took, if the player knows better than the caller's clock: a program that was stopped at
    /// its limit is not charged for what came after, but for what it needed to be ready.
    fn took(&self) -> Option<Duration> {
        None
    }

    /// Whether the machine withheld the CPU from the player while it thought about the last question; `None` if it works
    /// on the caller's thread, whose own clock tells.
    fn was_held_up(&self) -> Option<bool> {
        None
    }

    /// The most bytes of memory that the player held beyond its start while it thought about the last question, if it has
    /// memory of its own and somebody measures it.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The static evaluation of a position for its mover, taken as the root side, if the player has one.
    fn explain(&self, position: Position) -> Option<Explanation> {
        let _ = position;
        None
    }

    /// Every legal move with its score, best first; `None` if the player does not think in discs. All moves are
    /// reported after each depth on the way.
    fn analyze(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&[MoveInfo]),
    ) -> Option<Vec<MoveInfo>> {
        let _ = (position, limits, report);
        None
    }

    /// Another player of this kind that shares this one's memory, such as a transposition table; `None` if it has none.
    fn fork(&self) -> Option<Box<dyn Player>> {
        None
    }

    /// Whether it learns from its games, so that how it plays depends on those before.
    fn learns(&self) -> bool {
        false
    }

    /// Starts a new game and forgets the last one. `game` numbers the games of a run, so that random choices depend on
    /// the game alone and not on which thread plays it.
    fn new_game(&mut self, game: u64) {
        let _ = game;
    }
}

/// A static evaluation, feature by feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The value of the whole, in the player's own unit.
    pub value: f64,
    /// Its features; their products add up to the value.
    pub terms: Vec<Term>,
}

/// Asks a player the course's way: all legal moves in the order of squares, then every choice it reports.
/// The last one is the move; an empty list means a pass.
///
/// # Errors
/// If the player fails.
pub fn candidate_list(player: &mut dyn Player, position: Position, limits: &Limits) -> Result<Vec<Square>, Fault> {
    let mut list: Vec<Square> = position.legal_moves().into_iter().collect();
    player.choose(position, limits, &mut |info| list.push(info.best))?;
    Ok(list)
}

/// What a player did wrong; it loses the game by it. As text it cannot command a terminal, whatever the program said.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// No answer within the time; how long it took, if that is known.
    #[error("no move within the time{}", aside(.0))]
    Timeout(String),
    /// The program exited or crashed.
    #[error("the program crashed: {}", printable(.0))]
    Crash(String),
    /// The answer is not a legal move.
    #[error("illegal move: {}", printable(.0))]
    IllegalMove(String),
    /// The answer does not parse.
    #[error("protocol error: {}", printable(.0))]
    Protocol(String),
    /// More memory than allowed; how much, if that is known.
    #[error("out of memory{}", aside(.0))]
    OutOfMemory(String),
}

/// The detail of a fault after a colon, if there is one.
fn aside(detail: &str) -> String {
    if detail.is_empty() {
        return String::new();
    }
    format!(": {}", printable(detail))
}
