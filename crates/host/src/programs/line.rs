//! `line:`: a position a line in, a move a line out.

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::line;

use super::dialogue::{Dialogue, Query};

pub(crate) struct LineDialogue;

impl Dialogue for LineDialogue {
    const ONE_GAME: bool = false;

    fn open(&mut self, _: &mut Query<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(&mut self, _: &mut Query<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        let position = query.game.position();
        query.send(&line::write_question(position))?;
        let answer = query.receive()?;
        line::parse_answer(&answer, position.geometry()).map_err(|error| Fault::Protocol(error.to_string()))
    }
}
