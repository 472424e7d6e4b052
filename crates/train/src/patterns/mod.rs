//! Training of the pattern evaluation: from games to weights.
//!
//! - [`samples`]: positions of games sorted into files by their empty squares, so that data larger than the
//!   memory can be used; duplicates folded.
//! - [`problem`]: the positions that one stage learns from, ready to be gone over many times.
//! - [`conjugate`]: least squares by conjugate gradients, one pass over the positions a step.
//! - [`run`]: all of it in a folder, stage by stage, so that it can be interrupted.

mod conjugate;
mod problem;
mod run;
mod samples;

pub use conjugate::{Fitting, Passed, fit};
pub use problem::{Example, Problem};
pub use run::{Event, RunError, Settings, train};
pub use samples::{Bins, Gathered, Sample};
