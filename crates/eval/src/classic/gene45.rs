//! `gene45`: board rewards, action rewards, stability, frontier and discs in two stages, evolved
//! as 45 binary genes.
//!
//! Source: Boyan Li, "Report for Project Reversed Reversi", Southern University of Science and Technology, 2021.
//! The second board table is lost in the report's text and comes from public code whose repository is not known by name.

use std::borrow::Cow;

use turncoat_board::isa::Isa;
use turncoat_board::{Geometry, VariantKind};

use super::features::{ClassTable, frontier_pairs, lead, walked_stable};
use super::parameters::MOST_STAGES;
use super::{Group, Parameters, Schema, StageSchedule};
use crate::{ClassicEvaluation, RootView, Term};

/// What the parameters of gene45 are.
const SCHEMA: Schema = Schema {
    player: "gene45",
    variant: VariantKind::Reversed,
    shared: Cow::Borrowed(&[Group::weights("stable", 1, "each opposing stable disc, less own")]),
    staged: Cow::Borrowed(&[
        Group::table(
            "board",
            "each opposing disc, less own: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
        ),
        Group::table("action", "each own legal move, less opposing, on the same squares"),
        Group::weights("frontier", 1, "each pair of an own disc and an empty neighbour, less opposing"),
        Group::weights("discs", 1, "each own disc, less opposing"),
    ]),
    most_stages: MOST_STAGES,
};

/// The evaluation of `gene45`.
#[derive(Debug, Clone)]
pub struct Gene45 {
    geometry: Geometry,
    schedule: StageSchedule,
    stable: f64,
    stages: Vec<Stage>,
}

#[derive(Debug, Clone)]
struct Stage {
    board: ClassTable,
    action: ClassTable,
    frontier: f64,
    discs: f64,
}

impl Gene45 {
    /// What its parameters are.
    pub const SCHEMA: Schema = SCHEMA;

    /// The published parameters. R2 is lost in the report's text; it is public code's.
    pub fn published() -> Parameters {
        let stage = |board: [i8; 10], action: [i8; 10], frontier: i8, discs: i8| {
            board.into_iter().chain(action).chain([frontier, discs]).map(f64::from).collect()
        };
        Parameters::stepped(
            // The integer part of (discs - 5) / 30 is 0 up to 34 discs.
            vec![34],
            vec![202.0],
            vec![
                stage([47, -35, 9, 23, -25, 48, 25, 6, -45, -53], [55, 56, 39, 25, 27, -11, 60, 52, 3, -41], -52, -44),
                stage(
                    [-18, -22, 39, -5, 62, 16, -41, -10, -35, 16],
                    [-22, 12, 43, 56, -51, 49, 41, 55, 36, -60],
                    -27,
                    -51,
                ),
            ],
        )
    }

    /// The evaluation with these parameters, if they fit the schema.
    pub fn new(parameters: &Parameters, geometry: Geometry) -> Option<Self> {
        if !SCHEMA.fits(parameters) {
            return None;
        }
        let table = |weights: &[f64]| {
            let mut of_class = [0.0; 10];
            of_class.copy_from_slice(weights);
            ClassTable::new(of_class, geometry)
        };
        let stage = |numbers: &Vec<f64>| Stage {
            board: table(&numbers[..10]),
            action: table(&numbers[10..20]),
            frontier: numbers[20],
            discs: numbers[21],
        };
        let (schedule, stages) = StageSchedule::lay_out(parameters, geometry);
        Some(Self { geometry, schedule, stable: parameters.shared[0], stages: stages.iter().map(stage).collect() })
    }

    #[inline(always)]
    fn stage(&self, view: &RootView) -> &Stage {
        &self.stages[self.schedule.stage(view.board.discs().count())]
    }

    /// Opposing minus own stable discs.
    #[inline(always)]
    fn stability(&self, view: &RootView) -> i32 {
        let marked = walked_stable(view.own(), view.opposing(), self.geometry);
        lead(view.opposing() & marked, view.own() & marked)
    }

    #[inline(always)]
    fn frontier(&self, view: &RootView) -> i32 {
        frontier_pairs(view.own(), view.opposing(), view.board.empties(self.geometry))
    }
}

impl ClassicEvaluation for Gene45 {
    #[inline(always)]
    fn value<I: Isa>(&self, _isa: I, view: &RootView) -> f64 {
        let stage = self.stage(view);
        // The report subtracts the reward of own discs and adds that of opposing ones.
        stage.board.difference(view.opposing(), view.own())
            + stage.action.difference(view.own_moves, view.opposing_moves)
            + self.stable * f64::from(self.stability(view))
            + stage.frontier * f64::from(self.frontier(view))
            + stage.discs * f64::from(lead(view.own(), view.opposing()))
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        let stage = self.stage(view);
        let board = stage.board.parts(view.opposing(), view.own());
        let action = stage.action.parts(view.own_moves, view.opposing_moves);
        let mut terms: Vec<Term> = Vec::new();
        terms.extend(board.map(|(class, value, weight)| Term::new(format!("board {class}"), value, weight)));
        terms.extend(action.map(|(class, value, weight)| Term::new(format!("action {class}"), value, weight)));
        terms.push(Term::new("stable", self.stability(view), self.stable));
        terms.push(Term::new("frontier", self.frontier(view), stage.frontier));
        terms.push(Term::new("discs", lead(view.own(), view.opposing()), stage.discs));
        terms
    }
}
