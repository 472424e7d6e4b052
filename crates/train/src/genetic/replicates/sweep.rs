//! One experiment with several values of some settings, in all combinations: each is a folder of replicates below this
//! one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turncoat_players::Roster;
use turncoat_util::digest;

use super::summary::{Estimate, Measure, Summary};
use super::{Replicates, begin, check_experiment, check_seeds, read_plan};
use crate::chart::{Chart, Curve};
use crate::genetic::lab::value;
use crate::genetic::run::{GeneticError, read_experiment};
use crate::genetic::{Assignment, Choices, LabError};
use crate::run_folder::{EXPERIMENT, FolderError, RunFolder, RunKind, SWEEP};

/// More combinations than this are a slip.
const MOST_POINTS: usize = 1000;

/// The runs of a sweep.
#[derive(Debug)]
pub struct Sweep {
    folder: RunFolder,
    plan: SweepPlan,
    points: Vec<SweepPoint>,
}

/// What the folder is known by.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepPlan {
    /// The digest of the experiment's file.
    experiment: String,
    seeds: Vec<u64>,
    /// The settings of each combination.
    points: Vec<Vec<String>>,
}

/// One combination of values.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepPoint {
    settings: Vec<Assignment>,
}

/// What a sweep has come to: a summary of the runs of each combination that has begun.
#[derive(Debug)]
pub struct SweepSummary {
    /// The combinations, in their order.
    pub points: Vec<(SweepPoint, Summary)>,
}

impl SweepPoint {
    /// The settings in words.
    pub fn label(&self) -> String {
        let settings = self.settings.iter().map(|setting| format!("{}={}", setting.key(), setting.value()));
        settings.collect::<Vec<_>>().join(" ")
    }

    /// The name of its folder, of this number.
    fn name(&self, number: usize) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "=.-_".contains(c) { c } else { '-' };
        let label: String = self.label().chars().map(plain).take(80).collect();
        format!("{number}-{label}")
    }
}

/// All combinations of some choices; those with one value are the same in each.
fn combinations(choices: &[Choices]) -> Vec<SweepPoint> {
    let mut points = vec![SweepPoint { settings: Vec::new() }];
    for Choices(values) in choices.iter().filter(|Choices(values)| values.len() > 1) {
        let with = |point: &SweepPoint, value: &Assignment| SweepPoint {
            settings: [point.settings.as_slice(), std::slice::from_ref(value)].concat(),
        };
        points = points.iter().flat_map(|point| values.iter().map(move |value| with(point, value))).collect();
        if points.len() > MOST_POINTS {
            break;
        }
    }
    points
}

/// Whether each run would be another one.
fn check_choices(choices: &[Choices], has_seeds: bool) -> Result<(), LabError> {
    let mut known: Vec<String> = Vec::new();
    for Choices(values) in choices {
        let Some(key) = values.first().map(Assignment::key) else { continue };
        if values.len() > 1 || has_seeds {
            check_seeds(values)?;
        }
        let again = values.iter().enumerate().find(|(index, own)| values[..*index].contains(own));
        if let Some((_, again)) = again {
            return Err(value(&format!("--set {key}"), format!("{} is there twice", again.value())));
        }
        if known.contains(&key) {
            return Err(value(&format!("--set {key}"), "it is given twice"));
        }
        known.push(key);
    }
    Ok(())
}

impl Sweep {
    /// Begins the runs of all combinations of some settings in a new folder; settings with one value hold for all runs.
    /// Without seeds there is one run each, with the experiment's own seed.
    ///
    /// # Errors
    /// If the experiment is faulty with any of the settings, there is nothing to vary, or there is something in the
    /// folder.
    pub fn create(
        experiment: &Path,
        choices: &[Choices],
        seeds: Option<Vec<u64>>,
        folder: &Path,
        roster: &Roster,
    ) -> Result<Self, GeneticError> {
        check_choices(choices, seeds.is_some()).map_err(GeneticError::Request)?;
        let fixed = choices.iter().filter(|Choices(values)| values.len() == 1);
        let fixed: Vec<Assignment> = fixed.flat_map(|Choices(values)| values.clone()).collect();
        let (text, lab) = read_experiment(experiment, &fixed, None, roster)?;
        let points = combinations(choices);
        if !(2..=MOST_POINTS).contains(&points.len()) {
            let fault = format!("2 to {MOST_POINTS} combinations of values, as in algorithm.mutation=0.01,0.02");
            return Err(GeneticError::Request(LabError::Value { key: "--set".to_owned(), fault }));
        }
        for point in &points {
            read_experiment(experiment, &[&*fixed, &point.settings].concat(), None, roster)?;
        }
        let folder = RunFolder::create(folder, RunKind::Sweep)?;
        let plan = SweepPlan {
            experiment: digest(&text),
            seeds: seeds.unwrap_or_else(|| vec![lab.seed]),
            points: points.iter().map(|point| point.settings.iter().map(Assignment::to_string).collect()).collect(),
        };
        begin(&folder, SWEEP, &plan, text)?;
        Ok(Self { folder, plan, points })
    }

