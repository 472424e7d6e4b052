//! Training in a folder: stage by stage, so that it can be interrupted and goes on where it was.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::VariantKind;
use turncoat_eval::UNITS;
use turncoat_eval::patterns::{
    Fold, STAGES, Weights, WeightsFault, folds, read_weights, stage_of, write_weights,
};

use super::conjugate::{Fitting, Passed, fit};
use super::problem::Problem;
use super::samples::{Bins, Gathered, Sample};
use crate::dice::Dice;
use crate::games::{Record, ShardFault, read_shard};
use crate::selfplay::VariantName;

/// How to train.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game.
    pub variant: VariantName,
    /// Folders of games.
    pub games: Vec<PathBuf>,
    /// A file of weights to begin with and to be held to; from nothing if not given.
    pub start: Option<PathBuf>,
    /// At most this many passes over the positions of a stage.
    #[serde(default = "usual_passes")]
    pub passes: usize,
    /// How strongly weights are held to their start: as if each had been seen there so often, at 20 empty
    /// squares; in proportion elsewhere, since labels are the noisier the longer the game still is.
    #[serde(default = "usual_ridge")]
    pub ridge: f32,
    /// How much of a label is the game's result, rather than what the players thought soon after.
    #[serde(default = "usual_trust")]
    pub trust: f64,
    /// One game in so many is kept back to measure by.
    #[serde(default = "usual_keep_back")]
    pub keep_back: u64,
    /// Passes without a better error before a stage ends.
    #[serde(default = "usual_patience")]
    pub patience: usize,
}

fn usual_passes() -> usize {
    30
}
fn usual_ridge() -> f32 {
    100.0
}
fn usual_trust() -> f64 {
    1.0
}
fn usual_keep_back() -> u64 {
    25
}
fn usual_patience() -> usize {
    2
}

impl Settings {
    /// What is wrong with the settings, if anything.
    pub fn fault(&self) -> Option<String> {
        let check = |good: bool, fault: &str| (!good).then(|| fault.to_owned());
        check(!self.games.is_empty(), "games: at least one folder")
            .or(check(self.passes > 0, "passes: at least one"))
            .or(check(
                self.ridge >= 0.0 && self.ridge.is_finite(),
                "ridge is not below 0",
            ))
            .or(check((0.0..=1.0).contains(&self.trust), "trust is 0 to 1"))
            .or(check(self.patience > 0, "patience: at least one pass"))
    }
}

/// Why training ended without weights.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file of games is bad.
    #[error("{path}: {fault}")]
    Games {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: ShardFault,
    },
    /// A game holds an illegal move.
    #[error("{path}: game {game} has an illegal move")]
    Illegal {
        /// The file.
        path: PathBuf,
        /// The game's number in it.
        game: usize,
    },
    /// A file of weights is bad.
    #[error("{path}: {fault}")]
    Weights {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: WeightsFault,
    },
    /// The weights to begin with judge the other game.
    #[error("{path}: the weights are for {found}")]
    OtherVariant {
        /// Which.
        path: PathBuf,
        /// Their game.
        found: VariantKind,
    },
    /// There are no games.
    #[error("no games in {0}")]
    NoGames(PathBuf),
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    |error| RunError::File {
        path: path.to_owned(),
        error,
    }
}

/// News of a training.
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
    /// A stage is finished: its positions, and its last pass.
    Finished(usize, usize, Passed),
}

/// What a stage takes from positions just outside it, so that neighbours change smoothly.
const NEIGHBOURS: [f32; 2] = [0.6, 0.3];

/// Trains in `folder`, going on with what is there. `report` hears the news and says whether to go on.
///
/// # Errors
/// If a file is bad, or it was stopped.
pub fn train(
    settings: &Settings,
    folder: &Path,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Weights, RunError> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let variant = settings.variant.into();
    let start = match &settings.start {
        None => Weights::blank(variant),
        Some(path) => load_weights(path, variant)?,
    };
    let bins = folder.join("positions");
    report(Event::Gathered(gather(settings, folder, &bins, report)?));
    let fold = folds();
    let mut weights = Weights::blank(variant);
    for stage in (0..STAGES).rev() {
        let path = folder.join(format!("stage-{stage:02}.weights"));
        weights.stages[stage] = if path.exists() {
            report(Event::Found(stage));
            load_weights(&path, variant)?.stages.swap_remove(stage)
        } else {
            let trained = train_stage(settings, folder, &bins, &fold, &start, stage, report)?;
            let mut file = Weights::blank(variant);
            file.stages[stage].clone_from(&trained);
            put(&path, &write_weights(&file))?;
            trained
        };
    }
    put(&folder.join("patterns.weights"), &write_weights(&weights))?;
    Ok(weights)
}

/// Reads a file of weights for this game.
fn load_weights(path: &Path, variant: VariantKind) -> Result<Weights, RunError> {
    let bytes = fs::read(path).map_err(at(path))?;
    let weights = read_weights(&bytes).map_err(|fault| RunError::Weights {
        path: path.to_owned(),
        fault,
    })?;
    if weights.variant == variant {
        Ok(weights)
    } else {
        Err(RunError::OtherVariant {
            path: path.to_owned(),
            found: weights.variant,
        })
    }
}

/// Puts a file in its place only when it is whole.
fn put(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(at(&part))?;
    fs::rename(&part, path).map_err(at(path))
}

