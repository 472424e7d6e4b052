//! A small network on the patterns' contents.
//!
//! Where [`patterns`](crate::patterns) has a number for each contents of a shape, a network has a vector of small
//! integers. The vectors of everything on the board are summed into an accumulator; what it holds, positive and negative
//! parts apart, goes through one or two small layers, of which each stage of the game has its own.
//!
//! - [`design`]: the sizes of a network, and which parts of a board it reads.
//! - [`weights`]: a trained network as it is stored.
//! - [`evaluation`]: the network unpacked for reading.
//! - [`file`]: networks as files.
//!
//! All arithmetic is in integers: every machine computes the same values.

mod design;
mod evaluation;
mod file;
#[cfg(test)]
mod literal;
mod weights;

pub use design::{Design, DesignFault, MOST_HIDDEN, MOST_STAGES, MOST_UNITS};
pub use evaluation::Network;
pub use file::{NetworkFault, read_network, write_network};
pub use weights::{Head, Layer, NetworkWeights};
