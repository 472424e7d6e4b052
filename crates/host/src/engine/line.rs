//! `engine line`: a position a line in, a move a line out. `stop` makes it answer at once.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};

use turncoat_board::Position;
use turncoat_players::Player;
use turncoat_protocol::line;

use super::inbox::Inbox;
use super::{Input, Session, say};

/// Answers until the input ends. Searches report their end through `own`.
///
/// # Errors
/// If nothing can be written.
pub fn line(
    session: &Session<'_>,
    own: &Sender<Input>,
    input: &Receiver<Input>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut inbox = Inbox::new(own, input, is_stop);
    let mut player = match (session.make)(session.setting, None) {
        Ok(player) => player,
        Err(fault) => return say(out, &line::write_error(&fault)),
    };
    while let Some(text) = inbox.next() {
        // It was meant for the search before, or comes too late.
        if text.as_deref().is_ok_and(is_stop) {
            continue;
        }
        let answer = text.and_then(|text| answer(session, &mut inbox, player.as_mut(), &text));
        match answer {
            Ok(None) => {}
            Ok(Some(text)) => say(out, &text)?,
            Err(fault) => say(out, &line::write_error(&fault))?,
        }
    }
    Ok(())
}

fn is_stop(text: &str) -> bool {
    text.trim() == "stop"
}

fn answer(
    session: &Session<'_>,
    inbox: &mut Inbox<'_>,
    player: &mut dyn Player,
    text: &str,
) -> Result<Option<String>, String> {
    let geometry = session.setting.geometry;
    let question = line::parse_question(text, geometry).map_err(|error| error.to_string())?;
    let answer = |position: Position| {
        if position.is_over() {
            return Err("the game is over".to_owned());
        }
        let played = inbox.choose(player, position, &session.limits)?;
        Ok(line::write_answer(played, geometry))
    };
    question.map(answer).transpose()
}
