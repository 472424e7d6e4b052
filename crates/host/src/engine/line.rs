//! `engine line`: a position a line in, a move a line out.

use std::io::{self, Write};
use std::sync::mpsc::Receiver;

use turncoat_board::Position;
use turncoat_players::Player;
use turncoat_protocol::line;

use super::{Input, Session, choose, next_line, say};

/// Answers until the input ends.
///
/// # Errors
/// If nothing can be written.
pub fn line(session: &Session<'_>, input: &Receiver<Input>, out: &mut dyn Write) -> io::Result<()> {
    let mut player = match (session.make)(session.setting, None) {
        Ok(player) => player,
        Err(fault) => return say(out, &line::write_error(&fault)),
    };
    while let Some(text) = next_line(input) {
        // Nobody says "quit" here: it is how the end of the input is heard.
        if text.as_deref() == Ok("quit") {
            break;
        }
        let answer = text.and_then(|text| answer(session, player.as_mut(), &text));
        match answer {
            Ok(None) => {}
            Ok(Some(text)) => say(out, &text)?,
            Err(fault) => say(out, &line::write_error(&fault))?,
        }
    }
    Ok(())
}

fn answer(
    session: &Session<'_>,
    player: &mut dyn Player,
    text: &str,
) -> Result<Option<String>, String> {
    let geometry = session.setting.geometry;
    let question = line::parse_question(text, geometry).map_err(|error| error.to_string())?;
    let answer = |position: Position| {
        if position.is_over() {
            return Err("the game is over".to_owned());
        }
        let (played, _) = choose(player, position, &session.limits)?;
        Ok(line::write_answer(played, geometry))
    };
    question.map(answer).transpose()
}
