//! What several runs have come to: a table, and curves with their standard errors.

use serde::Serialize;

use crate::chart::{Chart, Curve};
use crate::genetic::report::yardstick_label;
use crate::genetic::run::{GenerationRecord, Snapshot, YardstickRecord};

/// What is compared between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// What it is, in words.
    pub label: String,
    kind: MeasureKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeasureKind {
    Best,
    Mean,
    /// The share of games won against a yardstick.
    Yardstick(usize),
}

impl Measure {
    /// Whether it is a share.
    pub const fn is_share(&self) -> bool {
        matches!(self.kind, MeasureKind::Yardstick(_))
    }

    fn of(&self, record: &GenerationRecord) -> Option<f64> {
        match self.kind {
            MeasureKind::Best => Some(record.best),
            MeasureKind::Mean => Some(record.mean),
            MeasureKind::Yardstick(index) => {
                record.yardsticks.iter().find(|own| own.yardstick == index).map(YardstickRecord::win_rate)
            }
        }
    }
}

/// A mean over runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error, of two runs and more.
    pub error: Option<f64>,
    /// Over how many runs.
    pub runs: usize,
}

impl Estimate {
    /// The estimate of some values; `None` if there are none.
    pub fn new(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        let count = runs as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = (runs > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        (runs > 0).then_some(Self { mean, error, runs })
    }
}

/// What a run has come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Replicate {
    /// Its seed.
    pub seed: u64,
    /// Its generations so far.
    pub log: Vec<GenerationRecord>,
}

/// What several runs have come to.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// What is compared.
    pub measures: Vec<Measure>,
    /// The runs, in the order of the seeds.
    pub runs: Vec<Replicate>,
}

impl Summary {
    pub(super) fn add(&mut self, seed: u64, run: &Snapshot) {
        if self.runs.is_empty() {
            let measure = |label: &str, kind| Measure { label: label.to_owned(), kind };
            let plans = run.lab().experiment.yardstick.iter().enumerate();
            self.measures =
                vec![measure("best fitness", MeasureKind::Best), measure("mean fitness", MeasureKind::Mean)];
            self.measures
                .extend(plans.map(|(index, plan)| measure(&yardstick_label(plan), MeasureKind::Yardstick(index))));
        }
        self.runs.push(Replicate { seed, log: run.log().to_vec() });
    }

    /// The last value of a measure in a run.
    pub fn last(&self, measure: &Measure, run: &Replicate) -> Option<f64> {
        run.log.iter().rev().find_map(|record| measure.of(record))
    }

    /// The last values of a measure over all runs.
    pub fn estimate(&self, measure: &Measure) -> Option<Estimate> {
        let values: Vec<f64> = self.runs.iter().filter_map(|run| self.last(measure, run)).collect();
        Estimate::new(&values)
    }

    /// A measure by generation, with its standard error, over the runs that have come so far.
    pub(super) fn course(&self, measure: &Measure) -> Vec<(f64, f64, f64)> {
        let generations = self.runs.iter().map(|run| run.log.len()).max().unwrap_or_default();
        let at = |index: usize| {
            let values: Vec<f64> = self.runs.iter().filter_map(|run| measure.of(run.log.get(index)?)).collect();
            let Estimate { mean, error, .. } = Estimate::new(&values)?;
            Some(((index + 1) as f64, mean, error.unwrap_or_default()))
        };
        (0..generations).filter_map(at).collect()
    }

    /// The files that show it: names and contents.
    pub(super) fn files(&self) -> Vec<(&'static str, String)> {
        let chart = |title: &str, shares: bool| {
            let measures = self.measures.iter().filter(|measure| measure.is_share() == shares);
            let curves: Vec<Curve> =
                measures.map(|measure| Curve::with_errors(&measure.label, &self.course(measure))).collect();
            let title = format!("{title}: mean of {} runs and its standard error", self.runs.len());
            (!curves.is_empty())
                .then(|| Chart { title, across: "generation".to_owned(), percent: shares, curves }.draw())
        };
        let mut files = vec![("replicates.csv", self.table())];
        files.extend(chart("Fitness", false).map(|svg| ("fitness.svg", svg)));
        files.extend(chart("Games won", true).map(|svg| ("win-rates.svg", svg)));
        files
    }

    fn table(&self) -> String {
        self.head() + "\n" + &self.rows().map(|row| row + "\n").collect::<String>()
    }

    /// The names of the columns of [`Self::rows`].
    pub(super) fn head(&self) -> String {
        let yardsticks = self.measures.iter().filter(|measure| measure.is_share()).count();
        let names: String = (1..=yardsticks).map(|number| format!(",yardstick_{number}")).collect();
        format!("seed,generations,best,mean{names}")
    }

    /// A row for each run, with the last value of each measure.
    pub(super) fn rows(&self) -> impl Iterator<Item = String> {
        self.runs.iter().map(|run| {
            let value = |measure| self.last(measure, run).map_or_else(String::new, |value| value.to_string());
            let values: String = self.measures.iter().map(|measure| format!(",{}", value(measure))).collect();
            format!("{},{}{values}", run.seed, run.log.len())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_a_standard_error_from_two_values_on() {
        assert_eq!(Estimate::new(&[]), None);
        assert_eq!(Estimate::new(&[3.0]), Some(Estimate { mean: 3.0, error: None, runs: 1 }));
        let estimate = Estimate::new(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        // The sum of squares is 14, so the variance 14 / 3 and the error its root over 2.
        assert!((estimate.mean - 3.0).abs() < 1e-12 && (estimate.error.unwrap() - 1.080_123_449_7).abs() < 1e-9);
    }
}
