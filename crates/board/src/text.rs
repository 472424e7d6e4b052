//! Positions and moves as text.
//!
//! A position is written row by row from a1, `X` black, `O` white, `-` empty, then a space and the side
//! to move. [`Cell`] lists the other characters that are read.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use crate::{Bitboard, Color, Geometry, Move, Position, Setup, SetupError};

/// What a character of a position's text says of its square.
///
/// ```
/// use turncoat_board::{Cell, Color};
///
/// assert_eq!(Cell::from_char('X'), Some(Cell::Disc(Color::Black)));
/// assert_eq!(Cell::from_char('.'), Some(Cell::Empty));
/// assert_eq!(Cell::from_char('?'), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// No disc: `-`, `.` or `_`.
    Empty,
    /// A disc: `X`, `*`, `B` or `@` is black, `O`, `0` or `W` white, letters in either case.
    Disc(Color),
}

impl Cell {
    /// The cell that this character stands for.
    pub const fn from_char(c: char) -> Option<Self> {
        match c {
            '-' | '.' | '_' => Some(Self::Empty),
            'X' | 'x' | '*' | 'B' | 'b' | '@' => Some(Self::Disc(Color::Black)),
            'O' | 'o' | '0' | 'W' | 'w' => Some(Self::Disc(Color::White)),
            _ => None,
        }
    }

    /// The colour of its disc, unless it is empty.
    pub const fn color(self) -> Option<Color> {
        match self {
            Self::Empty => None,
            Self::Disc(color) => Some(color),
        }
    }
}

impl Setup {
    /// Parses a set-up for a board of this size: its cells, white space, the side to move.
    ///
    /// # Errors
    /// If there are too few or too many cells, a character is unknown, or the side to move is missing; the error
    /// names the character.
    pub fn parse(text: &str, geometry: Geometry) -> Result<Self, ParsePositionError> {
        let area = usize::from(geometry.area());
        let mut rest = text.chars().enumerate().skip_while(|(_, c)| c.is_whitespace()).peekable();
        let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (cells, square) in geometry.cells().enumerate() {
            let too_short = ParsePositionFault::TooShort { cells, expected: area };
            let (place, c) = rest.next().ok_or_else(|| too_short.clone().at(text.chars().count()))?;
            match Cell::from_char(c) {
                Some(Cell::Empty) => {}
                Some(Cell::Disc(Color::Black)) => black |= Bitboard::from_square(square),
                Some(Cell::Disc(Color::White)) => white |= Bitboard::from_square(square),
                None if c.is_whitespace() => return Err(too_short.at(place)),
                None => return Err(ParsePositionFault::BadCell { found: c, square: geometry.label(square) }.at(place)),
            }
        }
        if let Some(&(place, c)) = rest.peek()
            && !c.is_whitespace()
        {
            return Err(ParsePositionFault::TooLong { expected: area }.at(place));
        }
        let mut rest = rest.skip_while(|(_, c)| c.is_whitespace());
        let side = match rest.next() {
            None => return Err(ParsePositionFault::NoSide.at(text.chars().count())),
            Some((place, c)) => Cell::from_char(c)
                .and_then(Cell::color)
                .ok_or_else(|| ParsePositionFault::BadSide { found: c }.at(place))?,
        };
        if let Some((place, c)) = rest.find(|(_, c)| !c.is_whitespace()) {
            return Err(ParsePositionFault::Trailing { found: c }.at(place));
        }
        Ok(Self { geometry, black, white, side })
    }
}

