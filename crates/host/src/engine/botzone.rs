//! `engine botzone`: Botzone's JSON lines, kept running or once.

use std::io::{self, Write};
use std::sync::mpsc::Receiver;

use turncoat_board::{Game, Geometry};
use turncoat_players::Player;
use turncoat_protocol::botzone::{self, Request};

use super::{Input, Session, choose, next_line, say};

/// Answers requests. If it may, it asks to be kept running; otherwise it ends after the first answer, as programs
/// do that are started for every move.
///
/// # Errors
/// If nothing can be written.
pub fn botzone(
    session: &Session<'_>,
    keep_running: bool,
    input: &Receiver<Input>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut player = match (session.make)(session.setting, None) {
        Ok(player) => player,
        Err(fault) => return say(out, &botzone::write_error(&fault)),
    };
    let mut game: Option<Game> = None;
    while let Some(text) = next_line(input) {
        if text.as_deref().is_ok_and(|text| text.trim().is_empty()) {
            continue;
        }
        let answer = text.and_then(|text| answer(session, player.as_mut(), &mut game, &text));
        match answer {
            Ok(text) => say(out, &text)?,
            Err(fault) => say(out, &botzone::write_error(&fault))?,
        }
        if !keep_running {
            break;
        }
        say(out, botzone::KEEP_RUNNING)?;
    }
    Ok(())
}

fn answer(
    session: &Session<'_>,
    player: &mut dyn Player,
    known: &mut Option<Game>,
    text: &str,
) -> Result<String, String> {
    if session.setting.geometry != Geometry::EIGHT {
        return Err("Botzone plays on 8x8".to_owned());
    }
    let request = botzone::parse_request(text, session.setting.variant);
    let game = match request.map_err(|error| error.to_string())? {
        Request::Whole(game) => {
            player.new_game(0);
            known.insert(*game)
        }
        Request::Next(played) => {
            let game = known.as_mut().ok_or("the game so far is not known")?;
            game.play(played).map_err(|illegal| illegal.to_string())?;
            game
        }
    };
    let (played, thought) = choose(player, game.position(), &session.limits)?;
    let debug = thought.map_or_else(String::new, |thought| {
        let score = thought.score.map_or_else(String::new, |score| format!(", {score:+.2} discs"));
        format!("depth {}{score}", thought.depth)
    });
    if game.outcome().is_none() {
        game.play(played).map_err(|illegal| illegal.to_string())?;
    }
    Ok(botzone::write_answer(played, &debug))
}
