//! Positions before they are checked.

use alloc::string::String;
use core::fmt;

use crate::{Bitboard, Board, Color, Geometry, Position};

/// An unchecked position; [`Setup::check`] turns it into a [`Position`].
///
/// ```
/// use turncoat_board::{Bitboard, Color, Geometry, Setup, SetupError};
///
/// let setup = Setup {
///     geometry: Geometry::SIX,
///     black: Bitboard(0),
///     white: Bitboard(0),
///     side: Color::Black,
/// };
/// assert_eq!(setup.check(), Err(SetupError::NoDiscs));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// The size of the board.
    pub geometry: Geometry,
    /// Black's discs.
    pub black: Bitboard,
    /// White's discs.
    pub white: Bitboard,
    /// The side to move.
    pub side: Color,
}

impl Setup {
    /// The valid position. It need not be reachable from the start, so that puzzles and editors can use it.
    ///
    /// # Errors
    /// If a square has two discs, a disc is off the board, or there are no discs.
    pub fn check(self) -> Result<Position, SetupError> {
        let label = |set: Bitboard| set.first().map(|s| Geometry::EIGHT.label(s)).unwrap_or_default();
        let doubled = self.black & self.white;
        let outside = (self.black | self.white) & !self.geometry.squares();
        if !outside.is_empty() {
            return Err(SetupError::OffBoard { square_of_word: label(outside), geometry: self.geometry });
        }
        if !doubled.is_empty() {
            let square = doubled.first().map(|s| self.geometry.label(s)).unwrap_or_default();
            return Err(SetupError::TwoDiscs { square });
        }
        if (self.black | self.white).is_empty() {
            return Err(SetupError::NoDiscs);
        }
        let (mover, other) = match self.side {
            Color::Black => (self.black, self.white),
            Color::White => (self.white, self.black),
        };
        Ok(Position::new(Board::new_disjoint(mover, other), self.side, self.geometry))
    }
}

/// Why a set-up is not a valid position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetupError {
    /// The board is empty.
    NoDiscs,
    /// A square holds a disc of each colour.
    TwoDiscs {
        /// Its name.
        square: String,
    },
    /// A disc lies outside a small board.
    OffBoard {
        /// The square's name on the full word.
        square_of_word: String,
        /// The size of the board.
        geometry: Geometry,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDiscs => f.write_str("the board has no discs"),
            Self::TwoDiscs { square } => write!(f, "{square} has a black and a white disc"),
            Self::OffBoard { square_of_word, geometry } => {
                write!(f, "square {square_of_word} of the 8x8 word is not on a {geometry} board")
            }
        }
    }
}

impl core::error::Error for SetupError {}
