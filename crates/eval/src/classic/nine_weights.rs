//! `nine-weights`: mobility, frontier, stability, discs and a board table, nine real weights.
//!
//! Source: Huihui Huang, "Report for Project Reversed Reversi", Southern University of Science and Technology, 2022.
//! The board table comes from the public repository `huanghuihui0904/SUSTech-CS303-Artificial-Intelligence`.

use std::borrow::Cow;

use turncoat_board::isa::Isa;
use turncoat_board::{Geometry, VariantKind};

use super::features::{ClassTable, frontier_discs, lead, walked_stable};
use super::parameters::MOST_STAGES;
use super::{Group, Parameters, Schema, StageSchedule};
use crate::{ClassicEvaluation, RootView, Term};

const SCHEMA: Schema = Schema {
    player: "nine-weights",
    variant: VariantKind::Reversed,
    shared: Cow::Borrowed(&[
        Group::weights("board_weight", 1, "what the whole board table is multiplied with"),
        Group::table(
            "board",
            "each own disc, less opposing: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
        ),
    ]),
    staged: Cow::Borrowed(&[
        Group::weights("mobility", 1, "each own legal move, less opposing"),
        Group::weights("frontier", 1, "each opposing frontier disc, less own"),
        Group::weights("stable", 1, "each opposing stable disc, less own"),
        Group::weights("discs", 1, "each opposing disc, less own"),
    ]),
    most_stages: MOST_STAGES,
};

/// How the differences of frontier, stability and discs are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signs {
    /// Opposing minus own: few frontier discs, stable discs and discs are good, as the positive weights
    /// want it (ours; a public variant of the program has them so).
    #[default]
    Sensible,
    /// Own minus opposing, as the report prints it for frontier and stability. It prints nothing for
    /// discs, which stay as they are.
    Literal,
}

/// The evaluation of `nine-weights`.
#[derive(Debug, Clone)]
pub struct NineWeights {
    geometry: Geometry,
    schedule: StageSchedule,
    signs: Signs,
    board_weight: f64,
    board: ClassTable,
    /// Mobility, frontier, stability, discs.
    stages: Vec<[f64; 4]>,
}

impl NineWeights {
    /// What its parameters are.
    pub const SCHEMA: Schema = SCHEMA;

    /// The published parameters; the board table is from the author's code, since the report only cites a strategy page.
    pub fn published() -> Parameters {
        let board = [-150.0, 48.0, -8.0, 6.0, -8.0, -16.0, 3.0, 4.0, 4.0, 0.0];
        Parameters::stepped(
            // Stage one lasts while fewer than 30 discs have been placed on the four of the start.
            vec![33],
            [2.22].into_iter().chain(board).collect(),
            vec![vec![2.51, 5.75, 0.75, 1.56], vec![1.88, 3.03, 4.38, 5.21]],
        )
    }

    /// The evaluation with these parameters, if they fit the schema.
    pub fn new(parameters: &Parameters, signs: Signs, geometry: Geometry) -> Option<Self> {
        if !SCHEMA.fits(parameters) {
            return None;
        }
        let mut board = [0.0; 10];
        board.copy_from_slice(&parameters.shared[1..]);
        let stage = |numbers: &Vec<f64>| [numbers[0], numbers[1], numbers[2], numbers[3]];
        let (schedule, stages) = StageSchedule::lay_out(parameters, geometry);
        Some(Self {
            geometry,
            schedule,
            signs,
            board_weight: parameters.shared[0],
            board: ClassTable::new(board, geometry),
            stages: stages.iter().map(stage).collect(),
        })
    }

    #[inline(always)]
    fn stage(&self, view: &RootView) -> [f64; 4] {
        self.stages[self.schedule.stage(view.board.discs().count())]
    }

    /// Leads in mobility, frontier discs, stable discs and discs, signs applied.
    #[inline(always)]
    fn leads(&self, view: &RootView) -> [i32; 4] {
        let (own, opposing) = (view.own(), view.opposing());
        let empties = view.board.empties(self.geometry);
        let marked = walked_stable(own, opposing, self.geometry);
        let frontier = frontier_discs(opposing, empties) as i32 - frontier_discs(own, empties) as i32;
        let stable = lead(opposing & marked, own & marked);
        let sign = if self.signs == Signs::Literal { -1 } else { 1 };
        [lead(view.own_moves, view.opposing_moves), sign * frontier, sign * stable, lead(opposing, own)]
    }
}

impl ClassicEvaluation for NineWeights {
    #[inline(always)]
    fn value<I: Isa>(&self, _isa: I, view: &RootView) -> f64 {
        let (weights, leads) = (self.stage(view), self.leads(view));
        let mut value = self.board_weight * self.board.difference(view.own(), view.opposing());
        for (weight, lead) in weights.into_iter().zip(leads) {
            value += weight * f64::from(lead);
        }
        value
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        let names = ["mobility", "frontier", "stable", "discs"];
        let table = self.board.difference(view.own(), view.opposing());
        let counted = names.into_iter().zip(self.leads(view)).zip(self.stage(view));
        std::iter::once(Term::new("board", table, self.board_weight))
            .chain(counted.map(|((name, lead), weight)| Term::new(name, lead, weight)))
            .collect()
    }
}