    /// Resumes the runs of a folder.
    ///
    /// # Errors
    /// If there are none, or a file is not what was written.
    pub fn resume(folder: &Path) -> Result<Self, GeneticError> {
        let folder = RunFolder::open(folder, RunKind::Sweep)?;
        let plan: SweepPlan = read_plan(folder.path(), SWEEP)?;
        check_experiment(&folder, &plan.experiment)?;
        let damaged = |error| FolderError::damaged(folder.file(SWEEP), error);
        let point = |settings: &Vec<String>| {
            let settings = settings.iter().map(|setting| setting.parse()).collect::<Result<_, _>>().map_err(damaged)?;
            Ok(SweepPoint { settings })
        };
        let points = plan.points.iter().map(point).collect::<Result<_, FolderError>>()?;
        Ok(Self { folder, plan, points })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The combinations of values.
    pub fn points(&self) -> &[SweepPoint] {
        &self.points
    }

    /// The seeds of each.
    pub fn seeds(&self) -> &[u64] {
        &self.plan.seeds
    }

    fn folder_of(&self, index: usize) -> PathBuf {
        self.folder.file(&self.points[index].name(index + 1))
    }

    /// The runs of a combination, begun or resumed.
    ///
    /// # Errors
    /// As [`Replicates::create`] and [`Replicates::resume`].
    pub fn replicates(&self, index: usize, roster: &Roster) -> Result<Replicates, GeneticError> {
        let folder = self.folder_of(index);
        if RunKind::of(&folder).is_some() {
            return Replicates::resume(&folder);
        }
        let settings = &self.points[index].settings;
        Replicates::create(&self.folder.file(EXPERIMENT), settings, self.plan.seeds.clone(), &folder, roster)
    }

    /// Writes what the runs have come to, and answers with it.
    ///
    /// # Errors
    /// If a run cannot be read, or something cannot be written.
    pub fn summarize(&self, roster: &Roster) -> Result<SweepSummary, GeneticError> {
        let mut summary = SweepSummary { points: Vec::new() };
        for (index, point) in self.points.iter().enumerate() {
            let folder = self.folder_of(index);
            if RunKind::of(&folder).is_some() {
                summary.points.push((point.clone(), Replicates::resume(&folder)?.summarize(roster)?));
            }
        }
        for (name, contents) in summary.files() {
            self.folder.replace(&name, contents)?;
        }
        Ok(summary)
    }
}

impl SweepSummary {
    /// What is compared.
    pub fn measures(&self) -> &[Measure] {
        self.points.first().map_or(&[], |(_, runs)| &runs.measures)
    }

    /// The last values of a measure, for each combination.
    pub fn estimates(&self, measure: &Measure) -> Vec<Option<Estimate>> {
        self.points.iter().map(|(_, runs)| runs.estimate(measure)).collect()
    }

    /// The files that show it: names and contents.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![("sweep.csv".to_owned(), self.table())];
        for (number, measure) in (1..).zip(self.measures()) {
            let curve =
                |(point, runs): &(SweepPoint, Summary)| Curve::with_errors(&point.label(), &runs.course(measure));
            let chart = Chart {
                title: format!("{}: means and their standard errors", measure.label),
                across: "generation".to_owned(),
                percent: measure.is_share(),
                curves: self.points.iter().map(curve).collect(),
            };
            let name = match number {
                1 => "best.svg".to_owned(),
                2 => "mean.svg".to_owned(),
                _ => format!("yardstick-{}.svg", number - 2),
            };
            files.push((name, chart.draw()));
        }
        files
    }

    /// A row for each run: its settings, and the last value of each measure.
    fn table(&self) -> String {
        let Some((first, runs)) = self.points.first() else {
            return String::new();
        };
        let quoted = |text: &str| format!("\"{}\",", text.replace('"', "\"\""));
        let names: String = first.settings.iter().map(|setting| quoted(&setting.key())).collect();
        let mut table = format!("{names}{}\n", runs.head());
        for (point, runs) in &self.points {
            let values: String = point.settings.iter().map(|setting| quoted(&setting.value())).collect();
            table.extend(runs.rows().map(|row| format!("{values}{row}\n")));
        }
        table
    }
}
