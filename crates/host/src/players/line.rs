//! `line:`: a position a line in, a move a line out.

use turncoat_board::Move;
use turncoat_players::Fault;
use turncoat_protocol::line;

use super::guest::{Desk, Dialogue};

pub(crate) struct Line;

impl Dialogue for Line {
    const ONE_GAME: bool = false;

    fn open(&mut self, _: &mut Desk<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(&mut self, _: &mut Desk<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, desk: &mut Desk<'_>) -> Result<Move, Fault> {
        let position = desk.game.position();
        desk.say(&line::write_question(position))?;
        let answer = desk.hear()?;
        line::parse_answer(&answer, position.geometry()).map_err(|error| Fault::Protocol(error.to_string()))
    }
}
