//! `nboard:`: an engine of NBoard. It gets the whole game before each question.

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::nboard::{self, Command, Reply};
use turncoat_record::Record;
use turncoat_record::ggf::Ggf;

use super::guest::{Desk, Dialogue};

#[derive(Default)]
pub(crate) struct Nboard {
    /// Numbers of pings.
    pings: u64,
}

fn order(desk: &mut Desk<'_>, command: &Command) -> Result<(), Fault> {
    let line = nboard::write_command(command, desk.game.geometry());
    desk.say(&line)
}

/// Hears until something that is waited for comes.
fn hear<T>(desk: &mut Desk<'_>, wanted: impl Fn(Reply) -> Option<T>) -> Result<T, Fault> {
    loop {
        let line = desk.hear()?;
        let reply =
            nboard::parse_reply(&line, desk.game.geometry()).map_err(|error| Fault::Protocol(error.to_string()))?;
        if let Some(found) = reply.and_then(&wanted) {
            return Ok(found);
        }
    }
}

impl Nboard {
    /// Waits until the engine has heard everything.
    fn meet(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault> {
        self.pings += 1;
        let number = self.pings;
        order(desk, &Command::Ping(number))?;
        hear(desk, |reply| (reply == Reply::Pong(number)).then_some(()))
    }

    fn tell(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault> {
        let record = Record { black: "black".to_owned(), white: "white".to_owned(), ..Record::new(desk.game.clone()) };
        order(desk, &Command::SetGame(Box::new(Ggf::new(record))))?;
        self.meet(desk)
    }
}

impl Dialogue for Nboard {
    const ONE_GAME: bool = false;

    fn open(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault> {
        order(desk, &Command::NBoard(2))
    }

    fn begin(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault> {
        self.tell(desk)
    }

    fn is_ready(&mut self, desk: &mut Desk<'_>) -> Result<bool, Fault> {
        self.tell(desk)?;
        Ok(true)
    }

    fn ask(&mut self, desk: &mut Desk<'_>) -> Result<Move, Fault> {
        if let Some(depth) = desk.depth {
            order(desk, &Command::SetDepth(depth))?;
        }
        order(desk, &Command::Go)?;
        hear(desk, |reply| match reply {
            Reply::Chosen(played, _) => Some(played),
            _ => None,
        })
    }
}
