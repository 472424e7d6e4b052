//! What a position is worth.
//!
//! An [`Evaluator`] judges a board for one side, the *root side*: the one whose move is being chosen. The
//! evaluations of the course reports live in [`classic`]; each can say what it thinks feature by feature
//! ([`Evaluator::terms`]). An [`Estimator`] guesses the final score in discs; the trained one lives in
//! [`patterns`].

pub mod classic;
mod estimate;
mod evaluator;
pub mod patterns;

pub use estimate::{Calibrated, Estimator, UNITS};
pub use evaluator::{Evaluator, Seen, Term};
