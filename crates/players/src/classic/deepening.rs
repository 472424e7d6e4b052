//! Iterative deepening from three plies, and a complete search of the last few: how `gene45` and `linear` search.

use turncoat_board::{Position, VariantKind};
use turncoat_eval::ClassicEvaluation;
use turncoat_search::minimax::{Minimax, Proof, Style, TerminalValue, Ties, choose, prove};

use super::{ByColor, Decision, OwnLimits, explain};
use crate::{Explanation, Fault, Limits, MoveInfo, OptionHelp, Options, Player, SpecError};

pub(crate) const FINAL: OptionHelp = OptionHelp {
    key: "final",
    value: "EMPTIES",
    about: "searches to the end from this many empty squares on (10; 0 never)",
};

const FIRST_DEPTH: u32 = 3;
const LAST_DEPTH: u32 = 9;
/// Without any limit of depth or time.
const USUAL_DEPTH: u32 = 4;
const FINAL_EMPTIES: u32 = 10;
const FINAL_FIRST_DEPTH: u32 = 2;

pub(super) struct Deepening<E> {
    evaluation: ByColor<E>,
    variant: VariantKind,
    own: OwnLimits,
    final_empties: u32,
}

impl<E: ClassicEvaluation> Deepening<E> {
    pub(super) fn from_options(
        options: &mut Options,
        evaluation: ByColor<E>,
        variant: VariantKind,
        own: OwnLimits,
    ) -> Result<Self, SpecError> {
        let final_empties = options.take("final")?.unwrap_or(FINAL_EMPTIES);
        Ok(Self { evaluation, variant, own, final_empties })
    }

    /// One complete search to a depth; a search that is cut short changes nothing.
    fn search(&self, position: Position, depth: u32, decision: &mut Decision<'_>) {
        let search = Minimax {
            evaluation: self.evaluation.for_color(position.side()),
            style: Style { terminal: TerminalValue::WinOrNothing, ..Style::PLAIN },
            variant: self.variant,
            depth,
            ties: Ties::Last,
        };
        let choice = choose(search, position, &mut decision.watch, &mut |_| {});
        if let Some(choice) = choice.filter(|_| !decision.watch.is_over()) {
            decision.choices.offer(choice.square, depth, false);
        }
    }
}

impl<E: ClassicEvaluation> Player for Deepening<E> {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let Some(mut decision) = Decision::begin(position, limits, self.own, report) else {
            return Ok(None);
        };
        let has_clock = self.own.time.or(limits.time).is_some();
        let deepest = self.own.depth(limits, if has_clock { LAST_DEPTH } else { USUAL_DEPTH });
        if position.empties() <= self.final_empties {
            self.search(position, FINAL_FIRST_DEPTH.min(deepest), &mut decision);
            match prove(position, self.variant, &mut decision.watch) {
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
