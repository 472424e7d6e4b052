//! How weak levels err: like people, not like dice.
//!
//! A beginner sees at once what a move does to the board and has to look for everything else. So a quiet move,
//! one that looks worse at first sight, may be overlooked; a move that looks good is preferred to a better one;
//! and what is seen is misjudged by some discs. All of it depends on the game and the position alone, so that
//! the same position of a game is always seen alike.

use rand::{Rng, RngExt};

use turncoat_board::{Position, VariantKind};

use crate::MoveInfo;

/// How much a level errs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mistakes {
    /// The standard deviation of its misjudgement in discs.
    pub(super) misjudges: f64,
    /// The chance of a very quiet move to be overlooked.
    pub(super) overlooks: f64,
    /// How much of what a move flips at once is taken for its value, in parts of a disc for each disc.
    pub(super) dazzled: f64,
}

/// Moves that look worse than the most obvious one by so many discs are overlooked half as often as very quiet
/// ones.
const HALF_QUIET: f64 = 2.0;

impl Mistakes {
    /// No mistakes on purpose.
    pub(super) const NONE: Self = Self { misjudges: 0.0, overlooks: 0.0, dazzled: 0.0 };

    /// The move that seems best; `None` if there is none or all are overlooked.
    pub(super) fn choose(
        &self,
        variant: VariantKind,
        position: Position,
        mut moves: Vec<MoveInfo>,
        dice: &mut impl Rng,
    ) -> Option<MoveInfo> {
        let looks: Vec<f64> = moves.iter().map(|info| first_sight(variant, position, info)).collect();
        let obvious = looks.iter().copied().reduce(f64::max)?;
        let mut best: Option<(f64, usize)> = None;
        for (index, (info, look)) in moves.iter().zip(looks).enumerate() {
            let quiet = obvious - look;
            let chance = self.overlooks * quiet / (quiet + HALF_QUIET);
            let overlooked = dice.random_bool(chance.clamp(0.0, 1.0));
            // The sum of three uniform numbers: nearly normal, and never further off than 3 deviations.
            let error: f64 = (0..3).map(|_| dice.random_range(-1.0..1.0)).sum();
            let seems = info.score.unwrap_or(0.0) + self.misjudges * error - self.dazzled * quiet;
            if !overlooked && best.is_none_or(|(most, _)| seems > most) {
                best = Some((seems, index));
            }
        }
        best.map(|(_, index)| moves.swap_remove(index))
    }
}

/// How good a move looks at once: the discs that it flips, many in Reversi and few in Reversed Reversi.
fn first_sight(variant: VariantKind, position: Position, info: &MoveInfo) -> f64 {
    let theirs = |position: Position, color| position.discs(color).count();
    let other = !position.side();
    let flipped =
        position.play(info.best).map_or(0, |after| theirs(position, other).saturating_sub(theirs(after, other)));
    f64::from(variant.sign()) * f64::from(flipped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::stream;
    use turncoat_board::Geometry;

    /// A position of Reversed Reversi, its moves with equal scores, and what each flips.
    fn moves() -> (Position, Vec<MoveInfo>) {
        let game = ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3"];
        let mut position = Position::start(Geometry::EIGHT);
        for label in game {
            let square = Geometry::EIGHT.square(label).unwrap();
            position = position.play(square).unwrap();
        }
        let moves = position
            .legal_moves()
            .into_iter()
            .map(|square| MoveInfo { score: Some(0.0), ..MoveInfo::at_sight(square) });
        (position, moves.collect())
    }

    fn chosen(mistakes: Mistakes, game: u64, scores: impl Fn(f64) -> f64) -> f64 {
        let (position, mut moves) = moves();
        let sight = |info: &MoveInfo| first_sight(VariantKind::Reversed, position, info);
        for info in &mut moves {
            info.score = Some(scores(sight(info)));
        }
        let mut dice = stream(1, &[game]);
        let best = mistakes.choose(VariantKind::Reversed, position, moves, &mut dice);
        sight(&best.unwrap())
    }

    #[test]
    fn flipping_few_looks_good() {
        let (position, moves) = moves();
        let sight: Vec<f64> = moves.iter().map(|info| first_sight(VariantKind::Reversed, position, info)).collect();
        assert!(sight.iter().all(|&look| look <= -1.0));
        let reversi = first_sight(VariantKind::Reversi, position, &moves[0]);
        assert!((reversi + sight[0]).abs() < 1e-9);
    }

    #[test]
    fn a_good_quiet_move_may_be_overlooked_and_an_obvious_one_is_not() {
        let blind = Mistakes { overlooks: 1.0, ..Mistakes::NONE };
        let (position, moves) = moves();
        let sight = |info: &MoveInfo| first_sight(VariantKind::Reversed, position, info);
        let found = |good: &MoveInfo| {
            let plays_it = |&game: &u64| {
                let mut moves = moves.clone();
                for info in &mut moves {
                    info.score = Some(if info.best == good.best { 10.0 } else { 0.0 });
                }
                let mut dice = stream(1, &[game]);
                let best = blind.choose(VariantKind::Reversed, position, moves, &mut dice);
                best.unwrap().best == good.best
            };
            (0..300).filter(plays_it).count()
        };
        let by_sight = |a: &&MoveInfo, b: &&MoveInfo| sight(a).total_cmp(&sight(b));
        let quiet = found(moves.iter().min_by(by_sight).unwrap());
        let obvious = found(moves.iter().max_by(by_sight).unwrap());
        // One disc quieter: a third of its chances.
        assert!((150..250).contains(&quiet), "{quiet}");
        assert_eq!(obvious, 300);
    }

    #[test]
    fn a_dazzled_player_prefers_what_looks_good() {
        let dazzled = Mistakes { dazzled: 2.0, ..Mistakes::NONE };
        let quiet = |sight: f64| -sight;
        assert!(chosen(dazzled, 0, quiet) > chosen(Mistakes::NONE, 0, quiet));
    }
}
