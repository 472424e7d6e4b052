//! The evaluations of five course reports, one file per report, and their features, one file each.
//!
//! The features are shared: each is defined once, on bitboards, and compared by the tests with a literal
//! version that goes cell by cell. Parameters are plain data ([`Parameters`]) that can be written to a
//! file, edited and read again. `docs/classics.md` tells where every number and every sign comes from.

mod evaluation;
pub mod features;
mod file;
mod file_error;
mod gene45;
mod linear;
mod nine_weights;
mod parameters;
mod schedule;
mod shifting_weights;
mod six_stage;
mod top_six;

pub use evaluation::{ClassicEvaluation, RootView};
pub use file_error::FileError;
pub use gene45::Gene45;
pub use linear::Linear;
pub use nine_weights::{NineWeights, Signs};
pub use parameters::{ColorWeights, Group, Parameters, Range, Schema, StageCourse};
pub use schedule::StageSchedule;
pub use shifting_weights::ShiftingWeights;
pub use six_stage::SixStage;
pub use top_six::{TopSix, TopSixSet};
