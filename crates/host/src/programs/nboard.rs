//! `nboard:`: an engine of NBoard. It gets the whole game before each question.

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::nboard::{self, Command, Reply};
use turncoat_record::Record;
use turncoat_record::ggf::Ggf;

use super::dialogue::{Dialogue, Query};

#[derive(Default)]
pub(crate) struct Nboard {
    /// The number of pings sent.
    pings: u64,
}

fn order(query: &mut Query<'_>, command: &Command) -> Result<(), Fault> {
    let line = nboard::write_command(command, query.game.geometry());
    query.send(&line)
}

/// Receives lines until the wanted reply comes.
fn receive<T>(query: &mut Query<'_>, wanted: impl Fn(Reply) -> Option<T>) -> Result<T, Fault> {
    loop {
        let line = query.receive()?;
        let reply =
            nboard::parse_reply(&line, query.game.geometry()).map_err(|error| Fault::Protocol(error.to_string()))?;
        if let Some(found) = reply.and_then(&wanted) {
            return Ok(found);
        }
    }
}

impl Nboard {
    /// Waits until the engine has read everything.
    fn sync(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        self.pings += 1;
        let number = self.pings;
        order(query, &Command::Ping(number))?;
        receive(query, |reply| (reply == Reply::Pong(number)).then_some(()))
    }

    fn tell(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        let record = Record { black: "black".to_owned(), white: "white".to_owned(), ..Record::new(query.game.clone()) };
        order(query, &Command::SetGame(Box::new(Ggf::new(record))))?;
        self.sync(query)
    }
}

impl Dialogue for Nboard {
    const ONE_GAME: bool = false;

    fn open(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        order(query, &Command::NBoard(2))
    }

    fn begin(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        self.tell(query)
    }

    fn is_ready(&mut self, query: &mut Query<'_>) -> Result<bool, Fault> {
        self.tell(query)?;
        Ok(true)
    }

    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        if let Some(depth) = query.depth {
            order(query, &Command::SetDepth(depth))?;
        }
        order(query, &Command::Go)?;
        receive(query, |reply| match reply {
            Reply::Chosen(played, _) => Some(played),
            _ => None,
        })
    }
}
