//! The features by name: what a parameter file of `linear` may weigh, and what Python's `batch.features` counts.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Geometry};

use super::{clamped_edges, conquered_corners, corners, frontier_discs, kill, tied_to_corners, walked_stable};
use crate::RootView;
use crate::classic::Group;

/// A feature of a board for the root side: one number, or ten by classes of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// What is counted for each side, own less opposing.
    Lead(Count),
    /// What is counted for the root side.
    Own(Count),
    /// What is counted for the opponent.
    Opposing(Count),
    /// Discs by classes of squares, own less opposing.
    Board,
    /// Legal moves by classes of squares, own less opposing.
    Action,
    /// Pairs of a disc and an empty square beside it, own less opposing.
    FrontierPairs,
    /// Discs near the corners that the root side holds, own less opposing: one of the sets of
    /// [`near_corners`](super::near_corners).
    Held(usize),
}

/// From a line for each count: the counts, and with the features that are none the whole catalogue.
macro_rules! catalogue {
    ($($count:ident $name:literal $about:literal,)*) => {
        /// What is counted for each side.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Count {
            $(#[doc = concat!("Each ", $about, ".")] $count,)*
        }

        impl Count {
            /// All of them, in the order of Python's columns.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$count),*];

            /// Its name in files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$count => $name,)* }
            }
        }

        /// All features, each with its group of weights in a parameter file.
        pub const FEATURES: &[(Feature, Group)] = &[
            $(
                (
                    Feature::Lead(Count::$count),
                    Group::weights($name, 1, concat!("each own ", $about, ", less opposing")),
                ),
                (Feature::Own(Count::$count), Group::weights(concat!("own_", $name), 1, concat!("each own ", $about))),
                (
                    Feature::Opposing(Count::$count),
                    Group::weights(concat!("opposing_", $name), 1, concat!("each opposing ", $about)),
                ),
            )*
            (Feature::Board, Group::table(
                "board",
                "each own disc, less opposing: weights of the squares (0,0) (0,1) (0,2) (0,3) (1,1) (1,2) (1,3) (2,2) (2,3) (3,3)",
            )),
            (Feature::Action, Group::table("action", "each own legal move, less opposing, on the same squares")),
            (Feature::FrontierPairs, Group::weights(
                "frontier_pairs", 1, "each pair of an own disc and an empty neighbour, less opposing",
            )),
            (Feature::Held(0), Group::weights(
                "held_c", 1, "each own disc, less opposing, beside an own corner along the edge",
            )),
            (Feature::Held(1), Group::weights(
                "held_x", 1, "each own disc, less opposing, beside an own corner along the diagonal",
            )),
            (Feature::Held(2), Group::weights(
                "held_fourth", 1, "each own disc, less opposing, on the fourth square of an edge from an own corner",
            )),
            (Feature::Held(3), Group::weights(
                "held_fifth", 1, "each own disc, less opposing, on the fifth square, where it is not a fourth one",
            )),
        ];
    };
}

catalogue! {
    Discs "discs" "disc",
    Moves "moves" "legal move",
    Frontier "frontier" "disc beside an empty square",
    Corners "corners" "corner",
    Stable "stable" "disc that the walks from the corners find stable",
    Kill "kill" "disc that could be flipped, summed over the moves",
    ConqueredCorners "conquered_corners" "empty corner among three discs of the side",
    Tied "tied" "disc tied to a corner of its side by rows that never widen",
    Clamped "clamped" "edge disc in a run between two of the other side",
}

impl Count {
    /// How many the root side has, and the opponent.
    #[inline(always)]
    pub fn both<I: Isa>(self, isa: I, view: &RootView, geometry: Geometry) -> [u32; 2] {
        let sides = [view.own(), view.opposing()];
        let empties = view.board.empties(geometry);
        match self {
            Self::Discs => sides.map(Bitboard::count),
            Self::Moves => [view.own_moves, view.opposing_moves].map(Bitboard::count),
            Self::Frontier => sides.map(|discs| frontier_discs(discs, empties)),
            Self::Corners => sides.map(|discs| (discs & corners(geometry)).count()),
            Self::Stable => {
                let marked = walked_stable(sides[0], sides[1], geometry);
                sides.map(|discs| (discs & marked).count())
            }
            Self::Kill => [kill(isa, view.board, view.own_moves), kill(isa, view.board.pass(), view.opposing_moves)],
            Self::ConqueredCorners => sides.map(|discs| conquered_corners(discs, empties, geometry)),
            Self::Tied => sides.map(|discs| tied_to_corners(discs, geometry).count()),
            Self::Clamped => [
                clamped_edges(sides[0], sides[1], geometry).count(),
                clamped_edges(sides[1], sides[0], geometry).count(),
            ],
        }
    }
}

/// The feature of this name and its group, if there is one.
pub fn feature(name: &str) -> Option<(Feature, Group)> {
    FEATURES.iter().copied().find(|(_, group)| group.name == name)
}
