//! The kinds of runs, and by which files they are known.

use std::fmt;
use std::path::Path;

use super::read_text;
use super::settings::SETTINGS;

/// The file that a genetic run is known by. A tuning has one beside its settings.
pub(crate) const CHECKPOINT: &str = "checkpoint.json";
/// The experiment of a genetic run, written before its checkpoint.
pub(crate) const EXPERIMENT: &str = "experiment.toml";

/// The seeds of a folder that holds several genetic runs, beside their experiment.
pub(crate) const REPLICATES: &str = "replicates.toml";
/// The settings of a folder that holds several such folders, beside their experiment.
pub(crate) const SWEEP: &str = "sweep.toml";

/// What a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Evolves parameters.
    Genetic,
    /// Evolves parameters several times, with different seeds.
    Replicates,
    /// Evolves parameters with several settings, each several times.
    Sweep,
    /// Plays games to learn from.
    Selfplay,
    /// Learns the weights of patterns.
    Patterns,
    /// Tunes parameters.
    Tune,
    /// Rounds of games and weights.
    Rounds,
    /// Repeats a report.
    Reproduction,
}

impl RunKind {
    /// The kind of the run in a folder; `None` if there is no run, or its settings cannot be read.
    pub fn of(folder: &Path) -> Option<Self> {
        if folder.join(REPLICATES).is_file() {
            return Some(Self::Replicates);
        }
        if folder.join(SWEEP).is_file() {
            return Some(Self::Sweep);
        }
        if folder.join(CHECKPOINT).is_file() && !folder.join(SETTINGS).exists() {
            return Some(Self::Genetic);
        }
        let settings: toml::Table = read_text(&folder.join(SETTINGS)).ok()?.parse().ok()?;
        if settings.contains_key("parameter") {
            return Some(Self::Tune);
        }
        if settings.contains_key("rounds") {
            return Some(Self::Rounds);
        }
        if settings.contains_key("report") {
            return Some(Self::Reproduction);
        }
        match settings.get("games")? {
            toml::Value::Integer(_) => Some(Self::Selfplay),
            toml::Value::Array(_) => Some(Self::Patterns),
            _ => None,
        }
    }

    /// The file by which a run is known. With it a run can be resumed.
    pub(crate) const fn marker(self) -> &'static str {
        match self {
            Self::Genetic => CHECKPOINT,
            Self::Replicates => REPLICATES,
            Self::Sweep => SWEEP,
            Self::Selfplay | Self::Patterns | Self::Tune | Self::Rounds | Self::Reproduction => SETTINGS,
        }
    }

    /// The file that is written before the marker.
    pub(crate) const fn begins_with(self) -> Option<&'static str> {
        match self {
            Self::Genetic | Self::Replicates | Self::Sweep => Some(EXPERIMENT),
            Self::Selfplay | Self::Patterns | Self::Tune | Self::Rounds | Self::Reproduction => None,
        }
    }

    /// The command that resumes it.
    pub(crate) const fn command(self) -> &'static str {
        match self {
            Self::Genetic => "train genetic",
            Self::Replicates => "train replicate",
            Self::Sweep => "train sweep",
            Self::Selfplay => "train selfplay",
            Self::Patterns => "train patterns",
            Self::Tune => "train tune",
            Self::Rounds => "train loop",
            Self::Reproduction => "reproduce",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Genetic => "genetic run",
            Self::Replicates => "set of genetic runs",
            Self::Sweep => "sweep of genetic runs",
            Self::Selfplay => "self-play run",
            Self::Patterns => "training of patterns",
            Self::Tune => "tuning",
            Self::Rounds => "training loop",
            Self::Reproduction => "reproduction of a report",
        })
    }
}
