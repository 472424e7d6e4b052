//! `shifting-weights` (Yuan 2021): greedy on the shifting table, or alpha-beta of depth four over it.

use turncoat_board::{Position, VariantKind};
use turncoat_eval::classic::{Parameters, ShiftingWeights};
use turncoat_search::minimax::{Minimax, Style, TerminalValue, Ties};

use super::{ByColor, DEPTH, Decision, OwnLimits, TIME, WEIGHTS, explain, take_parameters};
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "shifting-weights",
    about: "a board table that changes beside held corners",
    variants: &[VariantKind::Reversed],
    sides: &[8],
    options: &[
        DEPTH,
        TIME,
        OptionHelp { key: "form", value: "alphabeta|greedy", about: "searches, or takes the best square" },
        OptionHelp { key: "mobility", value: "WEIGHT", about: "what a move more than the opponent is worth (0)" },
        WEIGHTS,
    ],
    make: |options, _| Ok(Box::new(ShiftingWeightsPlayer::from_options(options)?)),
    parameters: Some(|options| Ok((ShiftingWeights::SCHEMA, take_all(options)?))),
};

const OWN_DEPTH: u32 = 4;

struct ShiftingWeightsPlayer {
    evaluation: ByColor<ShiftingWeights>,
    own: OwnLimits,
    greedy: bool,
}

/// The parameters, with the mobility weight that an option may set.
fn take_all(options: &mut Options) -> Result<Parameters, SpecError> {
    let published = ShiftingWeights::published();
    let mut parameters = take_parameters(options, &ShiftingWeights::SCHEMA, published)?;
    if let Some(weight) = options.take::<f64>("mobility")? {
        if weight.is_nan() || weight.abs() > 1e6 {
            let fault = "mobility is a number from -1000000 to 1000000";
            return Err(options.fault(fault.to_owned()));
        }
        parameters.shared[0] = weight;
    }
    Ok(parameters)
}

impl ShiftingWeightsPlayer {
    fn from_options(options: &mut Options) -> Result<Self, SpecError> {
        let parameters = take_all(options)?;
        let own = OwnLimits::from_options(options, None)?;
        let searching = own.depth.is_some() || own.time.is_some();
        let greedy = match options.take::<String>("form")?.as_deref() {
            None | Some("alphabeta") => false,
            Some("greedy") if searching => {
                return Err(options.fault("form=greedy does not search: depth and time have no meaning".to_owned()));
            }
            Some("greedy") => true,
            Some(other) => {
                return Err(options.fault(format!("form={other}: it is alphabeta or greedy")));
            }
        };
        Ok(Self { evaluation: ByColor::make(&parameters, options, ShiftingWeights::new)?, own, greedy })
    }
}

impl Player for ShiftingWeightsPlayer {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(mut decision) = Decision::begin(position, limits, self.own, report) else {
            return Ok(None);
        };
        let evaluation = self.evaluation.for_color(position.side());
        if self.greedy {
            let weight = |square| evaluation.weight(square, position.board().mover());
            let moves = position.legal_moves().into_iter();
            // Of equal squares the first one; `max_by` would take the last.
            if let Some(square) = moves.reduce(|best, next| if weight(next) > weight(best) { next } else { best }) {
                decision.choices.offer(square, 1, false);
            }
            return Ok(Some(decision.answer()));
        }
        let depth = self.own.depth(limits, OWN_DEPTH);
        let search = Minimax {
            evaluation,
            style: Style {
                free_pass: false,
                // The report breaks off before it could say; a finished game is what it is (ours).
                terminal: TerminalValue::WinOrNothing,
                ..Style::PLAIN
            },
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
