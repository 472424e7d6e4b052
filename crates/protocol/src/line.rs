//! `line`: a position in, a move out. For scripts.
//!
//! The question is the text of a position, the answer `d3`, `pass`, or `error: …`.

use thiserror::Error;
use turncoat_board::{Geometry, Move, ParsePositionError, Position};

use crate::shown;

/// Parses a question; `None` if the line is empty.
///
/// ```
/// use turncoat_board::{Geometry, Position};
/// use turncoat_protocol::line;
///
/// let start = Position::start(Geometry::EIGHT);
/// assert_eq!(line::parse_question(&line::write_question(start), Geometry::EIGHT), Ok(Some(start)));
/// ```
///
/// # Errors
/// If it is not a position.
pub fn parse_question(line: &str, geometry: Geometry) -> Result<Option<Position>, ParsePositionError> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    Position::parse(line, geometry).map(Some)
}

/// A question.
pub fn write_question(position: Position) -> String {
    position.to_string()
}

/// Parses an answer.
///
/// # Errors
/// If it is not a move, or the program reports an error.
pub fn parse_answer(line: &str, geometry: Geometry) -> Result<Move, LineError> {
    let text = line.trim();
    Move::parse(text, geometry).ok_or_else(|| match text.split_once(':') {
        Some(("error", fault)) => LineError::Said(shown(fault.trim())),
        _ => LineError::NoMove(shown(text)),
    })
}

/// An answer.
pub fn write_answer(played: Move, geometry: Geometry) -> String {
    played.label(geometry)
}

/// The answer to a question that cannot be answered; always one line.
pub fn write_error(fault: &str) -> String {
    format!("error: {}", fault.replace(['\n', '\r'], " "))
}

/// Why an answer is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// It is something else.
    #[error("{0:?} is not a move")]
    NoMove(String),
    /// The program complains.
    #[error("the program says: {0}")]
    Said(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_moves_passes_or_complaints() {
        let read = |text| parse_answer(text, Geometry::EIGHT);
        assert_eq!(read(" F5 \r"), Ok(Move::Place(Geometry::EIGHT.square("f5").unwrap())));
        assert_eq!(read("pass"), Ok(Move::Pass));
        assert_eq!(read("f5 d6"), Err(LineError::NoMove("f5 d6".to_owned())));
        assert_eq!(read("error: dizzy"), Err(LineError::Said("dizzy".to_owned())));
        assert_eq!(write_error("a\nb"), "error: a b");
    }
}
