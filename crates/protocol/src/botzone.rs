//! Botzone's Reversi: JSON lines with the whole game so far, or, for a program that keeps running, with the new
//! move alone.
//!
//! x is the column and y the row, both from 0; (-1, -1) is a pass, and as the first request it means: you are
//! black.

use serde_json::{Map, Value, json};
use thiserror::Error;
use turncoat_board::{Color, Game, Geometry, IllegalMove, Move, Position, VariantKind};

use crate::shown;

/// What a program prints after its answer to be kept running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// What the platform asks.
#[derive(Debug, Clone)]
pub enum Request {
    /// The whole game so far; it is the program's turn.
    Whole(Box<Game>),
    /// The other side's move alone; for a program that was kept running.
    Next(Move),
}

/// Parses a request.
///
/// ```
/// use turncoat_board::VariantKind;
/// use turncoat_protocol::botzone::{self, Request};
/// use turncoat_record::transcript;
///
/// let line = r#"{"requests":[{"x":-1,"y":-1},{"x":3,"y":5}],"responses":[{"x":5,"y":4}]}"#;
/// let Request::Whole(game) = botzone::parse_request(line, VariantKind::Reversed).unwrap() else { panic!() };
/// assert_eq!(transcript::write(&game), "f5d6");
/// ```
///
/// # Errors
/// If it does not parse, or has an illegal move.
pub fn parse_request(line: &str, variant: VariantKind) -> Result<Request, BotzoneError> {
    let value = parse_object(line)?;
    let Some(requests) = value.get("requests") else {
        // A new request comes bare or under its name.
        let request = value.get("request").and_then(Value::as_object);
        let played = parse_point(request.unwrap_or(&value)).ok_or(BotzoneError::NoMove)?;
        return Ok(Request::Next(played));
    };
    let none = Vec::new();
    let requests = requests.as_array().ok_or(BotzoneError::NoMove)?;
    let responses = value.get("responses").map_or(Some(&none), Value::as_array).ok_or(BotzoneError::NoMove)?;
    if responses.len() >= requests.len().max(1) {
        return Err(BotzoneError::NotMyTurn);
    }
    let mut game = Game::new(variant, Geometry::EIGHT);
    let mut mine = None;
    for (turn, request) in requests.iter().enumerate() {
        let played = request.as_object().and_then(parse_point).ok_or(BotzoneError::NoMove)?;
        if turn == 0 {
            mine = Some(if played == Move::Pass { Color::Black } else { Color::White });
        }
        if turn > 0 || played != Move::Pass {
            play(&mut game, played, turn)?;
        }
        if turn + 1 < requests.len() {
            let response =
                responses.get(turn).and_then(Value::as_object).and_then(parse_point).ok_or(BotzoneError::NoMove)?;
            play(&mut game, response, turn)?;
        }
    }
    if mine != Some(game.position().side()) {
        return Err(BotzoneError::NotMyTurn);
    }
    Ok(Request::Whole(Box::new(game)))
}

/// Plays a disc or a pass.
fn play(game: &mut Game, played: Move, turn: usize) -> Result<(), BotzoneError> {
    game.play(played).map_err(|source| BotzoneError::Illegal { turn: turn + 1, source })
}

fn parse_object(line: &str) -> Result<Map<String, Value>, BotzoneError> {
    match serde_json::from_str(line.trim()) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(BotzoneError::NotJson("an object is expected".to_owned())),
        Err(error) => Err(BotzoneError::NotJson(error.to_string())),
    }
}

/// A point: a square, or a pass where both numbers are -1.
fn parse_point(object: &Map<String, Value>) -> Option<Move> {
    let number = |name| object.get(name).and_then(Value::as_i64);
    let (x, y) = (number("x")?, number("y")?);
    match (x, y) {
        (..0, ..0) => Some(Move::Pass),
        _ => Geometry::EIGHT.square_at(u8::try_from(y).ok()?, u8::try_from(x).ok()?).map(Move::Place),
    }
}

fn write_point(played: Move) -> Value {
    match played {
        Move::Place(square) => json!({"x": square.column(), "y": square.row()}),
        Move::Pass => json!({"x": -1, "y": -1}),
    }
}

