//! The features of the classic evaluations, each in one place.
//!
//! Every function takes the discs of the two sides, or of one, and counts. All are `#[inline(always)]`, so
//! that they are compiled for the instruction set of the search that calls them.

mod catalogue;
mod corners;
mod frontier;
mod held;
mod kill;
mod tables;
mod tied;
mod walks;

pub use catalogue::{Count, FEATURES, Feature, feature};
pub use corners::{conquered_corners, corners};
pub use frontier::{frontier_discs, frontier_pairs, neighbours};
pub use held::{held_corners, near_corners};
pub use kill::kill;
pub use tables::{CLASS_LABELS, CLASSES, ClassTable, class_masks, class_of};
pub use tied::{clamped_edges, tied_to_corners};
pub use walks::walked_stable;

use turncoat_board::Bitboard;

/// How many more squares one set has than another.
#[inline(always)]
pub const fn lead(own: Bitboard, opposing: Bitboard) -> i32 {
    own.count() as i32 - opposing.count() as i32
}
