//! Diagrams: boards as people paste them, one row per line, with or without coordinates.
//!
//! ```text
//!   a b c d e f g h
//! 1 . . . . . . . . 1
//! 2 . . . . . . . . 2
//! …
//! Black to move
//! ```

use std::io::BufRead;

use thiserror::Error;
use turncoat_board::{Bitboard, Cell, Color, Geometry, Position, Setup, SetupError};

use crate::lines::{LineError, Lines};

/// Characters drawn between and around cells.
const DECORATION: &str = "|[]│┃║";

/// Words of a line about the side to move, such as "White's turn" or "Side to move: X".
const SIDE_WORDS: &[&str] = &["to", "move", "moves", "play", "turn", "next", "side", "s"];

/// Parses a board of 8, 6 or 4 rows.
///
/// Cells are those of [`Cell`], and `●` and `○`. `*` marks a legal move on an empty square, unless nothing else is black.
/// Coordinates, frames and disc counts are skipped. The side to move is on a line of its own (`X`, `white`, `Black to
/// move`); without one it is the side that moves after a game without passes, or the other if only that one can move.
///
/// ```
/// use turncoat_board::{Geometry, Position};
/// use turncoat_record::diagram;
///
/// let start = "  a b c d\n1 . . . .\n2 . O X .\n3 . X O .\n4 . . . .\n";
/// assert_eq!(diagram::parse(start), Ok(Position::start(Geometry::FOUR)));
/// ```
///
/// # Errors
/// If a line is not a row, the rows are not those of a board, or the position is invalid; the error names the line.
pub fn parse(text: &str) -> Result<Position, DiagramError> {
    let mut rows: Vec<String> = Vec::new();
    let mut side = None;
    for (line, text) in (1..).zip(text.lines()) {
        let expected = rows.first().map(|row| row.chars().count());
        match DiagramLine::parse(text) {
            DiagramLine::Ignored => {}
            DiagramLine::Side(color) => {
                if side.replace(color).is_some_and(|before| before != color) {
                    return Err(DiagramError::TwoSides { line });
                }
            }
            DiagramLine::Row { number, cells } => {
                let count = cells.chars().count();
                if let Some(expected) = expected.filter(|&expected| expected != count) {
                    return Err(DiagramError::Width { line, cells: count, expected });
                }
                rows.push(cells);
                if let Some(found) = number.filter(|&found| found != rows.len()) {
                    return Err(DiagramError::RowNumber { line, found, expected: rows.len() });
                }
            }
            DiagramLine::Other => return Err(not_a_row(line, text, expected)),
        }
    }
    build(&rows, side)
}

fn build(rows: &[String], side: Option<Color>) -> Result<Position, DiagramError> {
    let width = rows.first().map_or(0, |row| row.chars().count());
    let geometry = u8::try_from(width)
        .ok()
        .filter(|_| rows.len() == width)
        .and_then(|side| Geometry::from_side(side).ok())
        .ok_or(DiagramError::Rows { rows: rows.len(), width })?;
    let cells: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    let other_black = cells.iter().any(|&c| c != '*' && cell(c) == Some(Cell::Disc(Color::Black)));
    let mut discs = [Bitboard::EMPTY; 2];
    for (square, &c) in geometry.cells().zip(&cells) {
        if let Some(Cell::Disc(color)) = cell(c).filter(|_| !(c == '*' && other_black)) {
            discs[color as usize] |= Bitboard::from_square(square);
        }
    }
    let [black, white] = discs;
    let by_count = if (black | white).count().is_multiple_of(2) { Color::Black } else { Color::White };
    let setup = Setup { geometry, black, white, side: side.unwrap_or(by_count) };
    let position = setup.check().map_err(DiagramError::Setup)?;
    Ok(if side.is_none() && position.must_pass() { position.pass() } else { position })
}

/// Whether a text is meant as a diagram: two of its lines are rows.
pub fn looks_like(text: &str) -> bool {
    let is_row = |line: &&str| matches!(DiagramLine::parse(line), DiagramLine::Row { .. });
    text.lines().filter(is_row).nth(1).is_some()
}

/// A line of a diagram.
enum DiagramLine {
    /// An empty line, column names, a frame, or disc counts.
    Ignored,
    Side(Color),
    /// Cells, and the number beside them.
    Row {
        number: Option<usize>,
        cells: String,
    },
    Other,
}

impl DiagramLine {
    fn parse(line: &str) -> Self {
        let line = line.trim();
        if line.is_empty() || is_frame(line) || is_header(line) {
            return Self::Ignored;
        }
        let (number, cells) = numbered(line);
        if matches!(cells.chars().count(), 4 | 6 | 8) && cells.chars().all(|c| cell(c).is_some()) {
            return Self::Row { number, cells };
        }
        match named(line) {
            Some([true, true]) => Self::Ignored,
            Some([true, false]) => Self::Side(Color::Black),
            Some([false, true]) => Self::Side(Color::White),
            _ => Self::Other,
        }
    }
}

/// The number of a row, and its cells without coordinates and decoration.
fn numbered(line: &str) -> (Option<usize>, String) {
    let plain: String = line.chars().filter(|&c| !c.is_whitespace() && !DECORATION.contains(c)).collect();
    let is_number = |c: char| ('1'..='8').contains(&c);
    let number = [plain.chars().next(), plain.chars().last()]
        .into_iter()
        .flatten()
        .find(|&c| is_number(c))
        .and_then(|c| c.to_digit(10))
        .map(|number| number as usize);
    let cells = plain.strip_prefix(is_number).unwrap_or(&plain);
    let cells = cells.strip_suffix(is_number).unwrap_or(cells);
    (number, cells.to_owned())
}

