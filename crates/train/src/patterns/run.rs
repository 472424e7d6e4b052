//! Training in a folder, stage by stage, so that an interrupted run continues where it was.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;
use turncoat_eval::UNITS;
use turncoat_eval::patterns::{Fold, STAGES, Weights, folds, most_empties, stage_of, write_weights};

use super::conjugate::{Fitting, Passed, fit};
use super::curves;
use super::files::{TrainingError, load_stage, load_weights};
use super::gather::{all_shards, gather};
use super::positions::{POSITIONS, Positions, bins_in};
use super::problem::Problem;
use super::samples::Gathered;
use super::settings::Settings;
use crate::run_folder::{Digest, FolderError, RunFolder, digest_of_file};

/// Progress of a training.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// Files of games read, of how many.
    Read(usize, usize),
    /// All games are read.
    Gathered(Gathered),
    /// A stage begins, with so many different positions, and so many kept back.
    Stage(usize, usize, usize),
    /// A pass of a stage ended.
    Passed(usize, Passed),
    /// A stage was found finished.
    Found(usize),
    /// A stage is finished.
    Finished(Learned),
}

/// The result of a stage.
#[derive(Debug, Clone, Copy)]
pub struct Learned {
    /// The stage.
    pub stage: usize,
    /// The different positions that it learned from.
    pub positions: usize,
    /// How many passes were made.
    pub passes: usize,
    /// The first pass, 0: how good the start is.
    pub start: Passed,
    /// The pass whose weights are kept; the first, 0, if nothing was better than the start.
    pub best: Passed,
}

/// A line for each pass over the positions of a stage.
pub(super) const LOG: &str = "log.jsonl";

/// What a stage takes from positions just outside it, so that neighbours change smoothly.
const NEIGHBOURS: [f32; 2] = [0.4, 0.15];

/// Trains in `folder`, continuing with what is there. `report` is told the progress and says whether to continue.
///
/// # Errors
/// If a file is bad, or the folder was begun with other settings, games or weights, or it was stopped.
pub fn train(
    settings: &Settings,
    folder: &RunFolder,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Weights, TrainingError> {
    let blank = || Weights::blank(settings.variant, settings.size);
    let start = match &settings.start {
        None => blank(),
        Some(path) => load_weights(path, settings)?,
    };
    let digest = digest_of(settings, folder)?;
    digest.check(folder)?;
    let found = Positions::found(folder);
    let is_new = found.is_none();
    let positions = found.map_or_else(|| gather(settings, &bins_in(folder), report), Ok)?;
    // Only now does anything in the folder depend on the settings.
    digest.write(folder)?;
    if is_new {
        positions.keep(folder)?;
    }
    report(Event::Gathered(positions.gathered));
    let fold = folds(settings.size);
    let mut weights = blank();
    for stage in (0..STAGES).rev() {
        let name = name_of(stage);
        let path = folder.file(&name);
        weights.stages[stage] = if path.exists() {
            report(Event::Found(stage));
            load_stage(&path, settings, stage)?
        } else {
            let trained = train_stage(settings, folder, &positions, fold, &start, stage, report)?;
            let mut file = Weights { stages: vec![trained], ..blank() };
            folder.replace(&name, write_weights(&file))?;
            file.stages.swap_remove(0)
        };
    }
    folder.replace("patterns.weights", write_weights(&weights))?;
    curves::draw(folder)?;
    Ok(weights)
}

/// Removes what only a training under way needs, most of its folder: the positions and the weights of single stages.
///
/// # Errors
/// If something cannot be removed.
pub fn tidy(folder: &RunFolder) -> Result<(), FolderError> {
    let gone = |path: PathBuf, removed: io::Result<()>| match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::io(path)(error)),
        _ => Ok(()),
    };
    // The list first: without it the positions would be gathered anew.
    let files = [POSITIONS.to_owned()].into_iter().chain((0..STAGES).map(name_of));
    for path in files.map(|name| folder.file(&name)) {
        let removed = fs::remove_file(&path);
        gone(path, removed)?;
    }
    let bins = bins_in(folder);
    let removed = fs::remove_dir_all(&bins);
    gone(bins, removed)
}

/// The file of a stage.
fn name_of(stage: usize) -> String {
    format!("stage-{stage:02}.weights")
}

