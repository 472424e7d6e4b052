//! `gene45` (seed 000): board rewards, action rewards, stability, frontier and discs in two stages, evolved
//! as 45 binary genes.

use turncoat_board::isa::Isa;
use turncoat_board::{Geometry, VariantKind};

use super::features::{ClassTable, frontier_pairs, lead, walked_stable};
use super::parameters::MOST_STAGES;
use super::{Group, Parameters, Schedule, Schema};
use crate::{Evaluator, Seen, Term};

/// What the parameters of gene45 are.
const SCHEMA: Schema = Schema {
    player: "gene45",
    variant: VariantKind::Reversed,
    shared: &[Group::weights("stable", 1, "each opposing stable disc, less own")],
    staged: &[
        Group::table(
            "board",
            "each opposing disc, less own: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
        ),
        Group::table("action", "each own legal move, less opposing, on the same squares"),
        Group::weights("frontier", 1, "each pair of an own disc and an empty neighbour, less opposing"),
        Group::weights("discs", 1, "each own disc, less opposing"),
    ],
    most_stages: MOST_STAGES,
};

/// The evaluation of seed 000.
#[derive(Debug, Clone)]
pub struct Gene45 {
    geometry: Geometry,
    schedule: Schedule,
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
        let (schedule, stages) = Schedule::lay_out(parameters, geometry);
        Some(Self { geometry, schedule, stable: parameters.shared[0], stages: stages.iter().map(stage).collect() })
    }

    #[inline(always)]
    fn stage(&self, seen: &Seen) -> &Stage {
        &self.stages[self.schedule.stage(seen.board.discs().count())]
    }

    /// Opposing minus own stable discs.
    #[inline(always)]
    fn stability(&self, seen: &Seen) -> i32 {
        let marked = walked_stable(seen.own(), seen.opposing(), self.geometry);
        lead(seen.opposing() & marked, seen.own() & marked)
    }

    #[inline(always)]
    fn frontier(&self, seen: &Seen) -> i32 {
        frontier_pairs(seen.own(), seen.opposing(), seen.board.empties(self.geometry))
    }
}

impl Evaluator for Gene45 {
    #[inline(always)]
    fn value<I: Isa>(&self, _isa: I, seen: &Seen) -> f64 {
        let stage = self.stage(seen);
        // The report subtracts the reward of own discs and adds that of opposing ones.
        stage.board.difference(seen.opposing(), seen.own())
            + stage.action.difference(seen.own_moves, seen.opposing_moves)
            + self.stable * f64::from(self.stability(seen))
            + stage.frontier * f64::from(self.frontier(seen))
            + stage.discs * f64::from(lead(seen.own(), seen.opposing()))
    }

    fn terms(&self, seen: &Seen) -> Vec<Term> {
        let stage = self.stage(seen);
        let board = stage.board.parts(seen.opposing(), seen.own());
        let action = stage.action.parts(seen.own_moves, seen.opposing_moves);
        let mut terms: Vec<Term> = Vec::new();
        terms.extend(board.map(|(class, value, weight)| Term::new(format!("board {class}"), value, weight)));
        terms.extend(action.map(|(class, value, weight)| Term::new(format!("action {class}"), value, weight)));
        terms.push(Term::new("stable", self.stability(seen), self.stable));
        terms.push(Term::new("frontier", self.frontier(seen), stage.frontier));
        terms.push(Term::new("discs", lead(seen.own(), seen.opposing()), stage.discs));
        terms
    }
}
