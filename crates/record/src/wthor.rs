//! WTHOR, the database of the French federation: games (`.wtb`), players (`.jou`), tournaments (`.trn`).
//!
//! Binary and little-endian; names are Latin-1, padded with zeros. Games are Reversi from the start, without passes.

use thiserror::Error;
use turncoat_board::{Game, Geometry, IllegalMove, Move, Square, VariantKind};

use crate::Record;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER_NAME: usize = 20;
const TOURNAMENT_NAME: usize = 26;

/// The header of every file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    /// The date of the file: century, year of the century, month, day.
    pub made: [u8; 4],
    /// The number of games.
    pub games: u32,
    /// The number of names.
    pub names: u16,
    /// The year of the games.
    pub year: u16,
    /// Squares a side; 0 stands for 8.
    pub size: u8,
    /// 1 for solitaires.
    pub kind: u8,
    /// The number of empties from which the theoretical score is known.
    pub depth: u8,
}

/// A game of the database.
#[derive(Debug, Clone)]
pub struct WthorGame {
    /// The number of its tournament.
    pub tournament: u16,
    /// The number of the black player.
    pub black: u16,
    /// The number of the white player.
    pub white: u16,
    /// Black's discs at the end, the empty squares counted for the winner.
    pub score: u8,
    /// Black's discs with perfect play from the header's depth.
    pub theoretical: u8,
    /// The moves.
    pub game: Game,
}

/// A file of games.
#[derive(Debug, Clone)]
pub struct Database {
    /// The header.
    pub header: Header,
    /// The games.
    pub games: Vec<WthorGame>,
}

impl Database {
    /// The games with their names looked up; a number without a name is written `#7`.
    pub fn records<'a>(
        &'a self,
        players: &'a [String],
        tournaments: &'a [String],
    ) -> impl Iterator<Item = Record> + 'a {
        let name = |names: &[String], number: u16| {
            names.get(usize::from(number)).cloned().unwrap_or_else(|| format!("#{number}"))
        };
        self.games.iter().map(move |entry| Record {
            game: entry.game.clone(),
            black: name(players, entry.black),
            white: name(players, entry.white),
            event: name(tournaments, entry.tournament),
            date: self.header.year.to_string(),
        })
    }
}

/// Parses a `.wtb` file.
///
/// # Errors
/// If the file is too short, holds solitaires or another board, or a game has an illegal move.
pub fn parse_games(bytes: &[u8]) -> Result<Database, WthorError> {
    let header = parse_header(bytes)?;
    if !matches!(header.size, 0 | 8) {
        return Err(WthorError::Size { size: header.size });
    }
    if header.kind == 1 {
        return Err(WthorError::Solitaires);
    }
    let body = body(bytes, header.games as usize, GAME)?;
    let games =
        body.chunks_exact(GAME).zip(1..).map(|(chunk, number)| parse_game(chunk, number)).collect::<Result<_, _>>()?;
    Ok(Database { header, games })
}

/// Parses the names of a `.jou` file.
///
/// # Errors
/// If the file is too short.
pub fn parse_players(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    parse_names(bytes, PLAYER_NAME)
}

/// Parses the names of a `.trn` file.
///
/// # Errors
/// If the file is too short.
pub fn parse_tournaments(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    parse_names(bytes, TOURNAMENT_NAME)
}

fn parse_names(bytes: &[u8], length: usize) -> Result<Vec<String>, WthorError> {
    let header = parse_header(bytes)?;
    // Some files count their names in the field for games.
    let count = usize::from(header.names).max(header.games as usize);
    let body = body(bytes, count, length)?;
    Ok(body.chunks_exact(length).map(latin1).collect())
}

fn latin1(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    let text: String = bytes[..end].iter().map(|&b| char::from(b)).collect();
    text.trim().to_owned()
}

fn parse_header(bytes: &[u8]) -> Result<Header, WthorError> {
    let Some(head) = bytes.first_chunk::<HEADER>() else {
        return Err(WthorError::Short { bytes: bytes.len(), expected: HEADER });
    };
    let header = Header {
        made: [head[0], head[1], head[2], head[3]],
        games: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
        names: u16::from_le_bytes([head[8], head[9]]),
        year: u16::from_le_bytes([head[10], head[11]]),
        size: head[12],
        kind: head[13],
        depth: head[14],
    };
    Ok(header)
}

/// The bytes after the header: this many parts of this length.
fn body(bytes: &[u8], count: usize, length: usize) -> Result<&[u8], WthorError> {
    let expected = count.checked_mul(length).and_then(|body| body.checked_add(HEADER)).unwrap_or(usize::MAX);
    bytes.get(HEADER..expected).ok_or(WthorError::Short { bytes: bytes.len(), expected })
}

fn parse_game(chunk: &[u8], number: usize) -> Result<WthorGame, WthorError> {
    let word = |at: usize| u16::from_le_bytes([chunk[at], chunk[at + 1]]);
    let mut game = Game::new(VariantKind::Reversi, Geometry::EIGHT);
    for (&byte, place) in chunk[8..].iter().take_while(|&&byte| byte != 0).zip(1..) {
        let square = square(byte).ok_or(WthorError::NoMove { game: number, place, byte })?;
        let illegal = |source| WthorError::Illegal { game: number, place, source };
        if game.position().must_pass() {
            game.play(Move::Pass).map_err(illegal)?;
        }
        game.play(Move::Place(square)).map_err(illegal)?;
    }
    Ok(WthorGame { tournament: word(0), black: word(2), white: word(4), score: chunk[6], theoretical: chunk[7], game })
}

