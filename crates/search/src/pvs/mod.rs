//! The midgame search: principal variation search with everything that makes it deep.
//!
//! Values are in [`UNITS`](turncoat_eval::UNITS) of a disc, for the mover of the node; only a
//! finished game has the value of its exact score. One node function ([`node`]) serves principal and null
//! windows, both variants and every evaluation; what differs is a type parameter. The unit of work is one
//! iteration ([`Searcher::iterate`]): it can be stopped at any node and made again with the table as it then
//! stands.
//!
//! - [`constants`]: what can be tuned;
//! - [`order`]: which move is tried first;
//! - [`probcut`]: Multi-ProbCut, with an error model that was fitted to the evaluation;
//! - [`root`]: iterations, aspiration windows, several best moves;
//! - [`team`]: several threads.

mod constants;
mod error_model;
mod history;
mod node;
mod order;
mod probcut;
mod root;
mod searcher;
mod shallow;
mod team;

pub use constants::Constants;
pub use error_model::{Coefficients, EndCoefficients, ErrorModel, ErrorModelError, end_terms, shallow_depth, terms};
pub use probcut::Selectivity;
pub use root::{OnBetter, RootMove};
pub use searcher::{Searcher, Techniques};

/// Beyond every value.
pub(crate) const INFINITE: i32 = 64 * 64 + 1;
