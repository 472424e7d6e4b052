//! `magpie`: `Board::moves_for` and `Board::play`, which checks nothing.

use magpie::othello::{Board, Position, Stone};

use crate::tree::Rules;

/// The crate's board, with the mover's discs as the black ones: faster than to carry the turn along.
pub struct Magpie(Board);

impl Rules for Magpie {
    fn start() -> Self {
        Self(Board::standard())
    }

    fn moves(&mut self) -> u64 {
        self.0.moves_for(Stone::Black).raw()
    }

    fn after(&self, square: u32) -> Self {
        let square = Position::try_from(1 << square).expect("one bit");
        let mut next = self.0.clone();
        next.play(Stone::Black, square);
        Self(next).pass()
    }

    fn pass(&self) -> Self {
        let (mover, other) = (self.0.bits_for(Stone::Black), self.0.bits_for(Stone::White));
        Self(Board::try_from((other, mover)).expect("disjoint sets"))
    }
}
