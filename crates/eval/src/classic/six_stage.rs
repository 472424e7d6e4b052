//! `six-stage`, the one classic player of Reversi: position, mobility and stability with other weights in each of six
//! stages; flipped discs are counted along the path of the search.
//!
//! Source: Jiayu Zhang, "Report for Project Reversi", Southern University of Science and Technology, 2020.
//! The stage weights and the counts of stability come from public code whose repository is not known by name.

use std::borrow::Cow;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Geometry, VariantKind};

use super::features::{ClassTable, clamped_edges, lead, tied_to_corners};
use super::parameters::{MOST_STAGES, Range};
use super::{Group, Parameters, Schema, StageSchedule};
use crate::{ClassicEvaluation, RootView, Term};

const SCHEMA: Schema = Schema {
    player: "six-stage",
    variant: VariantKind::Reversi,
    shared: Cow::Borrowed(&[Group::table(
        "board",
        "each own disc, less opposing: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
    )]),
    staged: Cow::Borrowed(&[
        Group::weights("position", 1, "board table"),
        Group::weights("mobility", 1, "each own legal move, less opposing"),
        Group::weights("stability", 1, "5 for an own disc tied to a corner, 1 for a clamped one, less opposing"),
        Group::weights("flips", 1, "each disc flipped along the path, by either side"),
        Group { name: "depth", count: 1, about: "plies of the last search", range: Range::Plies },
    ]),
    most_stages: MOST_STAGES,
};

/// What a disc tied to a corner counts, and an edge disc between opposing ones (public code).
const TIED: u32 = 5;
const CLAMPED: u32 = 1;

/// The evaluation of `six-stage`.
#[derive(Debug, Clone)]
pub struct SixStage {
    geometry: Geometry,
    schedule: StageSchedule,
    board: ClassTable,
    /// Position, mobility, stability, flips, depth.
    stages: Vec<[f64; 5]>,
}

impl SixStage {
    /// What its parameters are.
    pub const SCHEMA: Schema = SCHEMA;

    /// The report's table and public code's stage weights.
    pub fn published() -> Parameters {
        let stages: [[f64; 5]; 6] = [
            [1.0, 50.0, 500.0, -20.0, 4.0],
            [1.0, 150.0, 400.0, -10.0, 3.0],
            [1.0, 100.0, 300.0, -5.0, 3.0],
            [1.0, 80.0, 250.0, 0.0, 3.0],
            [0.5, 50.0, 150.0, 50.0, 5.0],
            [0.0, 50.0, 100.0, 200.0, 9.0],
        ];
        Parameters::stepped(
            // The root's discs less three are below 15, 30, 40, 50, 60.
            vec![17, 32, 42, 52, 62],
            [1000, -200, 60, 40, -500, -5, -5, 3, 2, 1].map(f64::from).to_vec(),
            stages.map(|stage| stage.to_vec()).to_vec(),
        )
    }

    /// The evaluation with these parameters, if they fit the schema.
    pub fn new(parameters: &Parameters, geometry: Geometry) -> Option<Self> {
        if !SCHEMA.fits(parameters) {
            return None;
        }
        let mut board = [0.0; 10];
        board.copy_from_slice(&parameters.shared);
        let stage = |numbers: &Vec<f64>| {
            let mut weights = [0.0; 5];
            weights.copy_from_slice(numbers);
            weights
        };
        let (schedule, stages) = StageSchedule::lay_out(parameters, geometry);
        Some(Self {
            geometry,
            schedule,
            board: ClassTable::new(board, geometry),
            stages: stages.iter().map(stage).collect(),
        })
    }

    /// The stage is the root's.
    #[inline(always)]
    fn stage(&self, root_discs: u32) -> [f64; 5] {
        self.stages[self.schedule.stage(root_discs)]
    }

    /// What a flipped disc adds along the path, whichever side flips it.
    pub fn flip_bonus(&self, root_discs: u32) -> f64 {
        self.stage(root_discs)[3]
    }

    /// How many plies the last of the three searches looks ahead.
    pub fn depth(&self, root_discs: u32) -> u32 {
        // Whole by the schema; rounded between knots, clamped for parameters that no file was read for.
        self.stage(root_discs)[4].round().clamp(1.0, 60.0) as u32
    }

    #[inline(always)]
    fn stability(&self, discs: Bitboard, opposing: Bitboard) -> u32 {
        TIED * tied_to_corners(discs, self.geometry).count()
            + CLAMPED * clamped_edges(discs, opposing, self.geometry).count()
    }

    /// Position, mobility and stability, own minus opposing.
    #[inline(always)]
    fn leads(&self, view: &RootView) -> [f64; 3] {
        let (own, opposing) = (view.own(), view.opposing());
        let stability = self.stability(own, opposing) as i32 - self.stability(opposing, own) as i32;
        [
            self.board.difference(own, opposing),
            f64::from(lead(view.own_moves, view.opposing_moves)),
            f64::from(stability),
        ]
    }
}

impl ClassicEvaluation for SixStage {
    #[inline(always)]
    fn value<I: Isa>(&self, _isa: I, view: &RootView) -> f64 {
        let (weights, [position, mobility, stability]) = (self.stage(view.root_discs), self.leads(view));
        weights[0] * position + weights[1] * mobility + weights[2] * stability
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        let names = ["position", "mobility", "stability"];
        let weighed = names.into_iter().zip(self.leads(view)).zip(self.stage(view.root_discs));
        weighed.map(|((name, value), weight)| Term::new(name, value, weight)).collect()
    }
}
