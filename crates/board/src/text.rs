//! Reading positions and moves.
//!
//! A position is written row by row from a1, `X` black, `O` white, `-` empty, then a space and the side
//! to move. Other people's letters are understood too.

use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Color, Geometry, Move, Position, Setup, SetupError};

/// Characters read as a black disc; the first is the one written.
pub const CELLS_OF_BLACK: &str = "Xx*Bb@";
/// Characters read as a white disc.
pub const CELLS_OF_WHITE: &str = "Oo0Ww";
/// Characters read as an empty square.
pub const CELLS_OF_EMPTY: &str = "-._";

fn color_of(letter: char) -> Option<Color> {
    if CELLS_OF_BLACK.contains(letter) {
        Some(Color::Black)
    } else if CELLS_OF_WHITE.contains(letter) {
        Some(Color::White)
    } else {
        None
    }
}

impl Setup {
    /// Reads a set-up for a board of this size: its cells, white space, the side to move.
    ///
    /// # Errors
    /// If the text is anything else; the error says what is wrong and at which character.
    pub fn parse(text: &str, geometry: Geometry) -> Result<Self, PositionTextError> {
        let area = usize::from(geometry.area());
        let mut rest = text.chars().enumerate().skip_while(|(_, c)| c.is_whitespace()).peekable();
        let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (read, square) in geometry.cells().enumerate() {
            let fault = match rest.next() {
                Some((_, c)) if CELLS_OF_EMPTY.contains(c) => continue,
                Some((place, c)) => match color_of(c) {
                    Some(Color::Black) => {
                        black |= Bitboard::of(square);
                        continue;
                    }
                    Some(Color::White) => {
                        white |= Bitboard::of(square);
                        continue;
                    }
                    None if c.is_whitespace() => PositionTextFault::TooShort { cells: read, expected: area }.at(place),
                    None => PositionTextFault::BadCell { found: c, square: geometry.label(square) }.at(place),
                },
                None => PositionTextFault::TooShort { cells: read, expected: area }.at(text.chars().count()),
            };
            return Err(fault);
        }
        if let Some(&(place, c)) = rest.peek()
            && !c.is_whitespace()
        {
            return Err(PositionTextFault::TooLong { expected: area }.at(place));
        }
        let mut rest = rest.skip_while(|(_, c)| c.is_whitespace());
        let side = match rest.next() {
            None => return Err(PositionTextFault::NoSide.at(text.chars().count())),
            Some((place, c)) => color_of(c).ok_or_else(|| PositionTextFault::BadSide { found: c }.at(place))?,
        };
        if let Some((place, c)) = rest.find(|(_, c)| !c.is_whitespace()) {
            return Err(PositionTextFault::Trailing { found: c }.at(place));
        }
        Ok(Self { geometry, black, white, side })
    }
}

impl Position {
    /// Reads and checks a position for a board of this size.
    ///
    /// ```
    /// use turncoat_board::{Geometry, Position};
    ///
    /// let error = Position::parse("----OX--XO---- X", Geometry::FOUR).unwrap_err();
    /// assert_eq!(error.to_string(), "character 15: the board has 14 of its 16 cells");
    /// ```
    ///
    /// # Errors
    /// If the text cannot be read or is no valid position.
    pub fn parse(text: &str, geometry: Geometry) -> Result<Self, PositionTextError> {
        let setup = Setup::parse(text, geometry)?;
        setup.check().map_err(|error| PositionTextFault::Invalid(error).at(0))
    }
}

impl FromStr for Position {
    type Err = PositionTextError;

    /// Reads a position of any size: the number of its cells tells which.
    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        let cells = text.split_whitespace().next().map_or(0, |word| word.chars().count());
        let size = Geometry::ALL.into_iter().find(|geometry| usize::from(geometry.area()) == cells);
        Self::parse(text, size.unwrap_or(Geometry::EIGHT))
    }
}

impl TryFrom<String> for Position {
    type Error = PositionTextError;
    fn try_from(text: String) -> Result<Self, PositionTextError> {
        text.parse()
    }
}

impl From<Position> for String {
    fn from(position: Position) -> Self {
        position.to_string()
    }
}

/// What is wrong with the text of a position, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionTextError {
    /// The character (not byte) at which reading stopped, counted from 0.
    pub place: usize,
    /// What is wrong there.
    pub fault: PositionTextFault,
}

/// What can be wrong with the text of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionTextFault {
    /// The text or its first word ends before the last cell.
    TooShort {
        /// Cells read.
        cells: usize,
        /// Cells of this size of board.
        expected: usize,
    },
    /// The first word goes on after the last cell.
    TooLong {
        /// Cells of this size of board.
        expected: usize,
    },
    /// A character that stands for no disc and for no empty square.
    BadCell {
        /// The character.
        found: char,
        /// The square that it should describe.
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
    /// The text was read, but it is no position.
    Invalid(SetupError),
}

impl PositionTextFault {
    fn at(self, place: usize) -> PositionTextError {
        PositionTextError { place, fault: self }
    }
}

impl fmt::Display for PositionTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            PositionTextFault::Invalid(error) => error.fmt(f),
            fault => write!(f, "character {}: {fault}", self.place + 1),
        }
    }
}

impl fmt::Display for PositionTextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { cells, expected } => {
                write!(f, "the board has {cells} of its {expected} cells")
            }
            Self::TooLong { expected } => write!(f, "the board has more than its {expected} cells"),
            Self::BadCell { found, square } => {
                write!(f, "{found:?} on {square} is no cell: X is black, O is white, - is empty")
            }
            Self::NoSide => f.write_str("the side to move is missing: a space and X or O after the cells"),
            Self::BadSide { found } => {
                write!(f, "{found:?} is no side to move: X is black, O is white")
            }
            Self::Trailing { found } => write!(f, "{found:?} after the side to move, where the text should end"),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionTextError {}

/// Reads a pass at the beginning of the text: `pass`, `--`, `ps` or `pa`, in either case. Returns its
/// length in bytes.
pub fn parse_pass(text: &str) -> Option<usize> {
    ["pass", "--", "ps", "pa"]
        .into_iter()
        .find(|word| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
        .map(str::len)
}

/// Reads one whole move: a square of this board or a pass.
///
/// ```
/// use turncoat_board::{Geometry, Move, parse_move};
///
/// assert_eq!(parse_move("PA", Geometry::EIGHT), Some(Move::Pass));
/// assert_eq!(parse_move("f5", Geometry::EIGHT), Geometry::EIGHT.square("f5").map(Move::Place));
/// assert_eq!(parse_move("f5", Geometry::FOUR), None);
/// ```
pub fn parse_move(text: &str, geometry: Geometry) -> Option<Move> {
    if parse_pass(text) == Some(text.len()) {
        return Some(Move::Pass);
    }
    geometry.square(text).map(Move::Place)
}
