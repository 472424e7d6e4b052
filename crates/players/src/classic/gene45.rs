//! `gene45` (Li 2021): iterative deepening from three plies, and a complete search of the last ten.

use std::time::Duration;

use turncoat_board::{Position, VariantKind};
use turncoat_eval::classic::Gene45;
use turncoat_search::minimax::{Minimax, Proof, Style, TerminalValue, Ties, choose, prove};

use super::{ByColor, DEPTH, Decision, OwnLimits, TIME, WEIGHTS, explain, take_parameters};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "gene45",
    about: "board, action, stability, frontier and discs, evolved as binary genes",
    variants: &[VariantKind::Reversed],
    sides: ALL_SIDES,
    options: &[
        DEPTH,
        TIME,
        OptionHelp {
            key: "final",
            value: "EMPTIES",
            about: "searches to the end from this many empty squares on (10; 0 never)",
        },
        WEIGHTS,
    ],
    make: |options, setting| Ok(Box::new(Gene45Player::from_options(options, setting)?)),
    parameters: Some(|options| {
        let parameters = take_parameters(options, Gene45::SCHEMA, Gene45::published())?;
        Ok((Gene45::SCHEMA, parameters))
    }),
};

/// The report's own limit: 0.2 s less than the course's five.
const OWN_TIME: Duration = Duration::from_millis(4800);
const FIRST_DEPTH: u32 = 3;
const LAST_DEPTH: u32 = 9;
const FINAL_EMPTIES: u32 = 10;
const FINAL_FIRST_DEPTH: u32 = 2;

struct Gene45Player {
    evaluation: ByColor<Gene45>,
    own: OwnLimits,
    final_empties: u32,
}

impl Gene45Player {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let parameters = take_parameters(options, Gene45::SCHEMA, Gene45::published())?;
        let own = OwnLimits::from_options(options, Some(OWN_TIME))?;
        let final_empties = options.take("final")?.unwrap_or(FINAL_EMPTIES);
        let make = |own: &_| Gene45::new(own, setting.geometry);
        let evaluation = ByColor::make(&parameters, options, make)?;
        Ok(Self { evaluation, own, final_empties })
    }

    /// One complete search to a depth; a search that is cut short changes nothing.
    fn search(&self, position: Position, depth: u32, decision: &mut Decision<'_>) {
        let search = Minimax {
            evaluation: self.evaluation.for_color(position.side()),
            style: Style { terminal: TerminalValue::WinOrNothing, ..Style::PLAIN },
            variant: VariantKind::Reversed,
            depth,
            ties: Ties::Last,
        };
        let choice = choose(search, position, &mut decision.watch, &mut |_| {});
        if let Some(choice) = choice.filter(|_| !decision.watch.is_over()) {
            decision.choices.offer(choice.square, depth, false);
        }
    }
}

impl Player for Gene45Player {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(mut decision) = Decision::begin(position, limits, self.own, report) else {
            return Ok(None);
        };
        let deepest = self.own.depth(limits, LAST_DEPTH);
        if position.empties() <= self.final_empties {
            self.search(position, FINAL_FIRST_DEPTH.min(deepest), &mut decision);
            match prove(position, VariantKind::Reversed, &mut decision.watch) {
                Some(Proof::Win(square) | Proof::Draw(square)) => {
                    decision.choices.offer(square, position.empties(), true);
                }
                Some(Proof::Loss) | None => {}
            }
            return Ok(Some(decision.answer()));
        }
        for depth in FIRST_DEPTH.min(deepest)..=deepest {
            self.search(position, depth, &mut decision);
            // Deeper than the empty squares there is nothing to see.
            if decision.watch.check() || depth >= position.empties() {
                break;
            }
        }
        Ok(Some(decision.answer()))
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        Some(explain(self.evaluation.for_color(position.side()), position))
    }
}
