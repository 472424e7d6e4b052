//! GTP 2, the text protocol of board game engines, as Othello programs speak it.
//!
//! A command is a line, perhaps with a number before it; the answer begins with `=` or `?`, has the number
//! again, and ends with an empty line. a1 is the top-left corner.

use thiserror::Error;
use turncoat_board::{Color, Geometry, Move};

use crate::shown;

/// A command as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its number, if it has one.
    pub id: Option<u32>,
    /// Its name.
    pub name: String,
    /// What follows.
    pub arguments: Vec<String>,
}

/// Parses a command; `None` if the line is empty or a comment.
///
/// ```
/// use turncoat_protocol::gtp;
///
/// let command = gtp::parse_command("7 play\tb f5 # a comment").unwrap();
/// assert_eq!((command.id, command.name.as_str()), (Some(7), "play"));
/// assert_eq!(command.arguments, ["b", "f5"]);
/// assert_eq!(gtp::write_command(&command), "7 play b f5");
/// assert_eq!(gtp::parse_command("  # nothing"), None);
/// ```
pub fn parse_command(line: &str) -> Option<Command> {
    let line = line.split('#').next().unwrap_or_default();
    let clean: String = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    let mut words = clean.split_whitespace().peekable();
    let id = words.peek().and_then(|word| word.parse().ok());
    if id.is_some() {
        words.next();
    }
    let name = words.next()?.to_owned();
    Some(Command { id, name, arguments: words.map(str::to_owned).collect() })
}

/// A command as a line, without its end.
pub fn write_command(command: &Command) -> String {
    let id = command.id.map(|id| id.to_string());
    let words = id.iter().chain([&command.name]).chain(&command.arguments);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// An answer with the empty line that ends it. Empty lines inside would end it too early: they are left out.
///
/// ```
/// use turncoat_protocol::gtp;
///
/// assert_eq!(gtp::write_answer(Some(7), &Ok("F5".to_owned())), "=7 F5\n\n");
/// assert_eq!(gtp::write_answer(None, &Err("illegal move".to_owned())), "? illegal move\n\n");
/// ```
pub fn write_answer(id: Option<u32>, answer: &Result<String, String>) -> String {
    let (mark, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = id.map_or_else(String::new, |id| id.to_string());
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    format!("{mark}{id} {}", lines.join("\n")).trim_end().to_owned() + "\n\n"
}

/// Parses the lines of an answer, without the empty one that ends it.
///
/// # Errors
/// If the program refuses the command, or the lines are not an answer.
pub fn parse_answer(text: &str) -> Result<String, GtpError> {
    let text = text.trim();
    let rest =
        |mark: char| text.strip_prefix(mark).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim());
    match (rest('='), rest('?')) {
        (Some(answer), _) => Ok(answer.to_owned()),
        (_, Some(fault)) => Err(GtpError::Refused(shown(fault))),
        _ => Err(GtpError::NoAnswer(shown(text))),
    }
}

/// Parses a colour: `b`, `black`, `w`, `white` in any case.
pub fn parse_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A colour as it is written.
pub const fn write_color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Parses a move: a square or a pass.
pub fn parse_vertex(text: &str, geometry: Geometry) -> Option<Move> {
    Move::parse(text.trim(), geometry)
}

/// A move as it is written.
pub fn write_vertex(played: Move, geometry: Geometry) -> String {
    match played {
        Move::Place(square) => geometry.label(square).to_uppercase(),
        Move::Pass => "pass".to_owned(),
    }
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GtpError {
    /// The program refuses the command.
    #[error("the program refuses: {0}")]
    Refused(String),
    /// The lines are no answer.
    #[error("{0:?} is not an answer: those begin with = or ?")]
    NoAnswer(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_may_have_numbers_and_several_lines() {
        assert_eq!(parse_answer("=12 one\ntwo"), Ok("one\ntwo".to_owned()));
        assert_eq!(parse_answer("="), Ok(String::new()));
        assert_eq!(parse_answer("?3 unknown command"), Err(GtpError::Refused("unknown command".to_owned())));
        assert_eq!(parse_answer("hello"), Err(GtpError::NoAnswer("hello".to_owned())));
    }

    #[test]
    fn an_answer_has_no_empty_line_inside() {
        let text = write_answer(Some(1), &Ok("a\n\nb\n".to_owned()));
        assert_eq!(text, "=1 a\nb\n\n");
        assert_eq!(write_answer(None, &Ok(String::new())), "=\n\n");
    }
}
