//! What commands take where they want a position: its text, a board in lines, a transcript, `start`, OBF, GGF or a log of
//! the course.

use thiserror::Error;
use turncoat_board::{Cell, Game, Geometry, ParsePositionError, Position, VariantKind};

use crate::diagram::{self, DiagramError};
use crate::file::{self, TextError};
use crate::obf::{self, ObfError};
use crate::transcript::{self, TranscriptError};
use crate::{chess_log, ggf};

/// Reads a position or the game that leads to it.
///
/// A transcript begins with a square's name or a written pass, perhaps numbered, GGF with `(;`, the log of a game on the
/// course's platform with `[`; two or more lines of cells are a board; cells with a semicolon after them are OBF; a word of cells is
/// the text of a position. No other guesses are made. GGF says itself which game it is, and it, logs and
/// boards in lines say on which size.
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
/// If it is none of them; the error says what is wrong and where, or which forms there are.
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

/// Whether a text is meant as the cells of a position: its first word has no other letters, or is long and has few.
fn looks_like_cells(text: &str) -> bool {
    let word = text.trim_start().split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
    let count = word.chars().count();
    let cells = word.chars().filter(|&c| Cell::from_char(c).is_some()).count();
    cells == count || count >= 8 && 2 * cells > count
}

/// The forms of a position, for whoever wrote something else.
const FORMS: &str = "a transcript (f5d6c3), a position (its cells row by row, a space, X or O), a board in 8, 6 or 4 lines, \
                     OBF, GGF, a chess_log or \"start\"";

/// Why an input is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputError {
    /// There is nothing.
    #[error("there is no position; one is written as {FORMS}")]
    Empty,
    /// It has none of the forms.
    #[error("{found:?} is not a position; one is written as {FORMS}")]
    Unknown {
        /// How it begins.
        found: String,
    },
    /// It is no board in lines.
    #[error("not a board: {0}")]
    Diagram(#[from] DiagramError),
    /// There is more than one game.
    #[error("{count} games are here, and one is wanted")]
    Many {
        /// How many.
        count: usize,
    },
    /// It is no game in one of the formats of games.
    #[error(transparent)]
    Game(#[from] TextError),
    /// It is no text of a position.
    #[error("not a position: {0}")]
    Position(#[from] ParsePositionError),
    /// It is no line of OBF.
    #[error("not OBF: {0}")]
    Obf(#[from] ObfError),
    /// It is no transcript.
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
