//! What commands take where they want a position: its text, a transcript, `start`, OBF, GGF or a log of the course.

use thiserror::Error;
use turncoat_board::{Game, Geometry, Position, PositionTextError, VariantKind};

use crate::file::{self, TextError};
use crate::obf::{self, ObfError};
use crate::transcript::{self, TranscriptError};
use crate::{chess_log, ggf};

/// Reads a position or the game that leads to it.
///
/// A transcript begins with a square's name or a written pass, perhaps numbered, GGF with `(;`, the log of a game on the course's
/// platform with `[`; the text of a position with a semicolon after it is OBF; anything else is read as the text of a position. No other guesses are made. GGF says itself
/// which game it is, and both say on which size.
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
/// If it is neither; the error says what is wrong and where.
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
    if transcript::looks_like(text) {
        return Ok(transcript::parse(text, variant, start)?);
    }
    if text.contains(';') {
        let entry = obf::parse_line(text, geometry)?.ok_or(InputError::Empty)?;
        return Ok(Game::from_position(variant, entry.position));
    }
    Ok(Game::from_position(
        variant,
        Position::parse(text, geometry)?,
    ))
}

/// Why an input is no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputError {
    /// There is nothing.
    #[error(
        "there is no position: give its text (cells and side), a transcript (f5d6c3) or \"start\""
    )]
    Empty,
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
    Position(#[from] PositionTextError),
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
}
