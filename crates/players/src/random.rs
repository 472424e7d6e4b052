//! `random`: a uniform legal move. The yardstick's lower end.

use rand::RngExt;
use turncoat_board::{Position, Square};

use crate::seed::{Stream, stream};
use crate::{Fault, Limits, MoveInfo, Player};

/// Plays any legal move with equal chance.
#[derive(Debug)]
pub(crate) struct Random {
    seed: u64,
    /// One for each colour, so that a game against itself is no echo.
    streams: [Stream; 2],
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, streams: streams(seed, 0) }
    }
}

impl Player for Random {
    fn choose(
        &mut self,
        position: Position,
        _limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            return Ok(None);
        }
        let place = self.streams[position.side() as usize].random_range(0..moves.len());
        let info = MoveInfo::at_sight(moves[place]);
        report(&info);
        Ok(Some(info))
    }

    fn new_game(&mut self, game: u64) {
        self.streams = streams(self.seed, game);
    }
}

fn streams(seed: u64, game: u64) -> [Stream; 2] {
    [stream(seed, &[game, 0]), stream(seed, &[game, 1])]
}
