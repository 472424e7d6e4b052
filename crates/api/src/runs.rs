//! Runs of the lab, as a page shows them. Whoever has a folder of runs answers with these objects.

use std::fmt;

use serde::Serialize;

use crate::{ApiFault, Code};

/// A source of runs.
pub trait Runs: fmt::Debug + Send + Sync {
    /// All runs as they are now: those under way first, then the latest.
    ///
    /// # Errors
    /// If they cannot be listed. A run that cannot be read is in the list, with its fault.
    fn list(&self) -> Result<Vec<RunView>, ApiFault>;

    /// One of the listed runs with its curves.
    ///
    /// # Errors
    /// If no run has this name.
    fn one(&self, name: &str) -> Result<RunDetails, ApiFault>;

    /// The report of one of the listed runs, a page of HTML.
    ///
    /// # Errors
    /// If no run has this name, or it has no report yet.
    fn report(&self, name: &str) -> Result<String, ApiFault>;
}

impl ApiFault {
    /// There is no run of this name.
    pub fn no_run(name: &str) -> Self {
        let name: String = name.chars().take(80).collect();
        Self::new(Code::NoRun, format_args!("no run is called {name:?}")).with("name", name)
    }

    /// A run has no report yet.
    pub fn no_report(name: &str) -> Self {
        let name: String = name.chars().take(80).collect();
        Self::new(Code::NoRun, format_args!("the run {name:?} has no report yet")).with("name", name)
    }
}

/// What becomes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// A process works on it.
    Running,
    /// It can be resumed.
    Stopped,
    /// It has its champion.
    Finished,
    /// It cannot be read.
    Damaged,
}

/// What a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunKindView {
    /// It evolves parameters, by generations.
    Genetic,
    /// It trains weights, by rounds.
    Loop,
    /// It repeats a course report, by its tables and figures.
    Report,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunView {
    /// Its folder below that of all runs, as in `first` or `sweep/1-mutation=0.01/seed-1`.
    pub name: String,
    /// What it does.
    pub kind: RunKindView,
    /// What becomes of it.
    pub state: RunState,
    /// What its experiment is called.
    pub title: String,
    /// Generations, rounds or parts done.
    pub generation: u32,
    /// Generations, rounds or parts planned.
    pub generations: u32,
    /// The best fitness of the last generation; of a loop the last round's Elo against its strongest yardstick.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub best: Option<f64>,
    /// The mean fitness of the last generation.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mean: Option<f64>,
    /// How long its generations took, those of which it is known.
    pub seconds: f64,
    /// Whether it has a report: a page of its own.
    pub has_report: bool,
    /// When it last changed, in seconds since 1970.
    pub changed: u64,
    /// Why it cannot be read, if it cannot.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub fault: Option<String>,
}

/// A run with its curves. Of many generations, some are in them, evenly spread, the first and the last included.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunDetails {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// The player whose parameters are evolved.
    pub player: String,
    /// The game: `reversed` or `reversi`.
    pub variant: String,
    /// Fitness by generation.
    pub fitness: Vec<FitnessPoint>,
    /// Every gene by generation.
    pub genes: Vec<GeneView>,
    /// Games won against the experiment's yardsticks.
    pub yardsticks: Vec<YardstickView>,
    /// Elo of a loop's rounds against its yardsticks and the best round before.
    pub elo: Vec<YardstickView>,
    /// The parameter file of the champion, or else of the best of the last generation.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub parameters: Option<String>,
}

impl RunDetails {
    /// A run of which no more is known than the list says.
    pub fn without_curves(run: RunView) -> Self {
        Self {
            run,
            player: String::new(),
            variant: "reversed".to_owned(),
            fitness: Vec::new(),
            genes: Vec::new(),
            yardsticks: Vec::new(),
            elo: Vec::new(),
            parameters: None,
        }
    }
}

/// The fitness of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FitnessPoint {
    /// Which.
    pub generation: u32,
    /// The best one's.
    pub best: f64,
    /// The mean.
    pub mean: f64,
    /// The worst one's.
    pub worst: f64,
}

/// What became of a gene.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GeneView {
    /// What it is, as in `board (0,1), stage 2`.
    pub name: String,
    /// Its values by generation.
    pub points: Vec<GenePoint>,
}

/// A gene in one generation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GenePoint {
    /// Which.
    pub generation: u32,
    /// Its value in the best individual.
    pub best: f64,
    /// Its mean over the logged individuals.
    pub mean: f64,
    /// Its standard deviation over them.
    pub deviation: f64,
}

/// How generations fared against a yardstick.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct YardstickView {
    /// The yardstick.
    pub player: String,
    /// Generations, and the share of games won in each; or rounds, and their Elo.
    pub points: Vec<(u32, f64)>,
}
