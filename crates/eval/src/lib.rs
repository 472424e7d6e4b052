//! What a position is worth.
//!
//! An [`Evaluation`] estimates the final score in discs for the mover: the trained ones are in [`patterns`] and
//! [`network`], the one made by hand in [`handmade`]; [`Evaluation::explain`] gives the value part by part. A
//! [`ClassicEvaluation`] is that of a course report, in [`classic`]: it evaluates a board for the *root side*, whose move
//! is being chosen, in a unit of its own, and can say what it thinks feature by feature ([`ClassicEvaluation::terms`]).
//! [`Calibrated`] makes an [`Evaluation`] of one.

mod calibrated;
pub mod classic;
mod evaluation;
pub mod handmade;
pub mod network;
mod packing;
pub mod patterns;
mod quadrants;
pub mod stability;
mod term;

pub use calibrated::Calibrated;
pub use classic::{ClassicEvaluation, RootView};
pub use evaluation::{Evaluation, UNITS};
pub use handmade::HandMade;
pub use quadrants::{QUADRANTS, odd_quadrants};
pub use term::Term;
