//! Our side of the protocols: a player that answers on standard input and output.
//!
//! A session takes [`Input`] from a channel, so that it hears what is said to it while it thinks, and writes its
//! answers to any [`Write`]. What it cannot understand gets the protocol's own error, and the session goes on.

mod botzone;
mod ears;
mod gtp;
mod line;
mod nboard;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use turncoat_board::{Move, Position};
use turncoat_players::{Limits, Player, Setting, Thought};
use turncoat_record::lines::LONGEST_LINE;
use turncoat_util::{BoundedLines, LineFault};

pub use self::botzone::botzone;
pub use self::gtp::gtp;
pub use self::line::line;
pub use self::nboard::nboard;

/// What an engine calls itself.
pub const NAME: &str = "Turncoat";

/// Something that a session hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// Something that is no line of text, and why.
    Bad(String),
    /// The input is over.
    End,
    /// What the session's own search has to say.
    Found(String),
    /// The session's own search has come to its end.
    Thought,
}

/// Makes a player for a game, perhaps of a level.
pub type Make<'a> = &'a dyn Fn(Setting, Option<u8>) -> Result<Box<dyn Player>, String>;

/// What a session is made of.
pub struct Session<'a> {
    /// What it is to play.
    pub setting: Setting,
    /// How long it may think about a move, whatever the other side says.
    pub limits: Limits,
    /// Makes its player.
    pub make: Make<'a>,
}

/// Reads a stream on a thread of its own; also the end where a session reports to itself.
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

/// The next line that is heard while nothing is thought about; `None` at the end.
fn next_line(receiver: &Receiver<Input>) -> Option<Result<String, String>> {
    loop {
        match receiver.recv().ok()? {
            Input::Line(text) => return Some(Ok(text)),
            Input::Bad(fault) => return Some(Err(fault)),
            Input::End => return None,
            Input::Found(_) | Input::Thought => {}
        }
    }
}

/// Writes one line and hands it over at once.
fn say(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{text}")?;
    out.flush()
}

/// What a player does in a position: its thought, or a pass where it must.
fn choose(player: &mut dyn Player, position: Position, limits: &Limits) -> Result<(Move, Option<Thought>), String> {
    if position.legal_moves().is_empty() {
        return Ok((Move::Pass, None));
    }
    let thought =
        player.choose(position, limits, &mut |_| {}).map_err(|fault| fault.to_string())?.ok_or("no move was found")?;
    Ok((Move::Place(thought.best), Some(thought)))
}
