//! Our side of the protocols: a player that answers on standard input and output.
//!
//! A session takes [`Input`] from a channel, so that it receives lines while it searches, and writes its answers to any
//! [`Write`]. A line that does not parse gets the protocol's own error, and the session continues.

mod botzone;
mod gtp;
mod inbox;
mod line;
mod nboard;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use turncoat_board::{Move, Position};
use turncoat_players::{Limits, MoveInfo, Player, Setting};
use turncoat_record::lines::LONGEST_LINE;
use turncoat_util::{BoundedLines, LineFault};

pub use self::botzone::botzone;
pub use self::gtp::gtp;
pub use self::line::line;
pub use self::nboard::nboard;

/// The name of the engine.
pub const NAME: &str = "Turncoat";

/// What a session receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// Not a line of text, and why.
    Bad(String),
    /// The input is over.
    End,
    /// A report of the session's own search.
    Found(String),
    /// The session's own search has ended.
    SearchEnded,
}

/// Builds a player for a setting, perhaps at a level.
pub type Make<'a> = &'a dyn Fn(Setting, Option<u8>) -> Result<Box<dyn Player>, String>;

/// What a session is made of.
pub struct Session<'a> {
    /// What it plays.
    pub setting: Setting,
    /// Limits on every search, whatever the other side says.
    pub limits: Limits,
    /// Builds its player.
    pub make: Make<'a>,
}

/// Reads a stream on a thread of its own. The sender is for the session's own searches.
pub fn listen(stream: impl BufRead + Send + 'static) -> (Sender<Input>, Receiver<Input>) {
    let (sender, receiver) = channel();
    let (heard, own) = (sender.clone(), sender);
    thread::spawn(move || {
        let mut lines = BoundedLines::new(stream, LONGEST_LINE);
        loop {
            let input = match lines.next() {
                Some(Ok(text)) => Input::Line(text),
                Some(Err(LineFault::TooLong)) => Input::Bad("this line is far too long".to_owned()),
                Some(Err(LineFault::NotText { .. })) => Input::Bad("this line is not text".to_owned()),
                Some(Err(LineFault::Io(_))) | None => Input::End,
            };
            let over = input == Input::End;
            if heard.send(input).is_err() || over {
                return;
            }
        }
    });
    (own, receiver)
}

/// The next line while no search runs; `None` at the end.
fn next_line(receiver: &Receiver<Input>) -> Option<Result<String, String>> {
    loop {
        match receiver.recv().ok()? {
            Input::Line(text) => return Some(Ok(text)),
            Input::Bad(fault) => return Some(Err(fault)),
            Input::End => return None,
            Input::Found(_) | Input::SearchEnded => {}
        }
    }
}

/// Writes one line and flushes it.
fn say(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{text}")?;
    out.flush()
}

/// The move of a player in a position and what it knows of it; a pass if there is no legal move.
fn choose(player: &mut dyn Player, position: Position, limits: &Limits) -> Result<(Move, Option<MoveInfo>), String> {
    if position.legal_moves().is_empty() {
        return Ok((Move::Pass, None));
    }
    let thought =
        player.choose(position, limits, &mut |_| {}).map_err(|fault| fault.to_string())?.ok_or("no move was found")?;
    Ok((Move::Place(thought.best), Some(thought)))
}
