//! `nboard:`: an engine of NBoard. It gets the whole game before each question.

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::nboard::{self, Command, Reply};
use turncoat_record::Record;
use turncoat_record::ggf::Ggf;

use super::dialogue::{Dialogue, Query};

pub(crate) struct Nboard {
    /// The player's own depth, which comes before that of the match.
    depth: Option<u32>,
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
        match reply.and_then(&wanted) {
            Some(found) => return Ok(found),
            None => query.process.note_unused(&line),
        }
    }
}

impl Nboard {
    pub(crate) const fn new(depth: Option<u32>) -> Self {
        Self { depth, pings: 0 }
    }

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
        self.sync(query)
    }

    /// The game is sent while the clock runs: a program could think about it before it says that it is ready.
    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        self.tell(query)?;
        if let Some(depth) = self.depth.or(query.depth) {
            order(query, &Command::SetDepth(depth))?;
        }
        order(query, &Command::Go)?;
        receive(query, |reply| match reply {
            Reply::Chosen(played, _) => Some(played),
            _ => None,
        })
    }
}
