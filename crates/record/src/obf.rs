//! OBF: positions with the scores of their moves, one per line.
//!
//! `<cells> <side>; A2:+38; C7:+36; …`, best first; `%` begins a comment. `PA` is the pass of a side that cannot move,
//! also in a finished game, whose score is written `PA:+12`.

use std::fmt::Write as _;
use std::io::BufRead;

use thiserror::Error;
use turncoat_board::{Geometry, Move, ParsePositionError, Position, Score};

use crate::lines::{LineError, Lines};

/// A position and the scores of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// Scores of moves for the mover, in the order of the file.
    pub scores: Vec<(Move, Score)>,
}

impl ScoredPosition {
    /// The highest score; `None` without scores.
    pub fn best(&self) -> Option<Score> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Parses one line; `None` if it is empty or a comment.
///
/// ```
/// use turncoat_board::Geometry;
/// use turncoat_record::obf;
///
/// let line = "---------------------------OX------XO--------------------------- X; D3:+2; F5:+0;";
/// let entry = obf::parse_line(line, Geometry::EIGHT).unwrap().unwrap();
/// assert_eq!(entry.best().unwrap().discs(), 2);
/// assert_eq!(obf::write(&entry), line);
/// assert_eq!(obf::parse_line("% a comment", Geometry::EIGHT), Ok(None));
/// ```
///
/// # Errors
/// If the position is malformed, a move is illegal or given twice, or a score is out of range.
pub fn parse_line(line: &str, geometry: Geometry) -> Result<Option<ScoredPosition>, ObfError> {
    let line = line.split('%').next().unwrap_or_default();
    if line.trim().is_empty() {
        return Ok(None);
    }
    let mut fields = line.split(';');
    let text = fields.next().unwrap_or_default();
    let position = Position::parse(text, geometry)?;
    let mut scores: Vec<(Move, Score)> = Vec::new();
    let mut place = text.chars().count() + 2;
    for field in fields {
        let text = field.trim();
        if !text.is_empty() {
            let place = place + field.chars().take_while(|c| c.is_whitespace()).count();
            let refused = |fault| ObfError::Field { place, field: text.chars().take(20).collect(), fault };
            let (played, score) = parse_score(text, position).map_err(refused)?;
            if scores.iter().any(|&(known, _)| known == played) {
                return Err(refused(FieldFault::Twice));
            }
            scores.push((played, score));
        }
        place += field.chars().count() + 1;
    }
    Ok(Some(ScoredPosition { position, scores }))
}

fn parse_score(field: &str, position: Position) -> Result<(Move, Score), FieldFault> {
    let geometry = position.geometry();
    let (label, discs) = field.split_once(':').ok_or(FieldFault::NoColon)?;
    let played = Move::parse(label.trim(), geometry).ok_or(FieldFault::NoMove)?;
    let legal = match played {
        Move::Place(square) => position.legal_moves().contains(square),
        Move::Pass => position.legal_moves().is_empty(),
    };
    if !legal {
        return Err(FieldFault::Illegal);
    }
    let discs: i32 = discs.trim().parse().map_err(|_| FieldFault::NoScore)?;
    let area = i32::from(geometry.area());
    match Score::new(discs) {
        Ok(score) if discs.abs() <= area => Ok((played, score)),
        _ => Err(FieldFault::ScoreOutOfRange { area }),
    }
}

/// Writes one line, without a newline.
pub fn write(entry: &ScoredPosition) -> String {
    let mut line = format!("{};", entry.position);
    for (played, score) in &entry.scores {
        let label = match played {
            Move::Place(square) => entry.position.geometry().label(*square).to_uppercase(),
            Move::Pass => "PA".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(line, " {label}:{score};");
    }
    line
}

/// Reads a stream: each position with its line number.
pub fn read<R: BufRead>(
    reader: R,
    geometry: Geometry,
) -> impl Iterator<Item = Result<(usize, ScoredPosition), ObfReadError>> {
    Lines::new(reader).filter_map(move |line| {
        let parsed = line.map_err(ObfReadError::Line).and_then(|(number, text)| {
            let entry = parse_line(&text, geometry).map_err(|source| ObfReadError::Obf { line: number, source })?;
            Ok(entry.map(|entry| (number, entry)))
        });
        parsed.transpose()
    })
}

/// A fault in a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ObfError {
    /// In its position.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// In one of its scores.
    #[error("character {place}: {field:?}: {fault}")]
    Field {
        /// The field's first character, counted from 1.
        place: usize,
        /// The field.
        field: String,
        /// The fault.
        fault: FieldFault,
    },
}

/// A fault in the score of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FieldFault {
    /// The colon is missing.
    #[error("a move, a colon and a score are expected, as in F5:+4")]
    NoColon,
    /// There is no move before the colon.
    #[error("this is neither a square of the board nor a pass")]
    NoMove,
    /// The move is illegal.
    #[error("this move is illegal")]
    Illegal,
    /// There is no whole number after the colon.
    #[error("the score is not a whole number")]
    NoScore,
    /// The score is beyond the board.
    #[error("the score is beyond the {area} squares of the board")]
    ScoreOutOfRange {
        /// The number of squares.
        area: i32,
    },
    /// The move has a score already.
    #[error("this move has a score already")]
    Twice,
}