/// Sorts the positions of all games into files, unless that was done before.
fn gather(
    settings: &Settings,
    folder: &Path,
    bins: &Path,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Gathered, RunError> {
    let done = folder.join("positions.json");
    if let Some(gathered) = fs::read(&done)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
    {
        return Ok(gathered);
    }
    let mut shards = Vec::new();
    for games in &settings.games {
        shards.extend(shards_in(games)?);
    }
    let files = Bins::create(bins).map_err(at(bins))?;
    let read = std::sync::atomic::AtomicUsize::new(0);
    let variant = settings.variant.into();
    let parts: Vec<Gathered> = shards
        .par_iter()
        .map(|path| {
            let gathered = gather_shard(settings, variant, path, &files, bins)?;
            let read = read.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            if report(Event::Read(read, shards.len())) {
                Ok(gathered)
            } else {
                Err(RunError::Stopped)
            }
        })
        .collect::<Result<_, _>>()?;
    let gathered = parts
        .iter()
        .fold(Gathered::default(), |sum, part| Gathered {
            games: sum.games + part.games,
            positions: sum.positions + part.positions,
        });
    put(&done, serde_json::json!(gathered).to_string().as_bytes())?;
    Ok(gathered)
}

/// The files of games in a folder, by name.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "games")
        })
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(RunError::NoGames(folder.to_owned()));
    }
    Ok(paths)
}

fn gather_shard(
    settings: &Settings,
    variant: VariantKind,
    path: &Path,
    files: &Bins,
    bins: &Path,
) -> Result<Gathered, RunError> {
    let bytes = fs::read(path).map_err(at(path))?;
    let games = read_shard(&bytes, variant).map_err(|fault| RunError::Games {
        path: path.to_owned(),
        fault,
    })?;
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let kept_back = is_kept_back(game, settings.keep_back);
        let of_game = Sample::of_game(game, settings.trust, kept_back);
        samples.extend(of_game.ok_or_else(|| RunError::Illegal {
            path: path.to_owned(),
            game: number,
        })?);
    }
    files.add(&samples).map_err(at(bins))?;
    Ok(Gathered {
        games: games.len() as u64,
        positions: samples.len() as u64,
    })
}

/// Whether a game is kept back: by its moves, so that the same game always is or is not.
fn is_kept_back(game: &Record, one_in: u64) -> bool {
    let moves = game.plies.iter().fold(0u64, |hash, ply| {
        (hash ^ ply.square.index() as u64).wrapping_mul(0x0100_0000_01b3)
    });
    one_in > 0 && Dice::new(moves).draw().is_multiple_of(one_in)
}

/// Trains one stage.
fn train_stage(
    settings: &Settings,
    folder: &Path,
    bins: &Path,
    fold: &Fold,
    start: &Weights,
    stage: usize,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Vec<i16>, RunError> {
    let (mut examples, mut kept_back) = (Problem::default(), Problem::default());
    for empties in 1..=60 {
        let Some(share) = share_of(stage, empties) else {
            continue;
        };
        let loaded = Bins::load(bins, empties).map_err(at(bins))?;
        let (back, training): (Vec<_>, Vec<_>) =
            loaded.into_iter().partition(|example| example.kept_back);
        examples.add(&training, share);
        // Measured on the stage itself.
        if stage_of(empties) == stage {
            kept_back.add(&back, 1.0);
        }
    }
    report(Event::Stage(stage, examples.len(), kept_back.len()));
    let begin: Vec<f32> = start.stages[stage]
        .iter()
        .map(|&weight| f32::from(weight) / UNITS as f32)
        .collect();
    let fitting = Fitting {
        passes: settings.passes,
        ridge: settings.ridge * (60 - 3 * stage as u32) as f32 / 20.0,
        patience: settings.patience,
    };
    let log = folder.join("log.jsonl");
    let mut file = File::options()
        .append(true)
        .create(true)
        .open(&log)
        .map_err(at(&log))?;
    let (mut stopped, mut trouble, mut last) = (false, None, None);
    let weights = fit(
        &examples,
        &kept_back,
        fold,
        &begin,
        fitting,
        &mut |passed| {
            let line = serde_json::json!({
                "stage": stage, "pass": passed.pass, "positions": examples.len(),
                "error": passed.error, "kept_back": passed.kept_back,
            });
            trouble = trouble.take().or(writeln!(file, "{line}").err());
            last = Some(passed);
            stopped = !report(Event::Passed(stage, passed));
            !stopped
        },
    );
    if let Some(error) = trouble {
        return Err(at(&log)(error));
    }
    if stopped {
        return Err(RunError::Stopped);
    }
    if let Some(passed) = last {
        report(Event::Finished(stage, examples.len(), passed));
    }
    Ok(weights
        .iter()
        .map(|weight| (weight * UNITS as f32).round() as i16)
        .collect())
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
        let shares: Vec<(u32, f32)> = (1..=60)
            .filter_map(|n| Some((n, share_of(10, n)?)))
            .collect();
        let expected = [
            (26, 0.3),
            (27, 0.6),
            (28, 1.0),
            (29, 1.0),
            (30, 1.0),
            (31, 0.6),
            (32, 0.3),
        ];
        assert_eq!(shares, expected);
    }
}
