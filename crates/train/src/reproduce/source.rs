//! Reports as data: what they say, and the work that repeats it.

use serde::Deserialize;
use turncoat_board::VariantKind;

use super::contests::MatchRow;
use super::habits::HabitRow;
use super::modes::ModeRow;
use super::speed::{SpeedRow, TableRow};
use super::{Context, Outcome, ReproduceError, contests, evolution, habits, modes, speed};

/// The reports by the names of their players.
const REPORTS: [(&str, &str); 5] = [
    ("gene45", include_str!("../../reports/gene45.toml")),
    ("nine-weights", include_str!("../../reports/nine-weights.toml")),
    ("top-six", include_str!("../../reports/top-six.toml")),
    ("shifting-weights", include_str!("../../reports/shifting-weights.toml")),
    ("six-stage", include_str!("../../reports/six-stage.toml")),
];

/// A report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Its player.
    pub player: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When.
    pub year: u32,
    /// The game that its player plays.
    pub variant: VariantKind,
    /// What it ran on.
    pub machine: String,
    /// Its tables, figures and claims, in their order.
    #[serde(rename = "part")]
    pub parts: Vec<Part>,
}

/// A table, a figure or a claim of a report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Names its file.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What the report says.
    pub says: String,
    /// What differs here, and why; or why it cannot be run.
    pub differs: String,
    /// What repeats it, if anything can.
    work: Option<Work>,
}

/// The work that repeats a part.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Work {
    /// A genetic run: its curves, its time, and its champion's parameters beside the published ones.
    Evolution {
        experiment: String,
        /// Of one generation, in the report.
        seconds: Option<f64>,
    },
    /// Genetic runs of which each population plays against the others.
    Modes { runs: Vec<ModeRow> },
    /// The time of a generation by population.
    Populations { experiment: String, sizes: Vec<u32>, seconds: Vec<f64> },
    /// Matches.
    Matches { games: u64, plies: u32, rows: Vec<MatchRow> },
    /// The time of a decision.
    Speed { rows: Vec<SpeedRow> },
    /// The time of the value of its board table.
    BoardTable { rows: Vec<TableRow> },
    /// What a player does where it has the choice.
    Habits { rows: Vec<HabitRow> },
    /// The player's board tables.
    Boards,
}

impl Report {
    /// The names of the reports.
    pub fn names() -> Vec<&'static str> {
        REPORTS.iter().map(|(name, _)| *name).collect()
    }

    /// The report of a player.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(player: &str) -> Result<Self, ReproduceError> {
        let found = REPORTS.iter().find(|(name, _)| *name == player);
        let (name, text) = found.ok_or_else(|| ReproduceError::Unknown { name: player.to_owned() })?;
        toml::from_str(text).map_err(|error| ReproduceError::Data(format!("{name}: {error}")))
    }
}

impl Part {
    /// Whether it can be run.
    pub const fn can_be_run(&self) -> bool {
        self.work.is_some()
    }

    /// Does its work; `None` if it was stopped, or there is none.
    pub(super) fn run(&self, report: &Report, context: Context<'_>) -> Result<Option<Outcome>, ReproduceError> {
        match &self.work {
            None => Ok(None),
            Some(Work::Evolution { experiment, seconds }) => {
                evolution::run(context, &report.player, experiment, *seconds)
            }
            Some(Work::Modes { runs }) => modes::run(context, runs),
            Some(Work::Populations { experiment, sizes, seconds }) => {
                modes::populations(context, experiment, sizes, seconds)
            }
            Some(Work::Matches { games, plies, rows }) => {
                contests::matches(context, report.variant, (*games, *plies), rows)
            }
            Some(Work::Speed { rows }) => speed::decisions(context, report.variant, rows),
            Some(Work::BoardTable { rows }) => speed::board_table(context, &report.player, rows),
            Some(Work::Habits { rows }) => habits::run(context, rows),
            Some(Work::Boards) => evolution::boards(&report.player).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_report_can_be_read_and_names_its_parts_once() {
        for name in Report::names() {
            let report = Report::find(name).unwrap();
            assert_eq!(report.player, name);
            let ids: HashSet<&str> = report.parts.iter().map(|part| part.id.as_str()).collect();
            assert_eq!(ids.len(), report.parts.len());
            assert!(ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')));
            assert!(report.parts.iter().any(Part::can_be_run));
        }
        let said = Report::find("gene46").unwrap_err().to_string();
        assert!(said.contains("gene46") && said.contains("six-stage"), "{said}");
    }
}
