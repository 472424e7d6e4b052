//! `top-six` (Nie 2021): a beam of the six best moves at every node, five plies deep, with a stop at 4.9 s.

use std::time::Duration;

use turncoat_board::{Position, VariantKind};
use turncoat_eval::classic::{TopSix, TopSixSet};
use turncoat_search::minimax::{Minimax, Style, Ties};

use super::{ByColor, DEPTH, Decision, OwnLimits, TIME, WEIGHTS, explain, take_parameters};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "top-six",
    about: "seven hand-made aspects by phase, searched with a beam of six moves",
    variants: &[VariantKind::Reversed],
    sides: ALL_SIDES,
    options: &[
        DEPTH,
        TIME,
        OptionHelp { key: "set", value: "static|dynamic|genetic", about: "one of the report's parameter sets" },
        OptionHelp { key: "beam", value: "MOVES", about: "moves searched at a node (6; 0 for all)" },
        WEIGHTS,
    ],
    make: |options, setting| Ok(Box::new(TopSixPlayer::from_options(options, setting)?)),
    parameters: Some(|options| {
        let set = take_set(options)?;
        let parameters = take_parameters(options, &TopSix::SCHEMA, TopSix::published(set))?;
        Ok((TopSix::SCHEMA, parameters))
    }),
};

const OWN_TIME: Duration = Duration::from_millis(4900);
const OWN_DEPTH: u32 = 5;
const OWN_BEAM: usize = 6;

struct TopSixPlayer {
    evaluation: ByColor<TopSix>,
    own: OwnLimits,
    beam: Option<usize>,
}

fn take_set(options: &mut Options) -> Result<TopSixSet, SpecError> {
    options.refuse_both("set", "weights")?;
    match options.take::<String>("set")?.as_deref() {
        Some("static") => Ok(TopSixSet::Static),
        None | Some("dynamic") => Ok(TopSixSet::Dynamic),
        Some("genetic") => Ok(TopSixSet::Genetic),
        Some(other) => Err(options.fault(format!("set={other}: it is static, dynamic or genetic"))),
    }
}

impl TopSixPlayer {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let set = take_set(options)?;
        let parameters = take_parameters(options, &TopSix::SCHEMA, TopSix::published(set))?;
        let own = OwnLimits::from_options(options, Some(OWN_TIME))?;
        let beam = match options.take("beam")?.unwrap_or(OWN_BEAM) {
            0 => None,
            width => Some(width),
        };
        let make = |own: &_| TopSix::new(own, setting.geometry);
        let evaluation = ByColor::make(&parameters, options, make)?;
        Ok(Self { evaluation, own, beam })
    }
}

impl Player for TopSixPlayer {
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
            style: Style { beam: self.beam, ..Style::PLAIN },
            variant: VariantKind::Reversed,
            depth,
            ties: Ties::First,
        };
        decision.look(search, position);
        decision.search(search, position);
        Ok(Some(decision.answer()))
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        Some(explain(self.evaluation.for_color(position.side()), position))
    }
}
