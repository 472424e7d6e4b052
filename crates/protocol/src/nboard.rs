//! NBoard, version 2: what Othello front ends say to their engines, and what the engines answer.
//!
//! Lines without numbers or echoes; unknown ones are ignored on both sides. Evaluations are those of the side
//! to move.

use std::fmt::Write as _;

use thiserror::Error;
use turncoat_board::{Geometry, Move};
use turncoat_record::ggf::{self, Ggf, GgfError, Note};

use crate::shown;

/// What a front end says.
#[derive(Debug, Clone)]
pub enum Command {
    /// The version it speaks; comes first.
    NBoard(u32),
    /// Look this far ahead.
    SetDepth(u32),
    /// The game as it stands.
    SetGame(Box<Ggf>),
    /// How much a draw is disliked.
    SetContempt(i32),
    /// A move was made.
    Move(Move, Note),
    /// Judge the best moves, this many.
    Hint(u32),
    /// Choose a move.
    Go,
    /// Stop, and say so.
    Ping(u64),
    /// Learn the game.
    Learn,
    /// Judge every position of the game.
    Analyze,
    /// End.
    Quit,
}

/// Parses a command for a board of this size; `None` if it is unknown, and so to be ignored.
///
/// ```
/// use turncoat_board::Geometry;
/// use turncoat_protocol::nboard::{self, Command};
///
/// let read = |line| nboard::parse_command(line, Geometry::EIGHT);
/// assert!(matches!(read("hint 4"), Ok(Some(Command::Hint(4)))));
/// assert!(matches!(read("move F5/-1.00/3.5"), Ok(Some(Command::Move(_, _)))));
/// assert!(matches!(read("dance"), Ok(None)));
/// assert!(read("move Z9").is_err());
/// ```
///
/// # Errors
/// If the command is known and what follows it is wrong.
pub fn parse_command(line: &str, geometry: Geometry) -> Result<Option<Command>, NboardError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let number = |what: &'static str| -> Result<u64, NboardError> {
        rest.parse().map_err(|_| NboardError::NoNumber { what, found: shown(rest) })
    };
    let small = |what| number(what).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    Ok(Some(match word.to_ascii_lowercase().as_str() {
        "nboard" => Command::NBoard(small("nboard")?),
        "set" => return parse_set(rest),
        "move" => {
            let (played, note) = ggf::parse_noted(rest, geometry).ok_or_else(|| NboardError::NoMove(shown(rest)))?;
            Command::Move(played, note)
        }
        "hint" => Command::Hint(small("hint")?),
        "go" => Command::Go,
        "ping" => Command::Ping(number("ping")?),
        "learn" => Command::Learn,
        "analyze" => Command::Analyze,
        "quit" => Command::Quit,
        _ => return Ok(None),
    }))
}

