//! A game with its history.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::{Color, Geometry, Position, Score, Square, VariantKind};

/// A turn of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Option<Square>", into = "Option<Square>")
)]
pub enum Move {
    /// Places a disc.
    Place(Square),
    /// Passes, for lack of a legal move.
    Pass,
}

impl Move {
    /// The square of the disc; `None` for a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Place(square) => Some(square),
            Self::Pass => None,
        }
    }

    /// `f5` or `pass`.
    pub fn label(self, geometry: Geometry) -> String {
        self.square().map_or_else(|| "pass".to_owned(), |square| geometry.label(square))
    }
}

impl From<Option<Square>> for Move {
    fn from(square: Option<Square>) -> Self {
        square.map_or(Self::Pass, Self::Place)
    }
}

impl From<Move> for Option<Square> {
    fn from(played: Move) -> Self {
        played.square()
    }
}

/// A game from any position, with undo and redo.
///
/// ```
/// use turncoat_board::{Game, Geometry, Move, VariantKind};
///
/// let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
/// let f5 = Geometry::EIGHT.square("f5").unwrap();
/// game.play(Move::Place(f5)).unwrap();
/// assert!(game.play(Move::Pass).is_err());
/// assert_eq!(game.undo(), Some(Move::Place(f5)));
/// assert_eq!(game.redo(), Some(Move::Place(f5)));
/// assert_eq!(game.redo(), None);
/// ```
#[derive(Debug, Clone)]
pub struct Game {
    variant: VariantKind,
    /// The start, then the position after each move, undone ones included.
    positions: Vec<Position>,
    /// All moves, undone ones included; one less than positions.
    moves: Vec<Move>,
    /// The moves that are not undone.
    made: usize,
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Color>,
    /// Black's score.
    pub score: Score,
}

impl Game {
    /// A game from the usual start.
    pub fn new(variant: VariantKind, geometry: Geometry) -> Self {
        Self::from_position(variant, Position::start(geometry))
    }

    /// A game from this position.
    pub fn from_position(variant: VariantKind, start: Position) -> Self {
        Self { variant, positions: vec![start], moves: Vec::new(), made: 0 }
    }

    /// The variant.
    pub const fn variant(&self) -> VariantKind {
        self.variant
    }

    /// The size.
    pub fn geometry(&self) -> Geometry {
        self.start().geometry()
    }

    /// The first position.
    pub fn start(&self) -> Position {
        self.positions[0]
    }

    /// The current position.
    pub fn position(&self) -> Position {
        self.positions[self.made]
    }

    /// The moves made so far, passes among them.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.made]
    }

    /// The number of discs placed so far: moves without passes.
    pub fn placed(&self) -> usize {
        let placed = |played: &&Move| played.square().is_some();
        self.moves().iter().filter(placed).count()
    }

    /// The positions so far: the start and the one after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions[..=self.made]
    }

    /// Makes a move and drops the undone ones.
    ///
    /// # Errors
    /// [`IllegalMove`] with the reason; the game is unchanged.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        let position = self.position();
        let illegal = |fault| IllegalMove { label: played.label(position.geometry()), fault, side: position.side() };
        let next = match played {
            _ if position.is_over() => return Err(illegal(IllegalMoveFault::GameOver)),
            Move::Pass if position.must_pass() => position.pass(),
            Move::Pass => return Err(illegal(IllegalMoveFault::MovesExist)),
            Move::Place(square) => position.play(square).ok_or_else(|| {
                illegal(match position.at(square) {
                    Some(color) => IllegalMoveFault::Occupied(color),
                    None if position.must_pass() => IllegalMoveFault::MustPass,
                    None => IllegalMoveFault::FlipsNothing,
                })
            })?,
        };
        self.moves.truncate(self.made);
        self.positions.truncate(self.made + 1);
        self.moves.push(played);
        self.positions.push(next);
        self.made += 1;
        Ok(())
    }

    /// Undoes the last move and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.made = self.made.checked_sub(1)?;
        Some(self.moves[self.made])
    }

    /// Makes the move that was undone last again and returns it.
    pub fn redo(&mut self) -> Option<Move> {
        let again = *self.moves.get(self.made)?;
        self.made += 1;
        Some(again)
    }

    /// The outcome, once neither side can move.
    pub fn outcome(&self) -> Option<Outcome> {
        let score = self.position().final_score(self.variant, Color::Black)?;
        let winner = match score.discs().signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        Some(Outcome { winner, score })
    }
}

/// A move that the rules forbid, and the reason.
///
/// ```
/// use turncoat_board::{Color, Game, Geometry, IllegalMoveFault, Move, VariantKind};
///
/// let mut game = Game::new(VariantKind::Reversi, Geometry::EIGHT);
/// let d4 = Move::parse("d4", Geometry::EIGHT).unwrap();
/// let illegal = game.play(d4).unwrap_err();
/// assert_eq!(illegal.fault, IllegalMoveFault::Occupied(Color::White));
/// assert_eq!(illegal.to_string(), "d4 is already occupied by white");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move: `f5` or `pass`.
    pub label: String,
    /// The side to move.
    pub side: Color,
    /// The reason.
    pub fault: IllegalMoveFault,
}

/// Why the rules forbid a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalMoveFault {
    /// The game is over.
    GameOver,
    /// A pass where there are legal moves.
    MovesExist,
    /// The side has no legal move and must pass.
    MustPass,
    /// A disc of this colour is on the square.
    Occupied(Color),
    /// The move would flip nothing.
    FlipsNothing,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, side, fault } = self;
        match fault {
            IllegalMoveFault::GameOver => write!(f, "{label}: the game is over"),
            IllegalMoveFault::MovesExist => {
                write!(f, "{label}: {side} has a legal move and may not pass")
            }
            IllegalMoveFault::MustPass => {
                write!(f, "{label}: {side} has no legal move and must pass")
            }
            IllegalMoveFault::Occupied(color) => {
                write!(f, "{label} is already occupied by {color}")
            }
            IllegalMoveFault::FlipsNothing => {
                write!(f, "{label}: {side} would flip no discs there")
            }
        }
    }
}

impl core::error::Error for IllegalMove {}
