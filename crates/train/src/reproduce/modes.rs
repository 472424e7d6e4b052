//! nine-weights' report: populations of several genetic runs against each other, and the time of a generation.

use std::time::Instant;

use serde::Deserialize;
use turncoat_players::Roster;

use super::evolution::{evolve, experiment, quick_changes, seconds};
use super::{Context, Outcome, ReproduceError, Table};
use crate::chart::{Chart, Curve};
use crate::genetic::games::{Evaluate, Threads};
use crate::genetic::run::Snapshot;
use crate::genetic::{Assignment, ColorTally, Lab, algorithm, compare, fitness};

/// One of the runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModeRow {
    /// What it is called.
    name: String,
    /// The experiment.
    experiment: String,
    /// Settings of it that are changed.
    #[serde(default)]
    set: Vec<String>,
    /// Games that it wins as black against the others, in per cent, in the report's order; `nan` against itself.
    #[serde(default)]
    theirs: Vec<f64>,
}

/// Seeds of a full reproduction.
const SEEDS: u64 = 10;

/// A mean and its standard error; of one value none.
fn mean(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()))
}

/// Has all runs finished and their last populations play against each other.
pub(super) fn run(context: Context<'_>, rows: &[ModeRow]) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let seeds = context.scale.pick(1, 1, SEEDS);
    // By row, column and seed.
    let mut won = vec![vec![Vec::new(); rows.len()]; rows.len()];
    let mut sizes = vec![Vec::new(); rows.len()];
    for seed in (0..seeds).map(|number| context.seed.saturating_add(number)) {
        let Some(runs) = evolve_all(context, rows, seed)? else {
            return Ok(None);
        };
        for (black, own) in runs.iter().enumerate() {
            sizes[black].push(own.log().iter().map(|record| record.size).collect::<Vec<f64>>());
            for (white, other) in runs.iter().enumerate().filter(|(white, _)| *white != black) {
                (context.hear)(&format!("{} against {}, seed {seed}", rows[black].name, rows[white].name));
                let Some(rate) = games_won(context, own, other, seed)? else {
                    return Ok(None);
                };
                won[black][white].push(rate);
            }
        }
    }
    Ok(Some(Outcome {
        seconds: began.elapsed().as_secs_f64(),
        tables: vec![winners(rows, &won, seeds)],
        pictures: vec![growth(rows, &sizes)],
        boards: Vec::new(),
    }))
}

fn evolve_all(context: Context<'_>, rows: &[ModeRow], seed: u64) -> Result<Option<Vec<Snapshot>>, ReproduceError> {
    let mut runs = Vec::new();
    for row in rows {
        let parse = |text: &String| text.parse().map_err(|error| ReproduceError::Data(format!("{text}: {error}")));
        let changes: Vec<Assignment> = row.set.iter().map(parse).collect::<Result<_, _>>()?;
        let name = format!("{}-{seed}", row.name.replace([' ', ','], "-"));
        let Some(run) = evolve(context, &name, &row.experiment, seed, &changes)? else {
            return Ok(None);
        };
        runs.push(run);
    }
    Ok(Some(runs))
}

/// The share of games that one population wins as black against another.
fn games_won(
    context: Context<'_>,
    black: &Snapshot,
    white: &Snapshot,
    seed: u64,
) -> Result<Option<f64>, ReproduceError> {
    let batch = compare::games((black.lab(), black.population()), (white.lab(), white.population()), 0, seed);
    let mut threads = Threads { stop: context.stop.clone(), ..Threads::default() };
    let Some(margins) = threads.evaluate_all(&batch)? else {
        return Ok(None);
    };
    let tallies = fitness::count(&batch, &margins, batch.contenders.len());
    let blacks = &tallies[..black.population().individuals.len()];
    let sum = |of: fn(&ColorTally) -> u32| f64::from(blacks.iter().map(of).sum::<u32>());
    Ok(Some(sum(ColorTally::wins) / sum(ColorTally::games).max(1.0)))
}

