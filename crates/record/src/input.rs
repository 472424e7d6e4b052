//! Any notation of a position: its text, a diagram, a transcript, `start`, OBF, GGF or a course log.

use thiserror::Error;
use turncoat_board::{Cell, Game, Geometry, ParsePositionError, Position, VariantKind};

use crate::diagram::{self, DiagramError};
use crate::file::{self, TextError};
use crate::obf::{self, ObfError};
use crate::transcript::{self, TranscriptError};
use crate::{chess_log, ggf};

/// Parses a position or the game that leads to it.
///
/// A transcript begins with a square or a pass, which may be numbered; GGF begins with `(;`, a course log with `[`. Two or
/// more lines of cells are a diagram, cells and a semicolon OBF, a single word of cells the text of a position. GGF, logs
/// and diagrams have their own size, and GGF its own variant; all else takes the given ones.
///
/// ```
/// use turncoat_board::{Geometry, VariantKind};
/// use turncoat_record::input;
///
/// let game = input::parse("f5d6", VariantKind::Reversed, Geometry::EIGHT).unwrap();
/// let text = game.position().to_string();
/// assert_eq!(input::parse(&text, VariantKind::Reversed, Geometry::EIGHT).unwrap().position(), game.position());
/// ```
///
/// # Errors
/// If the text has none of these notations, or is malformed or illegal in its own; the error names the place.
pub fn parse(text: &str, variant: VariantKind, geometry: Geometry) -> Result<Game, InputError> {
    let start = Position::start(geometry);
    let text = text.trim_end();
    if text.trim() == "start" {
        return Ok(Game::from_position(variant, start));
    }
    if text.trim().is_empty() {
        return Err(InputError::Empty);
    }
    if ggf::looks_like(text) || chess_log::looks_like(text) {
        let mut records = file::parse(text, variant)?;
        return match records.len() {
            1 => Ok(records.remove(0).game),
            count => Err(InputError::Many { count }),
        };
    }
    if diagram::looks_like(text) {
        return Ok(Game::from_position(variant, diagram::parse(text)?));
    }
    if transcript::looks_like(text) {
        return Ok(transcript::parse(text, variant, start)?);
    }
    if !looks_like_cells(text) {
        return Err(InputError::Unknown { found: text.trim_start().chars().take(20).collect() });
    }
    if text.contains(';') {
        let entry = obf::parse_line(text, geometry)?.ok_or(InputError::Empty)?;
        return Ok(Game::from_position(variant, entry.position));
    }
    Ok(Game::from_position(variant, Position::parse(text, geometry)?))
}

/// Whether a text is meant as the cells of a position: its first word is made of cells, or is long and mostly cells.
fn looks_like_cells(text: &str) -> bool {
    let word = text.trim_start().split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
    let count = word.chars().count();
    let cells = word.chars().filter(|&c| Cell::from_char(c).is_some()).count();
    cells == count || count >= 8 && 2 * cells > count
}

/// The notations, as errors list them.
const FORMS: &str = "a transcript (f5d6c3), a position (its cells row by row, a space, X or O), a board in 8, 6 or 4 lines, \
                     OBF, GGF, a chess_log or \"start\"";

/// Why an input cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputError {
    /// The input is empty.
    #[error("there is no position; one is written as {FORMS}")]
    Empty,
    /// It has none of the notations.
    #[error("{found:?} is not a position; one is written as {FORMS}")]
    Unknown {
        /// Its beginning.
        found: String,
    },
    /// It is a malformed diagram.
    #[error("not a board: {0}")]
    Diagram(#[from] DiagramError),
    /// It holds more than one game.
    #[error("one game is expected, and there are {count}")]
    Many {
        /// The number of games.
        count: usize,
    },
    /// It is malformed GGF or a malformed course log.
    #[error(transparent)]
    Game(#[from] TextError),
    /// It is the malformed text of a position.
    #[error("not a position: {0}")]
    Position(#[from] ParsePositionError),
    /// It is malformed OBF.
    #[error("not OBF: {0}")]
    Obf(#[from] ObfError),
    /// It is a malformed transcript.
    #[error("not a transcript: {0}")]
    Transcript(#[from] TranscriptError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_obf_is_its_position() {
        let read = |text: &str| parse(text, VariantKind::Reversed, Geometry::FOUR);
        let game = read("-----OX--XO----- X; A2:+4;").unwrap();
        assert_eq!(game.position(), Position::start(Geometry::FOUR));
        let error = read("-----OX--XO----- X; A1:+4;").unwrap_err();
        assert!(error.to_string().starts_with("not OBF: "), "{error}");
    }

    #[test]
    fn what_has_no_form_is_told_the_forms() {
        for text in ["hello", "hello;", "e9f5", "12", "héllo wörld"] {
            let error = parse(text, VariantKind::Reversed, Geometry::EIGHT).unwrap_err();
            assert!(matches!(&error, InputError::Unknown { found } if found == text), "{text}");
            assert!(error.to_string().contains("a transcript (f5d6c3)"), "{error}");
        }
        // What is meant as cells is told its own fault.
        for text in ["XO", "--------z-"] {
            let error = parse(text, VariantKind::Reversed, Geometry::EIGHT).unwrap_err();
            assert!(matches!(error, InputError::Position(_)), "{error}");
        }
    }

    #[test]
    fn a_board_in_lines_tells_its_size() {
        let four = "....\n.OX.\n.XO.\n....\n";
        let game = parse(four, VariantKind::Reversed, Geometry::EIGHT).unwrap();
        assert_eq!(game.position(), Position::start(Geometry::FOUR));
        let error = parse(&four.replace("XO.", "XO"), VariantKind::Reversed, Geometry::FOUR);
        assert_eq!(error.unwrap_err().to_string(), "not a board: line 3: the row has 3 cells instead of 4");
    }
}
