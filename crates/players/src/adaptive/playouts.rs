//! The rest of the game in the head: the player as its base plays, the opponent as it is predicted.

use rand::RngExt;
use turncoat_board::{Color, Position, Square, VariantKind};
use turncoat_search::Watch;

use super::memory::Memory;
use super::model::OpponentModel;
use crate::seed::{Stream, stream};
use crate::{Limits, Player};

/// What playouts are made with.
pub(super) struct Playouts<'a> {
    pub(super) base: &'a mut dyn Player,
    pub(super) model: &'a OpponentModel,
    pub(super) memory: &'a Memory,
    pub(super) variant: VariantKind,
    /// How the base is asked.
    pub(super) limits: &'a Limits,
    pub(super) watch: &'a mut Watch,
    /// The seed of this decision.
    pub(super) seed: u64,
}

impl Playouts<'_> {
    /// The move that wins most of so many playouts, if it wins more than the usual one, by at least this share of them.
    /// `None` if there is no such move, or no time.
    pub(super) fn better(&mut self, position: Position, usual: Square, count: u32, margin: f64) -> Option<Square> {
        let all = f64::from(count);
        let mut needed = self.points(position, usual, count, 0.0)? + margin * all;
        let mut better = None;
        for square in position.legal_moves().into_iter().filter(|&square| square != usual) {
            if needed > all {
                break;
            }
            let points = self.points(position, square, count, needed)?;
            if points >= needed {
                better = Some(square);
                // The next one must have more; half a point is the least difference.
                needed = points + 0.5;
            }
        }
        better
    }

    /// The points of a move in so many playouts; fewer of them where it cannot have as many as needed.
    fn points(&mut self, position: Position, square: Square, count: u32, needed: f64) -> Option<f64> {
        let next = position.play(square)?;
        let mut points = 0.0;
        for number in 0..count {
            if points + f64::from(count - number) < needed {
                break;
            }
            // All moves have the same luck.
            let mut dice = stream(self.seed, &[u64::from(number)]);
            points += self.play(next, position.side(), &mut dice)?;
        }
        Some(points)
    }

    /// The result of a playout for a side: 1, ½ or 0.
    fn play(&mut self, mut position: Position, own: Color, dice: &mut Stream) -> Option<f64> {
        while !position.is_over() {
            if self.watch.check() {
                return None;
            }
            position = if position.must_pass() {
                position.pass()
            } else if position.side() == own {
                position.play(self.base.choose(position, self.limits, &mut |_| {}).ok()??.best)?
            } else {
                position.play(self.reply(position, dice)?)?
            };
        }
        let score = position.final_score(self.variant, own)?.discs();
        Some(f64::from(score.signum() + 1) / 2.0)
    }

    /// What the opponent may answer: what it has answered before, or a move by the model's chances.
    fn reply(&mut self, position: Position, dice: &mut Stream) -> Option<Square> {
        let moves = position.legal_moves();
        if moves.count() == 1 {
            return moves.into_iter().next();
        }
        let known = self.memory.answer(position);
        if known.is_some() && dice.random::<f64>() < self.memory.constancy() {
            return known;
        }
        let mut rest: f64 = dice.random();
        let replies = self.model.predict_within(position, self.watch);
        let drawn = replies.iter().find(|reply| {
            rest -= reply.chance;
            rest < 0.0
        });
        drawn.or(replies.last()).map(|reply| reply.square)
    }
}
