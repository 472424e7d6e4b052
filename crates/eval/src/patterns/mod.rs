//! The trained evaluation: weights of small patterns of squares, by stage (M. Buro's method).
//!
//! - [`shapes`]: which squares are looked at together, in one place.
//! - [`layout`]: where each pattern's weight lies in a stage's table, and which of them are one by symmetry.
//! - [`indices`]: what the search keeps of a board, so that a move changes only what it touches.
//! - [`features`]: everything that has a weight on a board, for training.
//! - [`weights`]: a trained set of weights, and the evaluation that reads it.
//! - [`parts`]: what an evaluation sees on a board, weight by weight, for people.
//! - [`file`]: weights as a file: compressed, checked, tagged with the game that they evaluate.

mod features;
mod file;
mod indices;
mod layout;
mod parts;
mod shapes;
mod weights;

pub(crate) use features::counts;
pub(crate) use file::shape_squares;
pub(crate) use indices::{MIDDLE, WIDTH};
#[cfg(test)]
pub(crate) use layout::COUNTS;
pub(crate) use layout::{MIDDLES, MOST_JOINT, MOST_MOVES, part};
pub(crate) use shapes::PLACES;
#[cfg(test)]
pub(crate) use shapes::{Placement, orders, square_at};

pub use features::{FEATURES, Row};
pub use file::{WeightsFault, read_stages, read_weights, repack, write_weights};
pub use indices::Indices;
pub use layout::{Fold, PARTS, SLOTS, folds};
pub use shapes::{LANES, SHAPES, Shape, shapes_of};
pub use weights::{MOST_JOINT_MOVES, Patterns, STAGES, Weights, most_empties, stage_of};