fn parse_set(rest: &str) -> Result<Option<Command>, NboardError> {
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let value = value.trim();
    let no_number = |what| NboardError::NoNumber { what, found: shown(value) };
    Ok(Some(match name.to_ascii_lowercase().as_str() {
        "depth" => Command::SetDepth(value.parse().map_err(|_| no_number("set depth"))?),
        "contempt" => Command::SetContempt(value.parse().map_err(|_| no_number("set contempt"))?),
        "game" => {
            let game = ggf::parse(value)?.into_iter().next();
            match game {
                Some(game) => Command::SetGame(Box::new(game)),
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}

/// A command as a line, without its end.
pub fn write_command(command: &Command, geometry: Geometry) -> String {
    match command {
        Command::NBoard(version) => format!("nboard {version}"),
        Command::SetDepth(depth) => format!("set depth {depth}"),
        Command::SetGame(game) => format!("set game {}", ggf::write(game)),
        Command::SetContempt(contempt) => format!("set contempt {contempt}"),
        Command::Move(played, note) => {
            format!("move {}", ggf::write_noted(*played, *note, geometry))
        }
        Command::Hint(count) => format!("hint {count}"),
        Command::Go => "go".to_owned(),
        Command::Ping(number) => format!("ping {number}"),
        Command::Learn => "learn".to_owned(),
        Command::Analyze => "analyze".to_owned(),
        Command::Quit => "quit".to_owned(),
    }
}

/// How deep a line was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// So many plies.
    Plies(u32),
    /// To the end, for the exact score.
    Exact,
    /// To the end, for who wins.
    Winner,
}

/// A line that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The moves.
    pub moves: Vec<Move>,
    /// What the first is worth, in discs for the mover.
    pub eval: f64,
    /// How deep.
    pub depth: Depth,
}

/// What an engine says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// What it is called.
    MyName(String),
    /// What it is doing; empty when it does nothing.
    Status(String),
    /// Positions and seconds.
    NodeStats(u64, f64),
    /// It has stopped and is up to date.
    Pong(u64),
    /// A line it has looked at.
    Search(Line),
    /// A line it knows.
    Book(Line),
    /// The move it chose.
    Chosen(Move, Note),
    /// It has learned the game.
    Learned,
    /// The value of the position after so many moves.
    Analysis(usize, f64),
}

/// A reply as a line, without its end.
pub fn write_reply(reply: &Reply, geometry: Geometry) -> String {
    match reply {
        Reply::MyName(name) => format!("set myname {}", one_line(name)),
        Reply::Status(text) => format!("status {}", one_line(text)).trim_end().to_owned(),
        Reply::NodeStats(nodes, seconds) => format!("nodestats {nodes} {seconds:.3}"),
        Reply::Pong(number) => format!("pong {number}"),
        Reply::Search(line) => {
            let (moves, depth) = (write_moves(&line.moves, geometry), write_depth(line.depth));
            format!("search {moves} {:.2} 0 {depth}", line.eval)
        }
        Reply::Book(line) => {
            let (moves, depth) = (write_moves(&line.moves, geometry), write_depth(line.depth));
            format!("book {moves} {:.2} 0 {depth}", line.eval)
        }
        Reply::Chosen(played, note) => {
            format!("=== {}", ggf::write_noted(*played, *note, geometry))
        }
        Reply::Learned => "learned".to_owned(),
        Reply::Analysis(made, eval) => format!("analysis {made} {eval:.2}"),
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn write_moves(moves: &[Move], geometry: Geometry) -> String {
    let mut text = String::new();
    for played in moves {
        // Writing to a string cannot fail.
        let _ = match played {
            Move::Place(square) => write!(text, "{}", geometry.label(*square).to_uppercase()),
            Move::Pass => write!(text, "PA"),
        };
    }
    text
}

fn write_depth(depth: Depth) -> String {
    match depth {
        Depth::Plies(plies) => plies.to_string(),
        Depth::Exact => "100%".to_owned(),
        Depth::Winner => "100%W".to_owned(),
    }
}

/// Parses a reply for a board of this size; `None` if it is unknown, and so to be ignored.
///
/// Engines that write `=== d6 -1.00 0.0` or `learn` are understood.
///
/// # Errors
/// If it is a move that is none.
pub fn parse_reply(line: &str, geometry: Geometry) -> Result<Option<Reply>, NboardError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let mut words = rest.split_whitespace();
    Ok(match word.to_ascii_lowercase().as_str() {
        "===" => {
            let noted = rest.split_whitespace().collect::<Vec<_>>().join("/");
            let (played, note) = ggf::parse_noted(&noted, geometry).ok_or_else(|| NboardError::NoMove(shown(rest)))?;
            Some(Reply::Chosen(played, note))
        }
        "set" => rest.strip_prefix("myname").map(|name| Reply::MyName(name.trim().to_owned())),
        "status" => Some(Reply::Status(rest.to_owned())),
        "pong" => rest.parse().ok().map(Reply::Pong),
        "learn" | "learned" => Some(Reply::Learned),
        "nodestats" => {
            let nodes = words.next().and_then(|word| word.parse().ok());
            let seconds = words.next().and_then(finite).unwrap_or(0.0);
            nodes.map(|nodes| Reply::NodeStats(nodes, seconds))
        }
        "analysis" => {
            let made = words.next().and_then(|word| word.parse().ok());
            made.zip(words.next().and_then(finite)).map(|(made, eval)| Reply::Analysis(made, eval))
        }
        "search" => parse_line(rest, geometry).map(Reply::Search),
        "book" => parse_line(rest, geometry).map(Reply::Book),
        _ => None,
    })
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

/// `F5D6 1.20 0 12 text`
fn parse_line(text: &str, geometry: Geometry) -> Option<Line> {
    let mut words = text.split_whitespace();
    let moves = parse_moves(words.next()?, geometry)?;
    let eval = finite(words.next()?)?;
    words.next()?;
    let depth = match words.next()? {
        "100%" => Depth::Exact,
        "100%W" => Depth::Winner,
        plies => Depth::Plies(plies.trim_end_matches('%').parse().ok()?),
    };
    Some(Line { moves, eval, depth })
}

fn parse_moves(text: &str, geometry: Geometry) -> Option<Vec<Move>> {
    let mut rest = text;
    let mut moves = Vec::new();
    while !rest.is_empty() {
        let (label, after) = rest.split_at_checked(2)?;
        moves.push(turncoat_board::Move::parse(label, geometry)?);
        rest = after;
    }
    Some(moves)
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NboardError {
    /// A number is missing.
    #[error("{what}: {found:?} is not a number")]
    NoNumber {
        /// What should have it.
        what: &'static str,
        /// What stands there.
        found: String,
    },
    /// Something is no move.
    #[error("{0:?} is not a move")]
    NoMove(String),
    /// A game cannot be read.
    #[error("set game: {0}")]
    Game(#[from] GgfError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_record::transcript;

    const EIGHT: Geometry = Geometry::EIGHT;

    #[test]
    fn every_command_is_read_from_what_it_is_written_as() {
        let game = "set game (;GM[Othello]PB[a]PW[b]TY[8a]B[F5/1.00/0.50];)";
        for line in [
            "nboard 2",
            "set depth 12",
            "set contempt -3",
            "move F5/1.20/0.30",
            "move PA",
            "hint 4",
            "go",
            "ping 18",
            "learn",
            "analyze",
            "quit",
            game,
        ] {
            let command = parse_command(line, EIGHT).unwrap().unwrap();
            let written = write_command(&command, EIGHT);
            if let Command::SetGame(ggf) = command {
                assert_eq!(transcript::write(&ggf.record.game), "f5");
            } else {
                assert_eq!(written, line);
            }
        }
    }

    #[test]
    fn replies_of_other_engines_are_understood() {
        let d6 = Move::Place(EIGHT.square("d6").unwrap());
        let note = Note { eval: Some(-1.0), seconds: Some(0.0) };
        for line in ["=== d6 -1.00 0.0", "===   D6/-1.00/0.0"] {
            assert_eq!(parse_reply(line, EIGHT), Ok(Some(Reply::Chosen(d6, note))), "{line}");
        }
        assert_eq!(parse_reply("learn", EIGHT), Ok(Some(Reply::Learned)));
        let line = Line { moves: vec![d6, Move::Pass], eval: 2.5, depth: Depth::Exact };
        let search = Reply::Search(line);
        assert_eq!(write_reply(&search, EIGHT), "search D6PA 2.50 0 100%");
        assert_eq!(parse_reply("search D6PA 2.50 0 100% some text", EIGHT), Ok(Some(search)));
        assert_eq!(parse_reply("hello there", EIGHT), Ok(None));
        assert!(parse_reply("=== nowhere", EIGHT).is_err());
    }
}
