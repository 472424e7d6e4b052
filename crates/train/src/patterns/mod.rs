//! Training of the pattern evaluation: from games to weights.
//!
//! - [`samples`]: positions of games sorted into files by their empty squares, so that data larger than the
//!   memory can be used; duplicates folded.
//! - [`problem`]: the positions that one stage learns from, ready to be gone over many times.
//! - [`conjugate`]: least squares by conjugate gradients, one pass over the positions a step.
//! - [`settings`], [`files`], [`gather`]: the settings, the files read and written, games sorted into positions.
//! - [`positions`]: what was gathered, so that a run continues with nothing else.
//! - [`curves`]: how the error fell, as pictures.
//! - [`run`]: all of it in a folder, stage by stage, so that it can be interrupted.

mod conjugate;
mod curves;
mod files;
mod gather;
mod positions;
mod problem;
mod run;
mod samples;
mod settings;

pub use conjugate::{Fitted, Fitting, Passed, fit};
pub use files::TrainingError;
pub use gather::unready;
pub use problem::{Example, Problem};
pub use run::{Event, Learned, tidy, train};
pub use samples::{Bins, Gathered, Sample};
pub use settings::Settings;
