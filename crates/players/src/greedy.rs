//! `greedy`: the fewest discs after the move, or the most in Reversi.

use turncoat_board::{Position, VariantKind};

use crate::{Fault, Limits, MoveInfo, Player};

/// Plays for the score after its own move; ties go to the first square.
#[derive(Debug)]
pub(crate) struct Greedy {
    variant: VariantKind,
}

impl Greedy {
    pub(crate) const fn new(variant: VariantKind) -> Self {
        Self { variant }
    }
}

impl Player for Greedy {
    fn choose(
        &mut self,
        position: Position,
        _limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let board = position.board();
        let gain = |flips: u32| self.variant.sign() * flips as i32;
        let mut best = None;
        for square in position.legal_moves() {
            let flips = board.flips(square).count();
            if best.is_none_or(|(most, _)| gain(flips) > gain(most)) {
                best = Some((flips, square));
            }
        }
        Ok(best.map(|(flips, square)| {
            let margin = (board.mover().count() + 2 * flips + 1) as i32 - board.other().count() as i32;
            let info = MoveInfo {
                score: Some(f64::from(gain(1) * margin)),
                depth: 1,
                nodes: u64::from(position.legal_moves().count()),
                ..MoveInfo::at_sight(square)
            };
            report(&info);
            info
        }))
    }
}
