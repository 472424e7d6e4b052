//! `rust_reversi_core`: `Board::get_legal_moves` and `Board::reverse`, which checks nothing and leaves the
//! change of turns to `Board::set_board`.

use rust_reversi_core::board::Board;

use crate::tree::Rules;

/// The crate's board; it knows whose turn it is.
pub struct ReversiCore(Board);

impl Rules for ReversiCore {
    fn start() -> Self {
        Self(Board::new())
    }

    fn moves(&mut self) -> u64 {
        self.0.get_legal_moves()
    }

    fn after(&self, square: u32) -> Self {
        let mut next = self.0.clone();
        next.reverse(1 << square);
        Self(next).pass()
    }

    fn pass(&self) -> Self {
        let (player, opponent, turn) = self.0.get_board();
        let mut next = self.0.clone();
        next.set_board(opponent, player, turn.opposite());
        Self(next)
    }
}
