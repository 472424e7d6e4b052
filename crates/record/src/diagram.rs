//! Boards drawn in lines, as people paste them: a line a row, with or without coordinates.
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

/// What programs draw between and around cells.
const DECORATION: &str = "|[]│┃║";

/// Words of a line about the side to move, such as "White's turn" or "Side to move: X".
const SIDE_WORDS: &[&str] = &["to", "move", "moves", "play", "turn", "next", "side", "s"];

/// Reads a board of 8, 6 or 4 lines.
///
/// Cells are those of the text of a position, `●` and `○` too. `*` is an empty square that is marked as a legal move, unless
/// nothing else is black. Coordinates, frames and counts of discs are passed over. Who moves stands on a line of its own (`X`,
/// `white`, `Black to move`); without one it is who would move in a game without passes, or the other side if only that one
/// can.
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
/// If a line is no row, there are too few or too many, or they are no position; the error names the line.
pub fn parse(text: &str) -> Result<Position, DiagramError> {
    let mut rows: Vec<String> = Vec::new();
    let mut side = None;
    for (line, text) in (1..).zip(text.lines()) {
        let expected = rows.first().map(|row| row.chars().count());
        match Kind::of(text) {
            Kind::Ignored => {}
            Kind::Side(color) => {
                if side.replace(color).is_some_and(|before| before != color) {
                    return Err(DiagramError::TwoSides { line });
                }
            }
            Kind::Row { number, cells } => {
                let count = cells.chars().count();
                if let Some(expected) = expected.filter(|&expected| expected != count) {
                    return Err(DiagramError::Width { line, cells: count, expected });
                }
                rows.push(cells);
                if let Some(found) = number.filter(|&found| found != rows.len()) {
                    return Err(DiagramError::RowNumber { line, found, expected: rows.len() });
                }
            }
            Kind::Other => return Err(not_a_row(line, text, expected)),
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

/// Whether a text is meant as a board in lines: two of them are rows.
pub fn looks_like(text: &str) -> bool {
    let is_row = |line: &&str| matches!(Kind::of(line), Kind::Row { .. });
    text.lines().filter(is_row).nth(1).is_some()
}

/// What a line of a diagram is.
enum Kind {
    /// Nothing, the names of the columns, a frame, or the counts of both colours.
    Ignored,
    Side(Color),
    /// Cells with the number that stands beside them.
    Row {
        number: Option<usize>,
        cells: String,
    },
    Other,
}

impl Kind {
    fn of(line: &str) -> Self {
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

/// The cells of a row without coordinates and decoration, and its number.
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

/// `a b c d` or `1 2 3 4`, the names of the columns.
fn is_header(line: &str) -> bool {
    let names: String = line.chars().filter(|c| !c.is_whitespace() && !DECORATION.contains(*c)).collect();
    names.len() >= 4 && ["abcdefgh", "12345678"].iter().any(|all| all.starts_with(&names.to_ascii_lowercase()))
}

/// Which colours a line about the side to move names; `None` if it is about something else.
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

/// What a character says of a square: a disc or none.
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

/// Why a drawn board is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// A character of a row stands for nothing.
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
    /// The board is no square of a known size.
    #[error("the board has {rows} rows of {width} cells; boards are 8x8, 6x6 or 4x4")]
    Rows {
        /// Rows read.
        rows: usize,
        /// Cells of a row.
        width: usize,
    },
    /// The rows are numbered in another order: row 1 is the topmost.
    #[error("line {line}: this is row {expected}, and it is numbered {found}")]
    RowNumber {
        /// The line, counted from 1.
        line: usize,
        /// The number beside it.
        found: usize,
        /// Which row it is.
        expected: usize,
    },
    /// A line is neither a row nor the side to move.
    #[error("line {line}: {found:?} is neither a row of the board nor the side to move")]
    NoRow {
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Two lines name different sides.
    #[error("line {line}: another line says that the other side moves")]
    TwoSides {
        /// The second of them, counted from 1.
        line: usize,
    },
    /// The discs are no position.
    #[error(transparent)]
    Setup(SetupError),
}

/// Reads a stream as [`Lines`], but the lines of a drawn board come together, up to the next empty one, with the number of
/// the first.
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
        if block.trim().is_empty() || matches!(Kind::of(&block), Kind::Other) {
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
mod tests {
    use super::*;

    /// The start of the full board after f5, drawn with these cells.
    fn drawn(black: char, white: char, empty: char) -> String {
        let text = "--------\n--------\n--------\n---OX---\n---XXX--\n--------\n--------\n--------";
        let draw = |c| match c {
            'X' => black,
            'O' => white,
            '-' => empty,
            other => other,
        };
        text.chars().map(draw).collect()
    }

    fn after_f5() -> Position {
        let start = Position::start(Geometry::EIGHT);
        start.play(Geometry::EIGHT.square("f5").unwrap()).unwrap()
    }

    #[test]
    fn every_alphabet_is_read() {
        for cells in ["XO.", "xo-", "BW_", "@O.", "*O-", "XO*", "BW*", "●○·", "@O+"] {
            let [black, white, empty] = cells.chars().collect::<Vec<_>>()[..] else { unreachable!() };
            let text = drawn(black, white, empty);
            assert!(looks_like(&text), "{text}");
            assert_eq!(parse(&text), Ok(after_f5()), "{text}");
        }
    }

    #[test]
    fn coordinates_frames_and_counts_are_passed_over() {
        let rows = drawn('X', 'O', '.');
        let spaced = |row: &str| row.chars().map(|c| format!(" {c}")).collect::<String>();
        let mut numbered = "    a b c d e f g h\n".to_owned();
        let mut framed = "+---------------+\n".to_owned();
        for (number, row) in (1..).zip(rows.lines()) {
            numbered += &format!("{number} {} {number}\n", spaced(row));
            framed += &format!("|{}|\n", spaced(row).trim());
        }
        numbered += "    a b c d e f g h\n   X black 4   O white 1\nWhite to move";
        framed += "+---------------+\r\n";
        assert_eq!(parse(&numbered), Ok(after_f5()));
        assert_eq!(parse(&framed), Ok(after_f5()));
    }

    #[test]
    fn the_side_to_move_is_written_or_follows_from_the_discs() {
        let rows = drawn('X', 'O', '.');
        for (line, color) in [
            ("", Color::White),
            ("X", Color::Black),
            ("black to move", Color::Black),
            ("Black's turn", Color::Black),
            ("Side to move: O", Color::White),
            ("next: white", Color::White),
            ("○ to play", Color::White),
        ] {
            assert_eq!(parse(&format!("{rows}\n{line}")).unwrap().side(), color, "{line}");
            assert_eq!(parse(&format!("{line}\n{rows}")).unwrap().side(), color, "{line}");
        }
        // Five discs, so white's turn without a pass, but white has no move.
        let stuck = parse("XX..\n....\n....\nXXO.").unwrap();
        assert_eq!(stuck.side(), Color::Black);
    }

    #[test]
    fn small_boards_tell_their_size() {
        let four = "....\n.OX.\n.XO.\n....";
        assert_eq!(parse(four), Ok(Position::start(Geometry::FOUR)));
        let six = "......\n......\n..OX..\n..XO..\n......\n......";
        assert_eq!(parse(six), Ok(Position::start(Geometry::SIX)));
    }

    #[test]
    fn faults_have_their_line() {
        let fault = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(fault("....\n.OX.\n.XZ.\n...."), "line 3: 'Z' is not a cell: X is black, O is white, . is empty");
        assert_eq!(fault("....\n.OX.\n.XO..\n...."), "line 3: the row has 5 cells instead of 4");
        assert_eq!(fault("....\n.OX.\n. X O . .\n...."), "line 3: the row has 5 cells instead of 4");
        assert_eq!(fault("....\n.OX.\n.XO."), "the board has 3 rows of 4 cells; boards are 8x8, 6x6 or 4x4");
        assert_eq!(fault("4 ....\n3 .XO.\n2 .OX.\n1 ...."), "line 1: this is row 1, and it is numbered 4");
        assert_eq!(
            fault("....\n.OX.\nsee below\n.XO.\n...."),
            "line 3: \"see below\" is neither a row of the board nor the side to move"
        );
        assert_eq!(fault("X\n....\n.OX.\n.XO.\n....\nwhite"), "line 6: another line says that the other side moves");
        assert_eq!(fault("....\n....\n....\n...."), "the board has no discs");
    }

    #[test]
    fn lines_of_a_board_come_together() {
        let four = "....\n.OX.\n.XO.\n....";
        let text = format!("f5d6\nc4c3\n\n{four}\nX\n\nstart\n{}\n", Position::start(Geometry::FOUR));
        let blocks: Vec<_> =
            Blocks::new(text.as_bytes()).map(Result::unwrap).filter(|(_, text)| !text.is_empty()).collect();
        let numbers: Vec<_> = blocks.iter().map(|&(number, _)| number).collect();
        assert_eq!(numbers, [1, 2, 4, 10, 11]);
        assert_eq!(blocks[2].1, format!("{four}\nX"));
    }
}
