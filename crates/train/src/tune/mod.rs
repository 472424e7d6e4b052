//! Tuning: the numbers of any built-in player, found by games of the player against itself.
//!
//! - [`TuneSettings`] is a file;
//! - a [`Subject`] is the player with its parameters, each an option of its text or a weight of its parameter file: from
//!   values it makes a contender, and in the end the tuned player;
//! - [`Spsa`] is the algorithm, a pure function of the values, the iteration and its result;
//! - a [`Tuner`] is all of them, checked: it lists the games of a batch of iterations and learns from them;
//! - a [`TuneRun`] is a folder that can be stopped and resumed at any moment.

mod error;
mod report;
mod run;
mod settings;
mod spsa;
mod subject;
mod tuner;

pub use error::{SettingsError, TuneError};
pub use run::{TuneRecord, TuneRun, TuneStep};
pub use settings::{Gains, ParameterPlan, TuneSettings};
pub use spsa::{Axis, Spsa, Trial};
pub use subject::Subject;
pub use tuner::Tuner;
