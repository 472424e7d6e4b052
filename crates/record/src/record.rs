//! A game together with what its file says about it.

use turncoat_board::Game;

/// A game with its players, event and date; a field that a format lacks is empty.
///
/// ```
/// use turncoat_board::{Game, Geometry, VariantKind};
/// use turncoat_record::Record;
///
/// let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
/// let record = Record { black: "Ada".to_owned(), ..Record::new(game) };
/// assert_eq!(record.white, "");
/// ```
#[derive(Debug, Clone)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// The black player.
    pub black: String,
    /// The white player.
    pub white: String,
    /// The server or tournament.
    pub event: String,
    /// The date as the file writes it.
    pub date: String,
}

impl Record {
    /// A record of the game alone.
    pub const fn new(game: Game) -> Self {
        Self { game, black: String::new(), white: String::new(), event: String::new(), date: String::new() }
    }
}