fn is_frame(line: &str) -> bool {
    let drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    line.starts_with("+-") && line.ends_with("-+") && line.chars().all(|c| "+-".contains(c)) || line.chars().all(drawn)
}

/// Whether a line names the columns: `a b c d` or `1 2 3 4`.
fn is_header(line: &str) -> bool {
    let names: String = line.chars().filter(|c| !c.is_whitespace() && !DECORATION.contains(*c)).collect();
    names.len() >= 4 && ["abcdefgh", "12345678"].iter().any(|all| all.starts_with(&names.to_ascii_lowercase()))
}

/// The colours that a line about the side to move names; `None` if it is about something else.
fn named(line: &str) -> Option<[bool; 2]> {
    let mut named = [false; 2];
    let has_word = line.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 1);
    if !has_word && line.chars().count() > 1 {
        return None; // A row with too many cells or too few.
    }
    let words = line.split(|c: char| !c.is_alphanumeric() && cell(c).is_none_or(|cell| cell == Cell::Empty));
    for word in words.filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        let color = match (letters.next(), letters.next()) {
            (Some(letter), None) => cell(letter).and_then(Cell::color).filter(|_| letter != '0'),
            _ => Color::BOTH.into_iter().find(|color| word.eq_ignore_ascii_case(&color.to_string())),
        };
        if let Some(color) = color {
            named[color as usize] = true;
        } else if !SIDE_WORDS.contains(&word.to_ascii_lowercase().as_str()) && word.parse::<u8>().is_err() {
            return None;
        }
    }
    Some(named)
}

/// The cell that a character stands for.
fn cell(c: char) -> Option<Cell> {
    match c {
        '●' | '⚫' => Some(Cell::Disc(Color::Black)),
        '○' | '⚪' => Some(Cell::Disc(Color::White)),
        // `+` marks legal moves in our own drawings.
        '·' | '+' => Some(Cell::Empty),
        _ => Cell::from_char(c),
    }
}

fn not_a_row(line: usize, text: &str, expected: Option<usize>) -> DiagramError {
    let (_, cells) = numbered(text);
    let known = cells.chars().filter(|&c| cell(c).is_some()).count();
    let count = cells.chars().count();
    match cells.chars().find(|&c| cell(c).is_none()) {
        Some(found) if 2 * known > count => DiagramError::BadCell { line, found },
        None => DiagramError::Width { line, cells: count, expected: expected.unwrap_or(8) },
        _ => DiagramError::NoRow { line, found: text.trim().chars().take(20).collect() },
    }
}

/// A fault in a diagram.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// A character is not a cell.
    #[error("line {line}: {found:?} is not a cell: X is black, O is white, . is empty")]
    BadCell {
        /// The line, counted from 1.
        line: usize,
        /// The character.
        found: char,
    },
    /// A row is longer or shorter than the others.
    #[error("line {line}: the row has {cells} cells instead of {expected}")]
    Width {
        /// The line, counted from 1.
        line: usize,
        /// Its cells.
        cells: usize,
        /// Cells of the first row.
        expected: usize,
    },
    /// The board is not a square of a known size.
    #[error("the board has {rows} rows of {width} cells; boards are 8x8, 6x6 or 4x4")]
    Rows {
        /// Rows read.
        rows: usize,
        /// Cells of a row.
        width: usize,
    },
    /// The rows are numbered in another order: row 1 is at the top.
    #[error("line {line}: this is row {expected}, and it is numbered {found}")]
    RowNumber {
        /// The line, counted from 1.
        line: usize,
        /// The number beside it.
        found: usize,
        /// Its row.
        expected: usize,
    },
    /// A line is neither a row nor the side to move.
    #[error("line {line}: {found:?} is neither a row of the board nor the side to move")]
    NoRow {
        /// The line, counted from 1.
        line: usize,
        /// Its text.
        found: String,
    },
    /// Two lines name different sides.
    #[error("line {line}: an earlier line says that the other side moves")]
    TwoSides {
        /// The second of them, counted from 1.
        line: usize,
    },
    /// The position is invalid.
    #[error(transparent)]
    Setup(SetupError),
}

/// Reads a stream like [`Lines`], but yields the lines of a diagram together, up to an empty line, with the number of the
/// first.
#[derive(Debug)]
pub struct Blocks<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Blocks<R> {
    /// Blocks of this reader.
    pub const fn new(reader: R) -> Self {
        Self { lines: Lines::new(reader) }
    }
}

impl<R: BufRead> Iterator for Blocks<R> {
    type Item = Result<(usize, String), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (first, mut block) = match self.lines.next()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        if block.trim().is_empty() || matches!(DiagramLine::parse(&block), DiagramLine::Other) {
            return Some(Ok((first, block)));
        }
        for line in self.lines.by_ref() {
            match line {
                Ok((_, text)) if text.trim().is_empty() => break,
                Ok((_, text)) => block = block + "\n" + &text,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok((first, block)))
    }
}

#[cfg(test)]
mod tests;
