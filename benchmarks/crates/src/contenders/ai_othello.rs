//! `ai-othello`: `Position::legal_placement_bits` and `Position::flips_for`. `Position::make_move` would
//! generate the legal moves again to check its argument.

use ai_othello::{Position, Side, Square};

use crate::tree::Rules;

/// The crate's position, with the mover's discs as the black ones.
pub struct AiOthello(Position);

impl AiOthello {
    fn new(mover: u64, other: u64) -> Self {
        Self(Position::from_bits(mover, other, Side::Black).expect("disjoint sets"))
    }

    fn mover(&self) -> u64 {
        self.0.bits(Side::Black)
    }

    fn other(&self) -> u64 {
        self.0.bits(Side::White)
    }
}

impl Rules for AiOthello {
    fn start() -> Self {
        Self(Position::start())
    }

    fn moves(&mut self) -> u64 {
        self.0.legal_placement_bits()
    }

    fn after(&self, square: u32) -> Self {
        let flips = self.0.flips_for(Square::new(square as u8));
        Self::new(self.other() ^ flips, self.mover() ^ flips | 1 << square)
    }

    fn pass(&self) -> Self {
        Self::new(self.other(), self.mover())
    }
}
