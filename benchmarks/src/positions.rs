//! Positions of random and of noisy games, the same in every run.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, Square, VariantKind};
use turncoat_eval::{Evaluation, HandMade};

/// The position after this many plies of random play.
pub(crate) fn random_position(plies: u64, mut random: impl FnMut() -> u64) -> Position {
    let mut position = Position::start(Geometry::EIGHT);
    for _ in 0..plies {
        let number = random();
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        let next = match moves.len() {
            0 if position.is_over() => break,
            0 => Some(position.pass()),
            count => position.play(moves[(number % count as u64) as usize]),
        };
        position = next.unwrap_or(position);
    }
    position
}

/// Random numbers for a position, by a linear congruential generator.
pub(crate) fn congruential(number: u64) -> impl FnMut() -> u64 {
    let mut state = number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

/// The first position with at most this many empties of a game that the hand-made evaluation plays against itself; `None`
/// if the game ends before. `noise` is added to the value of each move, and alone decides the opening.
pub(crate) fn noisy_position(variant: VariantKind, empties: u32, mut noise: impl FnMut() -> f64) -> Option<Position> {
    let choose = |position: Position, _| {
        let mut best: Option<(f64, Square)> = None;
        for square in position.legal_moves() {
            let next = position.play(square)?;
            let value = if position.empties() > 50 { 0 } else { -Backend::best().run(Value(next.board(), variant)) };
            let value = f64::from(value) + noise();
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, square));
            }
        }
        best.map(|(_, square)| square)
    };
    let wanted = |position: &Position| !position.legal_moves().is_empty() && position.empties() <= empties;
    Position::start(Geometry::EIGHT).playout(choose).find(wanted)
}

/// The value of a board by the hand-made evaluation.
struct Value(Board, VariantKind);

impl Task for Value {
    type Output = i32;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let moves = isa.legal_moves(self.0, self.0.empties(Geometry::EIGHT));
        HandMade::new(self.1, Geometry::EIGHT).evaluate(isa, self.0, moves, &())
    }
}
