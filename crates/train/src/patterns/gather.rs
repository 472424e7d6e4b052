//! From files of games to positions sorted by their empty squares.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use turncoat_util::{SplitMix64, fnv1a_with};

use super::files::{TrainingError, load_weights};
use super::positions::Positions;
use super::run::Event;
use super::samples::{Bins, Gathered, Sample};
use super::settings::Settings;
use crate::games::{TrainingGame, read_shard};
use crate::run_folder::FolderError;

/// Sorts the positions of all games into files.
pub(super) fn gather(
    settings: &Settings,
    bins: &Path,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Positions, TrainingError> {
    let shards = all_shards(settings)?;
    let files = Bins::create(bins).map_err(FolderError::io(bins))?;
    let read = std::sync::atomic::AtomicUsize::new(0);
    let parts: Vec<Gathered> = shards
        .par_iter()
        .map(|path| {
            let gathered = gather_shard(settings, path, &files, bins)?;
            let read = read.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            if report(Event::Read(read, shards.len())) { Ok(gathered) } else { Err(TrainingError::Stopped) }
        })
        .collect::<Result<_, _>>()?;
    let gathered = parts.iter().fold(Gathered::default(), |sum, part| Gathered {
        games: sum.games + part.games,
        positions: sum.positions + part.positions,
        kept_back: sum.kept_back + part.kept_back,
    });
    if gathered.positions == gathered.kept_back {
        return Err(TrainingError::Nothing);
    }
    Positions::written(gathered, bins)
}

/// What a training lacks, if anything: the weights to begin with, or games of the right kind. All games are read, which
/// takes little time beside the training, so that damage is reported before anything is begun.
pub fn unready(settings: &Settings) -> Option<String> {
    let ready = || {
        if let Some(start) = &settings.start {
            load_weights(start, settings)?;
        }
        for path in all_shards(settings)? {
            load_games(&path, settings)?;
        }
        Ok(())
    };
    ready().err().map(|error: TrainingError| error.to_string())
}

/// The files of all games.
pub(super) fn all_shards(settings: &Settings) -> Result<Vec<PathBuf>, TrainingError> {
    let folders = settings.games.iter().map(|folder| shards_in(folder));
    Ok(folders.collect::<Result<Vec<_>, _>>()?.concat())
}

/// The games of a file.
fn load_games(path: &Path, settings: &Settings) -> Result<Vec<TrainingGame>, TrainingError> {
    let bytes = fs::read(path).map_err(FolderError::io(path))?;
    read_shard(&bytes, settings.variant, settings.size)
        .map_err(|fault| TrainingError::Games { path: path.to_owned(), fault })
}

/// The files of games in a folder, by name.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    let entries = fs::read_dir(folder).map_err(FolderError::io(folder))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "games"))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(TrainingError::NoGames(folder.to_owned()));
    }
    Ok(paths)
}

fn gather_shard(settings: &Settings, path: &Path, files: &Bins, bins: &Path) -> Result<Gathered, TrainingError> {
    let games = load_games(path, settings)?;
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let kept_back = is_kept_back(game, settings.keep_back);
        let of_game = Sample::from_game(game, settings.size, settings.trust, kept_back);
        samples.extend(of_game.ok_or_else(|| TrainingError::Illegal { path: path.to_owned(), game: number })?);
    }
    files.add(&samples).map_err(FolderError::io(bins))?;
    Ok(Gathered {
        games: games.len() as u64,
        positions: samples.len() as u64,
        kept_back: samples.iter().filter(|(_, at)| at.kept_back).count() as u64,
    })
}

/// Whether a game is kept back: by its moves, so that the same game always is or is not.
fn is_kept_back(game: &TrainingGame, one_in: u64) -> bool {
    let moves = game.plies.iter().fold(0, |hash, ply| fnv1a_with(hash, ply.square.index() as u64));
    one_in > 0 && SplitMix64::new(moves).next_u64().is_multiple_of(one_in)
}
