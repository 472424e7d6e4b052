//! The genetic lab: parameters of the classic evaluations, evolved.
//!
//! The parts are kept apart, so that a run can be stopped anywhere and its games played anywhere:
//!
//! - an [`Experiment`] is a file; checked, it is a [`Lab`]; an [`Assignment`] changes a setting of it;
//! - a [`Layout`] says which parameters are genes, and turns a [`Genome`] into parameters;
//! - [`algorithm`] is a pure state machine: a [`Population`] and what became of it give the next one, with
//!   random numbers that depend on the seed and the generation alone;
//! - [`fitness`] says which games a generation plays and counts them;
//! - [`games`] plays a [`Batch`] of games, a pure function of its description;
//! - [`run`] is a folder with a checkpoint after each generation; [`report`] draws what came out; [`rate`] plays its
//!   generations against others afterwards; [`replicates`] are runs of one experiment with several seeds, and several
//!   settings; a [`RunsFolder`] shows many runs to a page.

pub mod algorithm;
mod assignment;
pub mod compare;
mod experiment;
pub mod fitness;
pub mod games;
mod genome;
mod individual;
mod lab;
pub mod rate;
pub mod replicates;
pub mod report;
pub mod run;
mod runs_folder;
pub mod tensorboard;

pub use assignment::{Assignment, AssignmentError, Choices};
pub use experiment::{
    Algorithm, ChampionPlan, Colours, Crossover, End, Experiment, FitnessPlan, GenePlan, GenomeKind, GenomePlan,
    Mutation, Opponents, Schedule, Score, Who, YardstickPlan,
};
pub use games::{Batch, BatchGame, Contender, Counts, PlayError};
pub use genome::{Dna, Gene, Genome, GenomeError, Layout, Width};
pub use individual::{ColorTally, Individual, Population, Rated};
pub use lab::{Lab, LabError};
pub use runs_folder::RunsFolder;

/// What random numbers are for; streams are derived from these and the generation.
mod purpose {
    /// The first population.
    pub(super) const FIRST: u64 = 101;
    /// The next population.
    pub(super) const BREED: u64 = 102;
    /// The order of equals.
    pub(super) const TIES: u64 = 103;
    /// Who plays which colour.
    pub(super) const COLOURS: u64 = 104;
    /// Who stands for a generation.
    pub(super) const WHO: u64 = 105;
    /// Openings and players of a batch of games.
    pub(super) const GAMES: u64 = 106;
    /// Openings and players of the comparison with yardsticks.
    pub(super) const YARDSTICKS: u64 = 107;
    /// Openings and players of the last round robin.
    pub(super) const CHAMPION: u64 = 108;
    /// Who stands for a generation in a later rating.
    pub(super) const RATES: u64 = 109;
}