/// Why a stream cannot be read.
#[derive(Debug, Error)]
pub enum ObfReadError {
    /// The stream fails.
    #[error(transparent)]
    Line(LineError),
    /// A line is malformed.
    #[error("line {line}, {source}")]
    Obf {
        /// Its number.
        line: usize,
        /// The fault.
        source: ObfError,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_their_place() {
        let start = Position::start(Geometry::EIGHT).to_string();
        let fault = |fields: &str| parse_line(&format!("{start};{fields}"), Geometry::EIGHT).unwrap_err().to_string();
        assert_eq!(fault(" D3:+2; D3:+4;"), "character 76: \"D3:+4\": this move has a score already");
        assert_eq!(fault(" A1:+2;"), "character 69: \"A1:+2\": this move is illegal");
        assert_eq!(fault(" PA:+2;"), "character 69: \"PA:+2\": this move is illegal");
        assert_eq!(fault(" J9:+2;"), "character 69: \"J9:+2\": this is neither a square of the board nor a pass");
        assert_eq!(fault(" D3:two;"), "character 69: \"D3:two\": the score is not a whole number");
        assert_eq!(fault(" D3:+66;"), "character 69: \"D3:+66\": the score is beyond the 64 squares of the board");
        assert_eq!(fault(" D3"), "character 69: \"D3\": a move, a colon and a score are expected, as in F5:+4");
    }

    #[test]
    fn a_pass_holds_the_score_of_a_side_that_cannot_move() {
        for line in ["XXXXXXXXXXXXOOOO X; PA:-8;", "XXXXXXXXXXXXXXX- O; PA:+16;", "-OXXXXXXXXXXXXXX O; PA:-8;"] {
            let entry = parse_line(line, Geometry::FOUR).unwrap().unwrap();
            assert_eq!(entry.scores[0].0, Move::Pass, "{line}");
            assert_eq!(write(&entry), line);
        }
    }

    #[test]
    fn a_stream_names_the_line() {
        let start = Position::start(Geometry::EIGHT);
        let text = format!("% comment\n\n{start}; D3:+0;\nrubbish\n");
        let read: Vec<_> = read(text.as_bytes(), Geometry::EIGHT).collect();
        assert_eq!(read[0].as_ref().unwrap().0, 3);
        assert_eq!(
            read[1].as_ref().unwrap_err().to_string(),
            "line 4, character 1: 'r' on a1 is not a cell: X is black, O is white, - is empty"
        );
        assert_eq!(read.len(), 2);
    }
}