/// Trains one stage.
fn train_stage(
    settings: &Settings,
    folder: &RunFolder,
    positions: &Positions,
    fold: &Fold,
    start: &Weights,
    stage: usize,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Vec<i16>, TrainingError> {
    let (mut examples, mut kept_back) = (Problem::new(settings.size), Problem::new(settings.size));
    for empties in 1..=60 {
        let Some(share) = share_of(stage, empties) else {
            continue;
        };
        let loaded = positions.load(folder, empties)?;
        let (back, training): (Vec<_>, Vec<_>) = loaded.into_iter().partition(|example| example.kept_back);
        examples.add(&training, share);
        // Measured on the stage itself.
        if stage_of(empties) == stage {
            kept_back.add(&back, 1.0);
        }
    }
    report(Event::Stage(stage, examples.len(), kept_back.len()));
    let begin: Vec<f32> = start.stages[stage].iter().map(|&weight| f32::from(weight) / UNITS as f32).collect();
    let fitting = Fitting {
        passes: settings.passes,
        ridge: settings.ridge * most_empties(stage) as f32 / 20.0,
        patience: settings.patience,
    };
    forget_stage(folder, stage)?;
    let log = folder.file(LOG);
    let mut file = File::options().append(true).create(true).open(&log).map_err(FolderError::io(&log))?;
    let (mut stopped, mut trouble, mut first) = (false, None, None);
    let fitted = fit(&examples, &kept_back, fold, &begin, fitting, &mut |passed| {
        let line = serde_json::json!({
            "stage": stage, "pass": passed.pass, "positions": examples.len(),
            "error": passed.error, "kept_back": passed.kept_back,
        });
        trouble = trouble.take().or(writeln!(file, "{line}").err());
        first.get_or_insert(passed);
        stopped = !report(Event::Passed(stage, passed));
        !stopped
    });
    if let Some(error) = trouble {
        return Err(FolderError::io(log)(error).into());
    }
    if stopped {
        return Err(TrainingError::Stopped);
    }
    report(Event::Finished(Learned {
        stage,
        positions: examples.len(),
        passes: fitted.passes,
        start: first.unwrap_or(fitted.best),
        best: fitted.best,
    }));
    Ok(fitted.weights.iter().map(|weight| (weight * UNITS as f32).round() as i16).collect())
}

/// What all weights depend on.
fn digest_of(settings: &Settings, folder: &RunFolder) -> Result<Digest, TrainingError> {
    let contents = |path: &PathBuf| digest_of_file(path).map(PathBuf::from);
    let games = all_shards(settings)?;
    let known = Settings {
        games: games.par_iter().map(contents).collect::<Result<_, _>>()?,
        start: settings.start.as_ref().map(contents).transpose()?,
        ..settings.clone()
    };
    Ok(Digest::new(&known, folder)?)
}

/// Removes the passes of an interrupted stage from the log: the stage begins again.
fn forget_stage(folder: &RunFolder, stage: usize) -> Result<(), FolderError> {
    let Ok(text) = folder.read(LOG) else {
        return Ok(()); // There is none yet.
    };
    // The last line of a killed run may be cut off.
    let is_of_another = |line: &&str| {
        let read = serde_json::from_str::<serde_json::Value>(line);
        line.ends_with('\n') && read.is_ok_and(|read| read["stage"] != stage)
    };
    let kept: String = text.split_inclusive('\n').filter(is_of_another).collect();
    if kept == text {
        return Ok(());
    }
    folder.replace(LOG, kept)
}

/// How much positions with this many empty squares count for a stage; `None` if they do not.
fn share_of(stage: usize, empties: u32) -> Option<f32> {
    let distance = (0..=NEIGHBOURS.len() as u32).find(|&distance| {
        stage_of(empties + distance) == stage || stage_of(empties.saturating_sub(distance)) == stage
    })?;
    Some(match distance {
        0 => 1.0,
        outside => NEIGHBOURS[outside as usize - 1],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_learns_a_little_from_its_neighbours() {
        let shares: Vec<(u32, f32)> = (1..=60).filter_map(|n| Some((n, share_of(10, n)?))).collect();
        let expected = [(37, 0.15), (38, 0.4), (39, 1.0), (40, 1.0), (41, 0.4), (42, 0.15)];
        assert_eq!(shares, expected);
    }
}