/// 11 is a1, 18 is h1, 81 is a8.
fn square(byte: u8) -> Option<Square> {
    Square::from_coordinates((byte / 10).checked_sub(1)?, (byte % 10).checked_sub(1)?)
}

/// Writes a `.wtb` file.
///
/// # Errors
/// If a game is not Reversi from the 8x8 start.
pub fn write_games(database: &Database) -> Result<Vec<u8>, WthorError> {
    let header = Header { games: u32::try_from(database.games.len()).unwrap_or(u32::MAX), ..database.header };
    let mut bytes = Vec::with_capacity(HEADER + GAME * database.games.len());
    bytes.extend(header.made);
    bytes.extend(header.games.to_le_bytes());
    bytes.extend(header.names.to_le_bytes());
    bytes.extend(header.year.to_le_bytes());
    bytes.extend([header.size, header.kind, header.depth, 0]);
    for (entry, number) in database.games.iter().zip(1..) {
        let usual = Game::new(VariantKind::Reversi, Geometry::EIGHT);
        if entry.game.start() != usual.start() || entry.game.variant() != usual.variant() {
            return Err(WthorError::Unwritable { game: number });
        }
        for word in [entry.tournament, entry.black, entry.white] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend([entry.score, entry.theoretical]);
        let squares = entry.game.moves().iter().filter_map(|played| played.square());
        let mut moves = [0; 60];
        for (byte, square) in moves.iter_mut().zip(squares) {
            *byte = 10 * (square.row() + 1) + square.column() + 1;
        }
        bytes.extend(moves);
    }
    Ok(bytes)
}

/// A fault in a file, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WthorError {
    /// It is too short.
    #[error("the file has {bytes} bytes, and its header promises {expected}")]
    Short {
        /// Its length.
        bytes: usize,
        /// The length that its header promises.
        expected: usize,
    },
    /// Its board is not 8x8.
    #[error("the games are on a board of {size} squares a side, not 8")]
    Size {
        /// Squares a side.
        size: u8,
    },
    /// It holds solitaires.
    #[error("these are solitaires, not games")]
    Solitaires,
    /// A byte is not a square.
    #[error("game {game}, move {place}: {byte} is not a square")]
    NoMove {
        /// The game, counted from 1.
        game: usize,
        /// The move, counted from 1.
        place: usize,
        /// The byte.
        byte: u8,
    },
    /// A move is illegal.
    #[error("game {game}, move {place}: {source}")]
    Illegal {
        /// The game, counted from 1.
        game: usize,
        /// The move, counted from 1.
        place: usize,
        /// The reason.
        source: IllegalMove,
    },
    /// A game cannot be written.
    #[error("game {game} is not Reversi from the 8x8 start, and WTHOR holds nothing else")]
    Unwritable {
        /// The game, counted from 1.
        game: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript;

    fn names(length: usize, all: &[&str]) -> Vec<u8> {
        let mut bytes = vec![20, 24, 1, 31, 0, 0, 0, 0, all.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        for name in all {
            let mut field: Vec<u8> = name.chars().map(|c| c as u8).collect();
            field.resize(length, 0);
            bytes.extend(field);
        }
        bytes
    }

    fn file(moves: &[u8]) -> Vec<u8> {
        let mut bytes = vec![20, 24, 1, 31, 1, 0, 0, 0, 0, 0, 0xd3, 7, 8, 0, 22, 0];
        bytes.extend([1, 0, 0, 0, 2, 0, 33, 32]);
        bytes.extend(moves);
        bytes.resize(HEADER + GAME, 0);
        bytes
    }

    #[test]
    fn games_come_with_their_names() {
        let bytes = file(&[56, 64, 33]);
        let database = parse_games(&bytes).unwrap();
        assert_eq!(database.header.year, 2003);
        let players = parse_players(&names(20, &["Nobody", "Tamenori", "Andr\u{e9}"])).unwrap();
        let tournaments = parse_tournaments(&names(26, &["?", "World Championship"])).unwrap();
        let record = database.records(&players, &tournaments).next().unwrap();
        assert_eq!(transcript::write(&record.game), "f5d6c3");
        assert_eq!(
            (record.black.as_str(), record.white.as_str(), record.event.as_str()),
            ("Nobody", "André", "World Championship")
        );
        assert_eq!(write_games(&database), Ok(bytes));
    }

    #[test]
    fn faults_have_their_place() {
        let fault = |bytes: &[u8]| parse_games(bytes).unwrap_err().to_string();
        assert_eq!(fault(&[1, 2]), "the file has 2 bytes, and its header promises 16");
        assert_eq!(fault(&file(&[])[..40]), "the file has 40 bytes, and its header promises 84");
        assert_eq!(fault(&file(&[56, 90])), "game 1, move 2: 90 is not a square");
        assert!(fault(&file(&[11])).starts_with("game 1, move 1: a1: "));
    }
}
