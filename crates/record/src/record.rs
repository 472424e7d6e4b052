//! A game together with what its file says about it.

use turncoat_board::Game;

/// A game and who played it where; what a format does not tell is empty.
#[derive(Debug, Clone)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// Who played black.
    pub black: String,
    /// Who played white.
    pub white: String,
    /// Where it was played: a server, a tournament.
    pub event: String,
    /// When, as the file writes it.
    pub date: String,
}

impl Record {
    /// A game of which nothing else is known.
    pub const fn new(game: Game) -> Self {
        Self { game, black: String::new(), white: String::new(), event: String::new(), date: String::new() }
    }
}
