//! Transcripts: games as a row of moves, `f5d6c3`, without passes.

use thiserror::Error;
use turncoat_board::{Game, Geometry, IllegalMove, Move, Position, VariantKind};

/// Parses a game from this position.
///
/// Moves may be in either case with white space between them. Passes are made where the rules require them and may be
/// written too (`pass`, `--`, `ps`, `PA`). Move numbers (`1. f5 d6 2. c3`) are skipped.
///
/// ```
/// use turncoat_board::{Geometry, Position, VariantKind};
/// use turncoat_record::transcript;
///
/// let start = Position::start(Geometry::EIGHT);
/// let game = transcript::parse("F5 d6c3", VariantKind::Reversed, start).unwrap();
/// assert_eq!(transcript::write(&game), "f5d6c3");
/// let error = transcript::parse("f5d6a1", VariantKind::Reversed, start).unwrap_err();
/// assert_eq!(error.to_string(), "character 5, move 3: a1: black would flip no discs there");
/// ```
///
/// # Errors
/// If something is not a move, or a move is illegal; the error names the character and the move.
pub fn parse(text: &str, variant: VariantKind, start: Position) -> Result<Game, TranscriptError> {
    let geometry = start.geometry();
    let mut game = Game::from_position(variant, start);
    let mut rest = after_number(text.trim_start());
    while !rest.is_empty() {
        let place = text[..text.len() - rest.len()].chars().count() + 1;
        let next = next_move(rest, geometry);
        if next.is_some_and(|(played, _)| played != Move::Pass) && game.position().must_pass() {
            let passed = game.play(Move::Pass);
            debug_assert!(passed.is_ok(), "a pass where the rules require one");
        }
        let number = game.placed() + 1;
        let (played, after) = next.ok_or_else(|| TranscriptError::NoMove {
            place,
            number,
            found: rest.chars().take_while(|c| !c.is_whitespace()).take(4).collect(),
            geometry,
        })?;
        game.play(played).map_err(|source| TranscriptError::Illegal { place, number, source })?;
        rest = after_number(after.trim_start());
    }
    Ok(game)
}

/// The text after the move number that it may begin with: up to three digits, then dots.
fn after_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    if (1..=3).contains(&digits) && rest.starts_with('.') { rest.trim_start_matches('.').trim_start() } else { text }
}

/// The move at the beginning of the text, and the text after it.
fn next_move(text: &str, geometry: Geometry) -> Option<(Move, &str)> {
    if let Some(rest) = Move::strip_pass(text) {
        return Some((Move::Pass, rest));
    }
    let (label, rest) = text.split_at_checked(2)?;
    geometry.square(label).map(|square| (Move::Place(square), rest))
}

/// Whether a text is meant as a transcript: it begins with a square or a pass, possibly numbered.
pub fn looks_like(text: &str) -> bool {
    let text = after_number(text.trim_start());
    let begins = |name: &str| text.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
    begins("pa") || begins("ps") || text.get(..2).is_some_and(|t| Geometry::EIGHT.square(t).is_some())
}

/// Writes the moves made so far, without passes.
pub fn write(game: &Game) -> String {
    let squares = game.moves().iter().filter_map(|played| played.square());
    squares.map(|square| game.geometry().label(square)).collect()
}

/// A fault in a transcript, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// Something is not a move.
    #[error("character {place}, move {number}: {found:?} is neither a square of the {geometry} board nor a pass")]
    NoMove {
        /// The character, counted from 1.
        place: usize,
        /// The move, counted from 1 without passes.
        number: usize,
        /// The text there.
        found: String,
        /// The size of the board.
        geometry: Geometry,
    },
    /// A move is illegal.
    #[error("character {place}, move {number}: {source}")]
    Illegal {
        /// The character, counted from 1.
        place: usize,
        /// The move, counted from 1 without passes.
        number: usize,
        /// The reason.
        source: IllegalMove,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest wipe-out of the 8x8 board.
    const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

    fn read(text: &str) -> Result<Game, TranscriptError> {
        parse(text, VariantKind::Reversed, Position::start(Geometry::EIGHT))
    }

    #[test]
    fn a_wiped_out_side_has_won_the_reversed_game() {
        let game = read(WIPE_OUT).unwrap();
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome.score.discs(), -64);
        let error = read(&format!("{WIPE_OUT}a1")).unwrap_err().to_string();
        assert_eq!(error, "character 19, move 10: a1: the game is over");
    }

    #[test]
    fn moves_may_be_numbered() {
        let plain = read("f5d6c3d3").unwrap();
        for text in ["1. f5 d6 2. c3 d3", "1.f5 1...d6 2.c3d3", "1. f5 2. d6 3. c3 4. d3 5."] {
            assert!(looks_like(text), "{text}");
            assert_eq!(read(text).unwrap().moves(), plain.moves(), "{text}");
        }
        for text in ["1 f5", "1234. f5", ". f5", "1.. 2. f5"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(
            read("1. f5 d6 2. x9").unwrap_err().to_string(),
            "character 13, move 3: \"x9\" is neither a square of the 8x8 board nor a pass"
        );
    }

    #[test]
    fn faults_have_their_place() {
        assert_eq!(
            read("f5 d6 x9").unwrap_err().to_string(),
            "character 7, move 3: \"x9\" is neither a square of the 8x8 board nor a pass"
        );
        assert_eq!(read("f5f5").unwrap_err().to_string(), "character 3, move 2: f5 is already occupied by black");
        assert_eq!(
            read("f5pass").unwrap_err().to_string(),
            "character 3, move 2: pass: white has a legal move and may not pass"
        );
        assert!(read("é5").is_err());
        assert!(read("f").is_err());
    }
}
