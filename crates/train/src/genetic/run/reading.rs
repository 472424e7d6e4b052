//! A run as a page shows it. It is read without the players that it meets, so that nothing outside its folder is looked
//! at: programs are not searched for, and files of parameters are those of the checkpoint.

use std::path::{Path, PathBuf};

use turncoat_api::{FitnessPoint, GenePoint, GeneView, RunDetails, RunKindView, RunState, RunView, YardstickView};
use turncoat_players::Roster;

use super::checkpoint::{Checkpoint, NAME as CHECKPOINT};
use super::files::{load_text, read_individuals, read_log};
use super::snapshot::read_whole;
use super::{CHAMPION, GenerationRecord, GeneticError, INDIVIDUALS, LOG, tables};
use crate::genetic::Experiment;
use crate::genetic::lab::{file_fault, genes, parameter_file};
use crate::genetic::report::genes::{POINTS, courses, evenly};
use crate::run_folder::{EXPERIMENT, LOCK, read_text};

/// The files that are read; the lock tells whether a process works on the run.
pub(in crate::genetic) const FILES: [&str; 7] =
    [CHECKPOINT, EXPERIMENT, LOG, INDIVIDUALS, tables::SECONDS, CHAMPION, LOCK];
/// Points of a curve of fitness at most.
const MOST_POINTS: usize = 400;

/// A run at one moment.
pub(in crate::genetic) struct Reading {
    folder: PathBuf,
    state: Checkpoint,
    experiment: Experiment,
    log: Vec<GenerationRecord>,
}

impl Reading {
    /// Reads the run of a folder.
    ///
    /// # Errors
    /// If a file of it is not what was written.
    pub(in crate::genetic) fn read(folder: &Path) -> Result<Self, GeneticError> {
        read_whole(|| {
            let (state, text) = load_text(folder)?;
            let experiment = toml::from_str(&text).map_err(|error| GeneticError::Experiment {
                path: folder.join(EXPERIMENT),
                source: file_fault(&text, &error),
            })?;
            let log = read_log(folder, &state)?;
            Ok(Self { folder: folder.to_owned(), state, experiment, log })
        })
    }

    /// The run in a list, as if no process worked on it.
    pub(in crate::genetic) fn view(&self, name: &str, changed: u64) -> RunView {
        let last = self.log.last();
        let seconds = tables::read_seconds(&self.folder).into_iter();
        RunView {
            name: name.to_owned(),
            kind: RunKindView::Genetic,
            state: if self.state.complete { RunState::Finished } else { RunState::Stopped },
            title: self.experiment.title.clone(),
            generation: self.state.done,
            generations: self.experiment.generations,
            best: last.map(|last| last.best),
            mean: last.map(|last| last.mean),
            // The sum of nothing is -0.
            seconds: seconds
                .filter(|(generation, _)| *generation <= self.state.done)
                .map(|(_, took)| took)
                .sum::<f64>()
                + 0.0,
            has_report: false,
            changed,
            fault: None,
        }
    }

    /// The run with its curves.
    ///
    /// # Errors
    /// If the experiment makes no sense, or the individuals are not what was written.
    pub(in crate::genetic) fn details(&self, run: RunView) -> Result<RunDetails, GeneticError> {
        let roster = Roster::default().with_files(&self.state.files).sealed();
        let (_, schema, layout) = genes(&self.experiment, &roster)
            .map_err(|source| GeneticError::Experiment { path: self.folder.join(EXPERIMENT), source })?;
        let records = read_individuals(&self.folder, &self.state, &layout)?;
        let champion = self.state.complete.then(|| read_text(&self.folder.join(CHAMPION)).ok()).flatten();
        let best = || {
            let record = records.last()?;
            let what = format!("the best of generation {}", record.generation);
            let parameters = layout.parameters(&record.individuals.first()?.individual.genome);
            Some(parameter_file(&self.experiment.title, &what, &schema, &parameters))
        };
        let genes = courses(&layout, &evenly(&records, POINTS)).into_iter().map(|course| GeneView {
            name: course.gene.name.clone(),
            points: course.points.into_iter().map(short_point).collect(),
        });
        Ok(RunDetails {
            run,
            player: self.experiment.player.clone(),
            variant: schema.variant.name().to_owned(),
            fitness: evenly(&self.log, MOST_POINTS).iter().map(fitness).collect(),
            genes: genes.collect(),
            yardsticks: self.yardsticks(),
            elo: Vec::new(),
            parameters: champion.or_else(best),
        })
    }

    fn yardsticks(&self) -> Vec<YardstickView> {
        let yardstick = |(index, player): (usize, String)| {
            let rate = |record: &GenerationRecord| {
                let own = record.yardsticks.iter().find(|own| own.yardstick == index)?;
                Some((record.generation, short(own.win_rate())))
            };
            let points: Vec<_> = self.log.iter().filter_map(rate).collect();
            YardstickView { player, points: evenly(&points, MOST_POINTS) }
        };
        let players = self.experiment.yardstick.iter().map(|plan| plan.player.clone());
        players.enumerate().map(yardstick).collect()
    }
}

fn fitness(record: &GenerationRecord) -> FitnessPoint {
    let GenerationRecord { generation, best, mean, worst, .. } = *record;
    FitnessPoint { generation, best: short(best), mean: short(mean), worst: short(worst) }
}

fn short_point(point: GenePoint) -> GenePoint {
    let GenePoint { generation, best, mean, deviation } = point;
    GenePoint { generation, best: short(best), mean: short(mean), deviation: short(deviation) }
}

/// A number in five digits: more are not seen in a curve.
fn short(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}
