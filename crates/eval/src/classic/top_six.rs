//! `top-six`: seven hand-made aspects whose weights change with the phase of the game.
//!
//! Source: Yuhe Nie, "Artificial Intelligence of Reversed Reversi", Southern University of Science and Technology, 2021.

use std::borrow::Cow;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Geometry, VariantKind};

use super::features::{ClassTable, conquered_corners, corners, kill, lead, walked_stable};
use super::parameters::MOST_STAGES;
use super::{Group, Parameters, Schema, StageSchedule};
use crate::{ClassicEvaluation, RootView, Term};

/// The report's seven aspects, in its order and with its letters.
const ASPECTS: [&str; 7] = ["w board", "s stability", "m mobility", "k kill", "c1 corners", "c2 conquered", "cr color"];

const SCHEMA: Schema = Schema {
    player: "top-six",
    variant: VariantKind::Reversed,
    shared: Cow::Borrowed(&[Group::table(
        "board",
        "each own disc, less opposing: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
    )]),
    staged: Cow::Borrowed(&[
        Group::weights("w", 1, "board table"),
        Group::weights("s", 1, "stability: each opposing stable disc, less own"),
        Group::weights("m", 1, "mobility: each own legal move, less opposing"),
        Group::weights("k", 1, "kill: each disc the opponent could flip, less own"),
        Group::weights("c1", 1, "corners: each opposing one, less own"),
        Group::weights("c2", 1, "conquered: each empty corner among three own discs, less opposing"),
        Group::weights("cr", 1, "colour: each opposing disc, less own"),
    ]),
    most_stages: MOST_STAGES,
};

/// The three parameter sets of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TopSixSet {
    /// One set for the whole game (Table 2).
    Static,
    /// Five phases made by hand (Table 4).
    #[default]
    Dynamic,
    /// Three phases evolved (Table 5).
    Genetic,
}

/// The evaluation of `top-six`.
#[derive(Debug, Clone)]
pub struct TopSix {
    geometry: Geometry,
    schedule: StageSchedule,
    board: ClassTable,
    phases: Vec<[f64; 7]>,
}

impl TopSix {
    /// What its parameters are.
    pub const SCHEMA: Schema = SCHEMA;

    /// The published parameters.
    pub fn published(set: TopSixSet) -> Parameters {
        let phases: &[[u32; 7]] = match set {
            TopSixSet::Static => &[[1, 30, 10, 10, 200, 500, 10]],
            TopSixSet::Dynamic => &[
                [1, 30, 10, 10, 200, 500, 10],
                [1, 30, 30, 20, 100, 300, 50],
                [1, 100, 30, 100, 70, 200, 300],
                [1, 300, 30, 100, 50, 150, 500],
                [1, 500, 30, 100, 50, 150, 999],
            ],
            TopSixSet::Genetic => &[[1, 36, 0, 6, 36, 44, 50], [1, 40, 0, 50, 2, 11, 33], [1, 39, 25, 8, 1, 50, 39]],
        };
        let count = phases.len() as u32;
        Parameters::stepped(
            // The 60 moves are split evenly; the root's move number is its discs less the first four.
            (1..count).map(|phase| 60 * phase / count + 3).collect(),
            [-500, 200, -8, 6, 30, -16, 3, 4, 4, 0].map(f64::from).to_vec(),
            phases.iter().map(|phase| phase.map(f64::from).to_vec()).collect(),
        )
    }

    /// The evaluation with these parameters, if they fit the schema.
    pub fn new(parameters: &Parameters, geometry: Geometry) -> Option<Self> {
        if !SCHEMA.fits(parameters) {
            return None;
        }
        let mut board = [0.0; 10];
        board.copy_from_slice(&parameters.shared);
        let phase = |numbers: &Vec<f64>| {
            let mut weights = [0.0; 7];
            weights.copy_from_slice(numbers);
            weights
        };
        let (schedule, phases) = StageSchedule::lay_out(parameters, geometry);
        Some(Self {
            geometry,
            schedule,
            board: ClassTable::new(board, geometry),
            phases: phases.iter().map(phase).collect(),
        })
    }

    /// The phase is the root's, not the leaf's.
    #[inline(always)]
    fn phase(&self, view: &RootView) -> [f64; 7] {
        self.phases[self.schedule.stage(view.root_discs)]
    }

    #[inline(always)]
    fn aspects<I: Isa>(&self, isa: I, view: &RootView) -> [f64; 7] {
        let (own, opposing) = (view.own(), view.opposing());
        let empties = view.board.empties(self.geometry);
        let marked = walked_stable(own, opposing, self.geometry);
        let own_kill = kill(isa, view.board, view.own_moves) as i32;
        let opposing_kill = kill(isa, view.board.pass(), view.opposing_moves) as i32;
        let corners = corners(self.geometry);
        let conquered = conquered_corners(own, empties, self.geometry) as i32
            - conquered_corners(opposing, empties, self.geometry) as i32;
        [
            self.board.difference(own, opposing),
            f64::from(lead(opposing & marked, own & marked)),
            f64::from(lead(view.own_moves, view.opposing_moves)),
            f64::from(opposing_kill - own_kill),
            f64::from(lead(opposing & corners, own & corners)),
            f64::from(conquered),
            f64::from(lead(opposing, own)),
        ]
    }
}

impl ClassicEvaluation for TopSix {
    #[inline(always)]
    fn value<I: Isa>(&self, isa: I, view: &RootView) -> f64 {
        let mut value = 0.0;
        for (weight, aspect) in self.phase(view).into_iter().zip(self.aspects(isa, view)) {
            value += weight * aspect;
        }
        value
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        let aspects = Backend::best().run(Aspects { evaluation: self, view });
        let weighed = ASPECTS.into_iter().zip(aspects).zip(self.phase(view));
        weighed.map(|((name, value), weight)| Term::new(name, value, weight)).collect()
    }
}

struct Aspects<'a> {
    evaluation: &'a TopSix,
    view: &'a RootView,
}

impl Task for Aspects<'_> {
    type Output = [f64; 7];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [f64; 7] {
        self.evaluation.aspects(isa, self.view)
    }
}
