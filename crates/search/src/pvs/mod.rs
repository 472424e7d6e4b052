//! The midgame search: principal variation search with everything that makes it deep.
//!
//! Values are estimates in units of a disc ([`turncoat_eval::UNITS`]), for the mover of the node; only a
//! finished game has the value of its exact score. One node function ([`node`]) serves principal and null
//! windows, both variants and every evaluation; what differs is a type parameter. The unit of work is one
//! iteration ([`Thinker::iterate`]): it can be stopped at any node and made again with the table as it then
//! stands.
//!
//! - [`order`]: which move is tried first;
//! - [`probcut`]: cuts by probability, from an error model that was fitted to the evaluation;
//! - [`root`]: iterations, aspiration windows, several best lines.

mod history;
mod node;
mod order;
mod probcut;
mod root;
mod shallow;
mod thinker;

pub use probcut::{Coefficients, Fit, FitError, Level, shallow_depth, terms};
pub use root::{Line, Report};
pub use thinker::{Techniques, Thinker};

/// Beyond every value.
pub(crate) const INFINITE: i32 = 64 * 64 + 1;
