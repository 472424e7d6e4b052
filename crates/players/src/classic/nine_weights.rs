//! `nine-weights` (Huang 2022): every root move searched with a full window, then all of them sorted from
//! worst to best.

use turncoat_board::{Position, VariantKind};
use turncoat_eval::classic::{NineWeights, Signs};
use turncoat_search::minimax::{Minimax, Style, Ties, score_all};

use super::{ByColor, DEPTH, Decision, OwnLimits, TIME, WEIGHTS, explain, take_parameters};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "nine-weights",
    about: "mobility, frontier, stability, discs and a board table, nine evolved weights",
    variants: &[VariantKind::Reversed],
    sides: ALL_SIDES,
    options: &[
        DEPTH,
        TIME,
        OptionHelp {
            key: "signs",
            value: "sensible|literal",
            about: "literal takes frontier and stability as the report prints them",
        },
        WEIGHTS,
    ],
    make: |options, setting| Ok(Box::new(NineWeightsPlayer::from_options(options, setting)?)),
    parameters: Some(|options| {
        let parameters = take_parameters(options, &NineWeights::SCHEMA, NineWeights::published())?;
        Ok((NineWeights::SCHEMA, parameters))
    }),
};

const OWN_DEPTH: u32 = 4;

struct NineWeightsPlayer {
    evaluation: ByColor<NineWeights>,
    own: OwnLimits,
}

impl NineWeightsPlayer {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let parameters = take_parameters(options, &NineWeights::SCHEMA, NineWeights::published())?;
        let own = OwnLimits::from_options(options, None)?;
        let signs = match options.take::<String>("signs")?.as_deref() {
            None | Some("sensible") => Signs::Sensible,
            Some("literal") => Signs::Literal,
            Some(other) => {
                return Err(options.fault(format!("signs={other}: it is sensible or literal")));
            }
        };
        let make = |own: &_| NineWeights::new(own, signs, setting.geometry);
        let evaluation = ByColor::make(&parameters, options, make)?;
        Ok(Self { evaluation, own })
    }
}

impl Player for NineWeightsPlayer {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(mut decision) = Decision::begin(position, limits, self.own, report) else {
            return Ok(None);
        };
        let depth = self.own.depth(limits, OWN_DEPTH);
        let search = Minimax {
            evaluation: self.evaluation.for_color(position.side()),
            style: Style::PLAIN,
            variant: VariantKind::Reversed,
            depth,
            ties: Ties::First,
        };
        decision.look(search, position);
        let mut choices = score_all(search, position, &mut decision.watch);
        // The sort is stable: of equal moves the last one ends up last.
        choices.sort_by(|a, b| a.value.total_cmp(&b.value));
        for choice in choices {
            decision.choices.offer(choice.square, depth, false);
        }
        Ok(Some(decision.answer()))
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        Some(explain(self.evaluation.for_color(position.side()), position))
    }
}