fn winners(rows: &[ModeRow], won: &[Vec<Vec<f64>>], seeds: u64) -> Table {
    let title = match seeds {
        1 => "Games won by Black, one run each; in brackets the report's".to_owned(),
        seeds => format!("Games won by Black, mean of {seeds} runs ± its standard error; in brackets the report's"),
    };
    let mut table = Table::new(&title, &["black \\ white"]);
    table.head.extend(rows.iter().map(|row| row.name.clone()));
    for (row, won) in rows.iter().zip(won) {
        let mut cells = vec![row.name.clone()];
        for (white, rates) in won.iter().enumerate() {
            if rates.is_empty() {
                cells.push("·".to_owned());
                continue;
            }
            let (mean, error) = mean(rates);
            let error = error.map_or_else(String::new, |error| format!(" ± {:.1}", 100.0 * error));
            let theirs = row.theirs.get(white).filter(|share| share.is_finite());
            let theirs = theirs.map_or_else(String::new, |theirs| format!(" ({theirs:.2})"));
            cells.push(format!("{:.1}{error} %{theirs}", 100.0 * mean));
        }
        table.rows.push(cells);
    }
    table
}

/// How the parameters of the best individual grew, on average over the seeds.
fn growth(rows: &[ModeRow], sizes: &[Vec<Vec<f64>>]) -> String {
    let curves = rows.iter().zip(sizes).map(|(row, seeds)| {
        let generations = seeds.iter().map(Vec::len).min().unwrap_or_default();
        let points = (0..generations).map(|generation| {
            let values: Vec<f64> = seeds.iter().map(|sizes| sizes[generation]).collect();
            let (mean, error) = mean(&values);
            (generation as f64 + 1.0, mean, error.unwrap_or_default())
        });
        Curve::with_errors(&row.name, &points.collect::<Vec<_>>())
    });
    Chart {
        title: "Mean absolute parameter of the best individual".to_owned(),
        across: "generation".to_owned(),
        percent: false,
        curves: curves.collect(),
    }
    .draw()
}

/// The time of a generation's games, by population.
pub(super) fn populations(
    context: Context<'_>,
    name: &str,
    sizes: &[u32],
    theirs: &[f64],
) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let head = ["population", "games", "the report", "a generation here", "thirty here", "a generation, times as fast"];
    let mut table = Table::new("Time by population", &head);
    for (&size, &there) in sizes.iter().zip(theirs) {
        (context.hear)(&format!("a population of {size}"));
        let mut text = experiment(name)?.to_owned();
        for change in context.scale.pick(quick_changes(), Vec::new(), Vec::new()) {
            text = change.apply(&text)?;
        }
        let population: Result<Assignment, _> = format!("algorithm.population={size}").parse();
        text = population.map_err(|error| ReproduceError::Data(error.to_string()))?.apply(&text)?;
        let lab = Lab::read(&text, context.seed, &Roster::default())?;
        let batch = fitness::games(&lab, &algorithm::first(&lab));
        let mut threads = Threads { stop: context.stop.clone(), ..Threads::default() };
        let mut best = f64::INFINITY;
        for _ in 0..context.scale.pick(1, 5, 30) {
            let started = Instant::now();
            if threads.evaluate(&batch)?.is_none() {
                return Ok(None);
            }
            best = best.min(started.elapsed().as_secs_f64());
        }
        table.rows.push(vec![
            size.to_string(),
            batch.games.len().to_string(),
            seconds(there),
            seconds(best),
            seconds(30.0 * best),
            format!("{:.0}", there / best.max(1e-9)),
        ]);
    }
    Ok(Some(Outcome { seconds: began.elapsed().as_secs_f64(), tables: vec![table], ..Outcome::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_an_error_from_two_values_on() {
        assert_eq!(mean(&[3.0]), (3.0, None));
        assert_eq!(mean(&[1.0, 3.0]), (2.0, Some(1.0)));
    }
}
