//! What commands take where they want a position: its text, a transcript, or `start`.

use thiserror::Error;
use turncoat_board::{Game, Geometry, Position, PositionTextError, VariantKind};

use crate::transcript::{self, TranscriptError};

/// Reads a position or the game that leads to it.
///
/// A transcript begins with a square's name or a written pass; anything else is read as the text of a
/// position. No other guesses are made.
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
    if transcript::looks_like(text) {
        return Ok(transcript::parse(text, variant, start)?);
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
    /// It is no text of a position.
    #[error("not a position: {0}")]
    Position(#[from] PositionTextError),
    /// It is no transcript.
    #[error("not a transcript: {0}")]
    Transcript(#[from] TranscriptError),
}
