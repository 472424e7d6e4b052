//! `shifting-weights`: a board table that changes beside the corners one holds.
//!
//! Source: Peiqi Yuan, "Reversed-Reversi", Southern University of Science and Technology, undated.
//! The table comes from the author's public repository `YuanPeiqi/AI_Reversi`.

use std::borrow::Cow;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Geometry, Square, VariantKind};

use super::features::{ClassTable, held_corners, lead, near_corners};
use super::{Group, Parameters, Schema};
use crate::{ClassicEvaluation, RootView, Term};

const SCHEMA: Schema = Schema {
    player: "shifting-weights",
    variant: VariantKind::Reversed,
    shared: Cow::Borrowed(&[
        Group::weights("mobility", 1, "each own legal move, less opposing"),
        Group::table(
            "board",
            "each own disc, less opposing: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
        ),
    ]),
    staged: Cow::Borrowed(&[
        Group::weights("c_square", 1, "beside a held corner along the edge (one stage: what squares become)"),
        Group::weights("x_square", 1, "beside a held corner along the diagonal"),
        Group::weights("fourth", 1, "the fourth square of an edge from a held corner"),
        Group::weights("fifth", 1, "the fifth square of an edge from a held corner"),
    ]),
    most_stages: 1,
};

/// The evaluation of `shifting-weights`. Its "stator" shifts the table for each corner that the root side holds.
#[derive(Debug, Clone)]
pub struct ShiftingWeights {
    mobility: f64,
    table: ClassTable,
    /// The weight of each square for each of the sixteen sets of held corners.
    shifted: Vec<[f64; 64]>,
}

impl ShiftingWeights {
    /// What its parameters are. It has one stage: the shifted weights.
    pub const SCHEMA: Schema = SCHEMA;

    /// The numbers of the author's public code: the report's table was a picture.
    pub fn published() -> Parameters {
        let board = [-500, 70, -30, 30, 150, -10, -5, -5, 10, 1];
        Parameters::stepped(
            Vec::new(),
            [0].into_iter().chain(board).map(f64::from).collect(),
            vec![vec![-200.0, -100.0, -50.0, -30.0]],
        )
    }

    /// The evaluation with these parameters, if they fit the schema and have one stage. It is for 8x8
    /// boards: on smaller ones the fourth and fifth squares of an edge belong to its other corner.
    pub fn new(parameters: &Parameters) -> Option<Self> {
        if !SCHEMA.fits(parameters) {
            return None;
        }
        let mut board = [0.0; 10];
        board.copy_from_slice(&parameters.shared[1..]);
        let table = ClassTable::new(board, Geometry::EIGHT);
        let shifts = &parameters.stages[0];
        let shifted = near_corners(Geometry::EIGHT).iter().map(|near| shift(&table, near, shifts)).collect();
        Some(Self { mobility: parameters.shared[0], table, shifted })
    }

    /// The weight of a square in the table as it stands for a side that holds these discs.
    #[inline(always)]
    pub fn weight(&self, square: Square, own: Bitboard) -> f64 {
        self.shifted[held_corners(own, Geometry::EIGHT)][square.index()]
    }

    #[inline(always)]
    fn board(&self, view: &RootView) -> f64 {
        let held = held_corners(view.own(), Geometry::EIGHT);
        if held == 0 {
            return self.table.difference(view.own(), view.opposing());
        }
        let weights = &self.shifted[held];
        let sum = |discs: Bitboard| {
            let mut sum = 0.0;
            for square in discs {
                sum += weights[square.index()];
            }
            sum
        };
        sum(view.own()) - sum(view.opposing())
    }
}

/// The table with the squares near held corners changed.
fn shift(table: &ClassTable, near: &[Bitboard; 4], shifts: &[f64]) -> [f64; 64] {
    let mut weights = [0.0; 64];
    for square in Square::ALL {
        let shifted = near.iter().position(|squares| squares.contains(square));
        weights[square.index()] = shifted.map_or_else(|| table.weight(square), |kind| shifts[kind]);
    }
    weights
}

impl ClassicEvaluation for ShiftingWeights {
    #[inline(always)]
    fn value<I: Isa>(&self, _isa: I, view: &RootView) -> f64 {
        self.board(view) + self.mobility * f64::from(lead(view.own_moves, view.opposing_moves))
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        vec![
            Term::new("shifted board", self.board(view), 1.0),
            Term::new("mobility", lead(view.own_moves, view.opposing_moves), self.mobility),
        ]
    }
}
