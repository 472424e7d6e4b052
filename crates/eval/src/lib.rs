//! What a position is worth.
//!
//! An [`Evaluator`] judges a board for one side, the *root side*: the one whose move is being chosen. The
//! evaluations of the course reports live in [`classic`]; each can say what it thinks feature by feature
//! ([`Evaluator::terms`]).

pub mod classic;
mod evaluator;

pub use evaluator::{Evaluator, Seen, Term};
