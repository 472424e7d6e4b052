//! What is kept of a game.

use turncoat_board::{Geometry, Position, Square};

/// One move of a game. Passes are not written: the rules tell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// Where the mover put its disc.
    pub square: Square,
    /// What the mover thought of its position before the move, in discs; the true score in the exact part.
    pub score: i8,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// All moves.
    pub plies: Vec<Ply>,
    /// So many moves at the start were not chosen by a player.
    pub random: u8,
    /// From this move on play was perfect.
    pub exact_from: u8,
    /// The final score for black.
    pub result: i8,
}

/// A position of a game and what came of it, from its mover's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replay {
    /// The position before the move.
    pub position: Position,
    /// The final score for its mover.
    pub result: i32,
    /// What its mover thought.
    pub score: i32,
    /// The number of the move.
    pub number: usize,
}

impl TrainingGame {
    /// The positions in which a move was made, in their order, on a board of this size; `None` if a move is illegal.
    pub fn replay(&self, geometry: Geometry) -> Option<Vec<Replay>> {
        let mut position = Position::start(geometry);
        let mut replayed = Vec::with_capacity(self.plies.len());
        for (number, ply) in self.plies.iter().enumerate() {
            if position.must_pass() {
                position = position.pass();
            }
            let sign = if position.side() == turncoat_board::Color::Black { 1 } else { -1 };
            replayed.push(Replay {
                position,
                result: sign * i32::from(self.result),
                score: i32::from(ply.score),
                number,
            });
            position = position.play(ply.square)?;
        }
        Some(replayed)
    }
}
