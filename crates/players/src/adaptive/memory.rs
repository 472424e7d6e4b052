//! What the opponent has answered, position by position.

use std::collections::HashMap;

use turncoat_board::{Position, Square};

/// As many positions as are remembered: those of about two thousand games.
const MOST: usize = 1 << 16;

/// The opponent's last answer in each position.
#[derive(Debug, Default)]
pub(super) struct Memory {
    answers: HashMap<Position, Square>,
    /// How often a position came again, and how often the answer was the same.
    again: [u32; 2],
}

impl Memory {
    pub(super) fn learn(&mut self, position: Position, square: Square) {
        if let Some(&last) = self.answers.get(&position) {
            self.again[0] += 1;
            self.again[1] += u32::from(last == square);
        } else if self.answers.len() >= MOST {
            return;
        }
        self.answers.insert(position, square);
    }

    /// The chance that an answer is given again.
    pub(super) fn constancy(&self) -> f64 {
        let [again, same] = self.again.map(f64::from);
        (same + 1.0) / (again + 2.0)
    }

    pub(super) fn answer(&self, position: Position) -> Option<Square> {
        self.answers.get(&position).copied()
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::Geometry;

    use super::*;

    #[test]
    fn who_answers_alike_is_constant() {
        let mut memory = Memory::default();
        let start = Position::start(Geometry::EIGHT);
        let moves: Vec<Square> = start.legal_moves().into_iter().collect();
        assert_eq!(memory.answer(start), None);
        memory.learn(start, moves[0]);
        assert_eq!((memory.answer(start), memory.constancy()), (Some(moves[0]), 0.5));
        memory.learn(start, moves[0]);
        memory.learn(start, moves[0]);
        assert_eq!((memory.answer(start), memory.constancy()), (Some(moves[0]), 0.75));
        memory.learn(start, moves[1]);
        assert_eq!((memory.answer(start), memory.constancy()), (Some(moves[1]), 0.6));
    }
}