/// The request for the whole game, in which it is this program's turn. Only games from the usual start can be
/// told.
///
/// # Errors
/// If the game began elsewhere.
pub fn write_whole(game: &Game) -> Result<String, BotzoneError> {
    if game.start() != Position::start(Geometry::EIGHT) {
        return Err(BotzoneError::OtherStart);
    }
    let mine = game.position().side();
    let mut requests = Vec::new();
    let mut responses = Vec::new();
    if mine == Color::Black {
        requests.push(write_point(Move::Pass));
    }
    for (position, played) in game.positions().iter().zip(game.moves()) {
        let point = write_point(*played);
        if position.side() == mine {
            responses.push(point);
        } else {
            requests.push(point);
        }
    }
    Ok(json!({"requests": requests, "responses": responses, "data": "", "globaldata": ""}).to_string())
}

/// The request that sends a running program the other side's move.
pub fn write_next(played: Move) -> String {
    write_point(played).to_string()
}

/// Parses an answer.
///
/// # Errors
/// If it is none.
pub fn parse_answer(line: &str) -> Result<Move, BotzoneError> {
    let object = parse_object(line)?;
    // Some programs leave the wrapping away.
    let point = object.get("response").and_then(Value::as_object);
    parse_point(point.unwrap_or(&object)).ok_or(BotzoneError::NoMove)
}

/// An answer, with a text for spectators.
pub fn write_answer(played: Move, debug: &str) -> String {
    json!({"response": write_point(played), "debug": debug}).to_string()
}

/// The answer to a request that cannot be answered.
pub fn write_error(fault: &str) -> String {
    json!({"response": write_point(Move::Pass), "debug": format!("error: {}", shown(fault))}).to_string()
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BotzoneError {
    /// It is no JSON object.
    #[error("not a JSON object: {0}")]
    NotJson(String),
    /// A move is missing, or none.
    #[error("moves are written as {{\"x\": 0 to 7, \"y\": 0 to 7}}, a pass as -1 and -1")]
    NoMove,
    /// A move is against the rules.
    #[error("turn {turn}: {source}")]
    Illegal {
        /// The turn, counted from 1.
        turn: usize,
        /// Why.
        source: IllegalMove,
    },
    /// The moves lead to the other side's turn.
    #[error("after these moves it is the other side's turn")]
    NotMyTurn,
    /// The game began with another position.
    #[error("Botzone has only games from the usual start on 8x8")]
    OtherStart,
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_record::transcript;

    fn whole(line: &str) -> Result<String, BotzoneError> {
        match parse_request(line, VariantKind::Reversed)? {
            Request::Whole(game) => Ok(transcript::write(&game)),
            Request::Next(played) => Ok(format!("{played:?}")),
        }
    }

    #[test]
    fn whole_games_come_back_with_their_passes() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        while game.outcome().is_none() {
            let line = write_whole(&game).unwrap();
            let Ok(Request::Whole(again)) = parse_request(&line, VariantKind::Reversed) else {
                panic!("{line}");
            };
            assert_eq!(again.moves(), game.moves());
            let first = game.position().legal_moves().first();
            game.play(first.map_or(Move::Pass, Move::Place)).unwrap();
        }
        assert!(game.moves().contains(&Move::Pass));
    }

    #[test]
    fn the_first_request_says_who_is_black() {
        let start = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        assert_eq!(
            write_whole(&start).unwrap(),
            r#"{"data":"","globaldata":"","requests":[{"x":-1,"y":-1}],"responses":[]}"#
        );
        assert_eq!(whole(r#"{"requests":[{"x":5,"y":4}],"responses":[]}"#).unwrap(), "f5");
    }

    #[test]
    fn answers_are_read_leniently_and_faults_named() {
        let f5 = Move::Place(Geometry::EIGHT.square("f5").unwrap());
        assert_eq!(parse_answer(&write_answer(f5, "hm")), Ok(f5));
        assert_eq!(parse_answer(r#"{"x":5,"y":4}"#), Ok(f5));
        assert_eq!(parse_answer(r#"{"response":{"x":9,"y":4}}"#), Err(BotzoneError::NoMove));
        assert!(matches!(parse_answer("hello"), Err(BotzoneError::NotJson(_))));
        assert!(matches!(whole(r#"{"requests":[{"x":0,"y":0}]}"#), Err(BotzoneError::Illegal { turn: 1, .. })));
        // Answered already: there is nothing to ask.
        let answered = r#"{"requests":[{"x":-1,"y":-1}],"responses":[{"x":0,"y":0}]}"#;
        assert_eq!(whole(answered), Err(BotzoneError::NotMyTurn));
        assert!(matches!(parse_request(&write_next(Move::Pass), VariantKind::Reversed), Ok(Request::Next(Move::Pass))));
    }
}