impl Position {
    /// Parses and checks a position for a board of this size.
    ///
    /// ```
    /// use turncoat_board::{Geometry, Position};
    ///
    /// let error = Position::parse("----OX--XO---- X", Geometry::FOUR).unwrap_err();
    /// assert_eq!(error.to_string(), "character 15: the board has 14 of its 16 cells");
    /// ```
    ///
    /// # Errors
    /// If [`Setup::parse`] or [`Setup::check`] fails.
    pub fn parse(text: &str, geometry: Geometry) -> Result<Self, ParsePositionError> {
        let setup = Setup::parse(text, geometry)?;
        setup.check().map_err(|error| ParsePositionFault::Invalid(error).at(0))
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Parses a position of any size: the number of its cells tells which.
    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let cells = text.split_whitespace().next().map_or(0, |word| word.chars().count());
        let size = Geometry::ALL.into_iter().find(|geometry| usize::from(geometry.area()) == cells);
        Self::parse(text, size.unwrap_or(Geometry::EIGHT))
    }
}

impl TryFrom<String> for Position {
    type Error = ParsePositionError;
    fn try_from(text: String) -> Result<Self, ParsePositionError> {
        text.parse()
    }
}

impl From<Position> for String {
    fn from(position: Position) -> Self {
        position.to_string()
    }
}

/// A fault in the text of a position, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsePositionError {
    /// The character (not byte) at which parsing stopped, counted from 0.
    pub place: usize,
    /// The fault.
    pub fault: ParsePositionFault,
}

/// A fault in the text of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsePositionFault {
    /// The text or its first word ends before the last cell.
    TooShort {
        /// Cells read.
        cells: usize,
        /// Cells of this size of board.
        expected: usize,
    },
    /// The first word continues after the last cell.
    TooLong {
        /// Cells of this size of board.
        expected: usize,
    },
    /// A character that is not a [`Cell`].
    BadCell {
        /// The character.
        found: char,
        /// Its square.
        square: String,
    },
    /// The text ends before the side to move.
    NoSide,
    /// The side to move is neither black nor white.
    BadSide {
        /// The character.
        found: char,
    },
    /// Something follows the side to move.
    Trailing {
        /// Its first character.
        found: char,
    },
    /// The text is well-formed, but the position is invalid.
    Invalid(SetupError),
}

impl ParsePositionFault {
    fn at(self, place: usize) -> ParsePositionError {
        ParsePositionError { place, fault: self }
    }
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            ParsePositionFault::Invalid(error) => error.fmt(f),
            fault => write!(f, "character {}: {fault}", self.place + 1),
        }
    }
}

impl fmt::Display for ParsePositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { cells, expected } => {
                write!(f, "the board has {cells} of its {expected} cells")
            }
            Self::TooLong { expected } => write!(f, "the board has more than its {expected} cells"),
            Self::BadCell { found, square } => {
                write!(f, "{found:?} on {square} is not a cell: X is black, O is white, - is empty")
            }
            Self::NoSide => f.write_str("the side to move is missing: a space and X or O after the cells"),
            Self::BadSide { found } => {
                write!(f, "{found:?} is not a side to move: X is black, O is white")
            }
            Self::Trailing { found } => write!(f, "{found:?} after the side to move, where the text should end"),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParsePositionError {}

impl Move {
    /// Parses a whole text as a move: a square of this board or a pass.
    ///
    /// ```
    /// use turncoat_board::{Geometry, Move};
    ///
    /// assert_eq!(Move::parse("PA", Geometry::EIGHT), Some(Move::Pass));
    /// assert_eq!(Move::parse("f5", Geometry::EIGHT), Geometry::EIGHT.square("f5").map(Move::Place));
    /// assert_eq!(Move::parse("f5", Geometry::FOUR), None);
    /// ```
    pub fn parse(text: &str, geometry: Geometry) -> Option<Self> {
        match Self::strip_pass(text) {
            Some("") => Some(Self::Pass),
            _ => geometry.square(text).map(Self::Place),
        }
    }

    /// The text after the pass that it begins with: `pass`, `--`, `ps` or `pa`, in either case.
    pub fn strip_pass(text: &str) -> Option<&str> {
        ["pass", "--", "ps", "pa"].into_iter().find_map(|word| {
            let (start, rest) = text.split_at_checked(word.len())?;
            start.eq_ignore_ascii_case(word).then_some(rest)
        })
    }
}
