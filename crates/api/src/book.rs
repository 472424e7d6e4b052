//! What an opening book says about a position.

use serde::{Deserialize, Serialize};
use turncoat_board::{Game, Move, Position};
use turncoat_book::{Book, BookMove, OpeningName, opening_of};

use turncoat_players::book::shipped_book;

use crate::{ApiFault, Code, GameText};

/// What a book is asked.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BookRequest {
    /// The game; its last position is looked up.
    pub game: GameText,
}

/// What a book says about a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BookView {
    /// Whether there is a book for this game and size.
    pub book: bool,
    /// Whether the position is in it.
    pub known: bool,
    /// The negamaxed score in discs for the mover.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub score: Option<f64>,
    /// How deep the position was searched.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions of the book from here on, at most 100,000.
    pub positions: usize,
    /// The opening: the last position of the game that has a name.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<OpeningNameView>,
    /// The moves that the book knows, best first.
    pub moves: Vec<BookMoveView>,
}

/// The name of an opening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OpeningNameView {
    /// The moves that lead to it.
    pub line: &'static str,
    /// In English.
    pub english: &'static str,
    /// In Chinese.
    pub chinese: &'static str,
    /// In Japanese.
    pub japanese: &'static str,
}

impl From<OpeningName> for OpeningNameView {
    fn from(OpeningName { line, english, chinese, japanese }: OpeningName) -> Self {
        Self { line, english, chinese, japanese }
    }
}

/// A move that a book knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BookMoveView {
    /// The move.
    #[serde(rename = "move")]
    pub label: String,
    /// In discs for the mover; none where games were counted and nothing was searched.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub score: Option<f64>,
    /// Plies searched.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions of the book behind it.
    pub positions: usize,
    /// The line that the book goes on with, as a transcript.
    pub line: String,
    /// Games with this move.
    pub games: u32,
    /// Those that the mover won.
    pub wins: u32,
    /// Those that were drawn.
    pub draws: u32,
    /// Those that the mover lost.
    pub losses: u32,
}

/// What the book that comes with the program says about the last position of a game.
///
/// # Errors
/// If the game cannot be read, or the book is damaged.
pub fn look_up(request: &BookRequest) -> Result<BookView, ApiFault> {
    let game = request.game.parse()?;
    let book =
        shipped_book(game.variant(), game.geometry()).map_err(|fault| ApiFault::new(Code::ServerFailed, fault))?;
    Ok(book_view(book.as_deref(), &game))
}

/// What a book says about the last position of a game.
pub fn book_view(book: Option<&Book>, game: &Game) -> BookView {
    let position = game.position();
    let name = opening_of(game).map(OpeningNameView::from);
    let fits = |book: &&Book| (book.variant(), book.geometry()) == (game.variant(), game.geometry());
    let Some(book) = book.filter(fits) else {
        return BookView {
            book: false,
            known: false,
            score: None,
            depth: 0,
            exact: false,
            positions: 0,
            name,
            moves: Vec::new(),
        };
    };
    let entry = book.find(position);
    let view = |known: BookMove| BookMoveView {
        label: position.geometry().label(known.square),
        score: known.value,
        depth: known.depth,
        exact: known.is_proven,
        positions: book.behind_move(position, known.square),
        line: line(book, position, known),
        games: known.games.games(),
        wins: known.games.wins,
        draws: known.games.draws,
        losses: known.games.losses,
    };
    BookView {
        book: true,
        known: entry.is_some(),
        score: entry.map(turncoat_book::Entry::value),
        depth: entry.map_or(0, turncoat_book::Entry::depth),
        exact: entry.is_some_and(turncoat_book::Entry::is_proven),
        positions: book.behind(position),
        name,
        moves: book.moves(position).into_iter().map(view).collect(),
    }
}

/// A move and the best line after it, as a transcript.
fn line(book: &Book, position: Position, known: BookMove) -> String {
    let after = position.play(known.square).map(|after| book.line(after)).unwrap_or_default();
    let squares = std::iter::once(known.square).chain(after.into_iter().filter_map(Move::square));
    squares.map(|square| position.geometry().label(square)).collect()
}
