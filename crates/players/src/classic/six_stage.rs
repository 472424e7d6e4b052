//! `six-stage` (Zhang 2020): the player of the normal game; searches of two and three plies and then of the
//! stage's depth, flipped discs counted along the path.

use turncoat_board::{Position, VariantKind};
use turncoat_eval::classic::SixStage;
use turncoat_search::minimax::{Minimax, Style, Ties, choose};

use super::{ByColor, DEPTH, Decision, OwnLimits, TIME, WEIGHTS, explain, take_parameters};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, Options, Player, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "six-stage",
    about: "position, mobility, stability and flips, weighed anew in six stages",
    variants: &[VariantKind::Reversi],
    sides: ALL_SIDES,
    options: &[DEPTH, TIME, WEIGHTS],
    make: |options, setting| Ok(Box::new(SixStagePlayer::from_options(options, setting)?)),
    parameters: Some(|options| {
        let parameters = take_parameters(options, &SixStage::SCHEMA, SixStage::published())?;
        Ok((SixStage::SCHEMA, parameters))
    }),
};

struct SixStagePlayer {
    evaluation: ByColor<SixStage>,
    own: OwnLimits,
}

impl SixStagePlayer {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let parameters = take_parameters(options, &SixStage::SCHEMA, SixStage::published())?;
        let own = OwnLimits::from_options(options, None)?;
        let make = |own: &_| SixStage::new(own, setting.geometry);
        let evaluation = ByColor::make(&parameters, options, make)?;
        Ok(Self { evaluation, own })
    }
}

impl Player for SixStagePlayer {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(mut decision) = Decision::begin(position, limits, self.own, report) else {
            return Ok(None);
        };
        let discs = position.board().discs().count();
        let evaluation = self.evaluation.for_color(position.side());
        let last = self.own.depth(limits, evaluation.depth(discs));
        let mut depths = vec![2.min(last), 3.min(last), last];
        depths.dedup();
        for depth in depths {
            let search = Minimax {
                evaluation,
                style: Style { flip_bonus: evaluation.flip_bonus(discs), ..Style::PLAIN },
                variant: VariantKind::Reversi,
                depth,
                ties: Ties::First,
            };
            let choice = choose(search, position, &mut decision.watch, &mut |_| {});
            match choice.filter(|_| !decision.watch.is_over()) {
                Some(choice) => decision.choices.offer(choice.square, depth, false),
                None => break,
            }
        }
        Ok(Some(decision.answer()))
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        Some(explain(self.evaluation.for_color(position.side()), position))
    }
}
