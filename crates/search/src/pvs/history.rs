//! The history heuristic: which squares have caused cut-offs, by side.

use turncoat_board::Square;

/// Weights of past cut-offs; they fade, so that recent ones count most.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// By the side's parity in the tree, then by square.
    weight: [[i32; 64]; 2],
}

/// The largest weight; updates pull towards it and away from it in proportion.
const MOST: i32 = 1 << 12;

impl History {
    pub(super) const fn new() -> Self {
        Self { weight: [[0; 64]; 2] }
    }

    #[inline(always)]
    pub(super) const fn weight(&self, side: usize, square: Square) -> i32 {
        self.weight[side & 1][square.index()]
    }

    /// This square has caused a cut at this depth; the ones tried before it have not.
    pub(super) fn reward(&mut self, side: usize, square: Square, depth: u32, failed: impl Iterator<Item = Square>) {
        let bonus = ((depth * depth) as i32).min(MOST / 4);
        let mut pull = |square: Square, bonus: i32| {
            let weight = &mut self.weight[side & 1][square.index()];
            *weight += bonus - *weight * bonus.abs() / MOST;
        };
        pull(square, bonus);
        for square in failed {
            pull(square, -bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stay_bounded_and_tell_success_from_failure() {
        let (good, bad) = (Square::ALL[19], Square::ALL[9]);
        let mut history = History::new();
        for _ in 0..100_000 {
            history.reward(0, good, 40, std::iter::once(bad));
        }
        assert!(history.weight(0, good) > MOST / 2 && history.weight(0, good) <= MOST);
        assert!(history.weight(0, bad) < -MOST / 2 && history.weight(0, bad) >= -MOST);
        assert_eq!(history.weight(1, good), 0);
    }
}
