//! `chess_log.txt`, the download of the course platform: a JSON array of boards, one after each placed disc.
//!
//! Black is -1, white 1, empty 0. Neither the start nor passes are recorded: both follow from the rules.

use thiserror::Error;
use turncoat_board::{Bitboard, Color, Game, Geometry, Move, Position, Square, VariantKind};

/// The longest log that is read, in bytes: far more than sixty boards need.
pub const LONGEST: usize = 1 << 20;

/// Whether a text is meant as a log: it begins with a bracket.
pub fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Parses a game; a side without a legal move passes.
///
/// ```
/// use turncoat_board::{Geometry, VariantKind};
/// use turncoat_record::{chess_log, transcript};
///
/// let log = "[[[0,0,0,0],[0,1,-1,0],[0,-1,-1,-1],[0,0,0,0]]]";
/// let game = chess_log::parse(log, VariantKind::Reversed).unwrap();
/// assert_eq!(transcript::write(&game), "d3");
/// assert_eq!(chess_log::write(&game), log);
/// ```
///
/// # Errors
/// If the text is too long or not an array of boards, or a board does not follow from the one before it by a legal move.
pub fn parse(text: &str, variant: VariantKind) -> Result<Game, ChessLogError> {
    if text.len() > LONGEST {
        return Err(ChessLogError::TooLong);
    }
    let boards: Vec<Vec<Vec<f64>>> = serde_json::from_str(text)
        .map_err(|error| ChessLogError::NotBoards { line: error.line(), column: error.column() })?;
    let side = boards.first().map_or(8, Vec::len);
    let geometry =
        u8::try_from(side).ok().and_then(|side| Geometry::from_side(side).ok()).ok_or(ChessLogError::Size { side })?;
    let mut game = Game::new(variant, geometry);
    for (number, board) in (1..).zip(&boards) {
        let discs = discs(board, geometry).ok_or(ChessLogError::NotABoard { number })?;
        follow(&mut game, discs).ok_or(ChessLogError::DoesNotFollow { number })?;
    }
    Ok(game)
}

/// Black's and white's discs; `None` if the board is malformed.
fn discs(board: &[Vec<f64>], geometry: Geometry) -> Option<[Bitboard; 2]> {
    let side = usize::from(geometry.side());
    if board.len() != side || board.iter().any(|row| row.len() != side) {
        return None;
    }
    let mut discs = [Bitboard::EMPTY; 2];
    for (square, &value) in geometry.cells().zip(board.iter().flatten()) {
        let cells = Bitboard::from_square(square);
        // Some platforms' logs hold floating-point numbers.
        match value {
            -1.0 => discs[Color::Black as usize] |= cells,
            1.0 => discs[Color::White as usize] |= cells,
            0.0 => {}
            _ => return None,
        }
    }
    Some(discs)
}

/// Plays the move that leads to these discs, after a pass where the rules require one.
fn follow(game: &mut Game, discs: [Bitboard; 2]) -> Option<()> {
    let before = game.position();
    let occupied = before.discs(Color::Black) | before.discs(Color::White);
    let square: Square = ((discs[0] | discs[1]) & !occupied).first()?;
    if before.must_pass() {
        game.play(Move::Pass).ok()?;
    }
    game.play(Move::Place(square)).ok()?;
    let after = game.position();
    (both(after) == discs).then_some(())
}

fn both(position: Position) -> [Bitboard; 2] {
    [position.discs(Color::Black), position.discs(Color::White)]
}

/// Writes a game, which should begin with the usual start.
pub fn write(game: &Game) -> String {
    let placed = game.moves().iter().zip(&game.positions()[1..]);
    let boards: Vec<String> =
        placed.filter(|(played, _)| played.square().is_some()).map(|(_, position)| write_board(*position)).collect();
    format!("[{}]", boards.join(","))
}

/// The rows of a board as JSON.
fn write_board(position: Position) -> String {
    let cells: Vec<&str> = position
        .geometry()
        .cells()
        .map(|square| match position.at(square) {
            Some(Color::Black) => "-1",
            Some(Color::White) => "1",
            None => "0",
        })
        .collect();
    let rows: Vec<String> =
        cells.chunks(usize::from(position.geometry().side())).map(|row| format!("[{}]", row.join(","))).collect();
    format!("[{}]", rows.join(","))
}

/// A fault in a log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChessLogError {
    /// It is longer than [`LONGEST`].
    #[error("the log is longer than {LONGEST} bytes")]
    TooLong,
    /// It is not an array of boards.
    #[error("line {line}, column {column}: an array of boards, each an array of rows, is expected")]
    NotBoards {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// The first board has an unknown size.
    #[error("the first board has {side} rows: boards have 8, 6 or 4")]
    Size {
        /// Its rows.
        side: usize,
    },
    /// A board is malformed.
    #[error("board {number}: rows of -1, 0 and 1, as many as columns, are expected")]
    NotABoard {
        /// Which one, counted from 1.
        number: usize,
    },
    /// A board does not follow from the one before.
    #[error("board {number} does not follow from the one before it by one legal move")]
    DoesNotFollow {
        /// Which one, counted from 1.
        number: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript;

    #[test]
    fn a_whole_game_with_passes_comes_back() {
        // Playing the first legal move leads to passes.
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        while game.outcome().is_none() {
            let position = game.position();
            let played = position.legal_moves().first().map_or(Move::Pass, Move::Place);
            game.play(played).unwrap();
        }
        assert!(game.moves().contains(&Move::Pass));
        let again = parse(&write(&game), VariantKind::Reversed).unwrap();
        assert_eq!(transcript::write(&again), transcript::write(&game));
        assert_eq!(again.position().is_over(), game.position().is_over());
    }

    #[test]
    fn faults_have_their_place() {
        let fault = |text: &str| parse(text, VariantKind::Reversed).unwrap_err().to_string();
        assert!(fault("f5").starts_with("line 1, column 2: an array of boards"));
        assert_eq!(fault("[[[0]]]"), "the first board has 1 rows: boards have 8, 6 or 4");
        let start = "[[0,0,0,0],[0,1,-1,0],[0,-1,1,0],[0,0,0,0]]";
        assert_eq!(fault(&format!("[{start}]")), "board 1 does not follow from the one before it by one legal move");
        let bad = start.replace("-1", "7");
        assert!(fault(&format!("[{bad}]")).starts_with("board 1: rows of -1, 0 and 1"));
    }
}
