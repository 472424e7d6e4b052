//! What a tuning came to: the values as a file, the player's parameter file, and a chart.

use serde::Serialize;

use super::run::TuneRecord;
use super::tuner::Tuner;
use crate::chart::{Chart, Curve};

/// What a parameter came to.
#[derive(Serialize)]
struct Tuned<'a> {
    name: &'a str,
    start: f64,
    value: f64,
}

/// The values that a run ends with.
pub(super) fn settled(tuner: &Tuner, values: &[f64]) -> Vec<f64> {
    tuner.spsa().axes.iter().zip(values).map(|(axis, &value)| axis.settled(value)).collect()
}

/// The tuned values, a line each.
pub(super) fn values(tuner: &Tuner, settled: &[f64]) -> serde_json::Result<String> {
    let axes = &tuner.spsa().axes;
    let mut text = String::new();
    for ((name, axis), &value) in tuner.subject().names().zip(axes).zip(settled) {
        text += &serde_json::to_string(&Tuned { name, start: axis.start, value })?;
        text += "\n";
    }
    Ok(text)
}

/// How far each parameter went, in steps.
pub(super) fn chart(tuner: &Tuner, log: &[TuneRecord], settled: &[f64]) -> String {
    let curves = tuner.subject().names().zip(&tuner.spsa().axes).enumerate().map(|(index, (name, axis))| {
        let point = |record: &TuneRecord| (record.iteration as f64, (record.values[index] - axis.start) / axis.step);
        let points = [(0.0, 0.0)].into_iter().chain(log.iter().map(point)).collect();
        Curve::new(&format!("{name}: {} → {}, step {}", axis.start, settled[index], axis.step), points)
    });
    Chart {
        title: format!("Changes of {} in steps", tuner.settings().player),
        across: "iteration".to_owned(),
        percent: false,
        curves: curves.collect(),
    }
    .draw()
}
