//! The positions of self-play games as arrays, for training elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::StopFlag;
use turncoat_train::games::{ShardFault, TrainingGame, read_shard};

use crate::convert;
use crate::errors;
use crate::think::think;

/// Positions of some games, column by column.
#[derive(Default)]
struct Columns {
    boards: Vec<u64>,
    results: Vec<i8>,
    scores: Vec<i8>,
    plies: Vec<u8>,
    /// By position: the number of its game among those read.
    games: Vec<u32>,
    count: u32,
}

/// Boards, results, scores, plies and games.
type Arrays<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u32>>,
);

/// The variant of the files' games and their positions; `lab.read_positions` gives them names.
#[pyfunction]
#[pyo3(signature = (files, *, random = false, threads = 1))]
pub(crate) fn positions_of<'py>(
    py: Python<'py>,
    files: &Bound<'py, PyAny>,
    random: bool,
    #[pyo3(from_py_with = convert::number_of)] threads: usize,
) -> PyResult<(&'static str, Arrays<'py>)> {
    let files = convert::elements(files)?.map(|file| file?.extract());
    let files = files.collect::<PyResult<Vec<PathBuf>>>()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(errors::run)?;
    let stop = StopFlag::default();
    let read = |file: &PathBuf| if stop.is_raised() { Ok(None) } else { read(file, random).map(Some) };
    let all = think(py, &stop, || pool.install(|| files.par_iter().map(read).collect::<Result<Vec<_>, _>>()))??;
    let mut variant = None;
    let mut columns = Columns::default();
    for (file, (found, more)) in files.iter().zip(all.into_iter().flatten()) {
        let expected = *variant.get_or_insert(found);
        if found != expected {
            let other = ShardFault::OtherVariant { found, expected };
            return Err(errors::input(format!("{}: {other}", file.display())));
        }
        columns.append(more);
    }
    let boards = PyArray1::from_vec(py, columns.boards);
    let boards = boards.reshape([columns.results.len(), 2])?;
    let column = |numbers| PyArray1::from_vec(py, numbers);
    let plies = PyArray1::from_vec(py, columns.plies);
    let games = PyArray1::from_vec(py, columns.games);
    let variant = variant.unwrap_or(VariantKind::Reversed).name();
    Ok((variant, (boards, column(columns.results), column(columns.scores), plies, games)))
}

/// The positions of a file.
fn read(file: &Path, random: bool) -> PyResult<(VariantKind, Columns)> {
    let wrong = |fault: &dyn std::fmt::Display| errors::input(format!("{}: {fault}", file.display()));
    let bytes = fs::read(file)?;
    let mut variant = VariantKind::Reversed;
    let mut games = read_shard(&bytes, variant, Geometry::EIGHT);
    if let Err(ShardFault::OtherVariant { found, .. }) = games {
        variant = found;
        games = read_shard(&bytes, variant, Geometry::EIGHT);
    }
    let mut columns = Columns::default();
    for (number, game) in games.map_err(|fault| wrong(&fault))?.iter().enumerate() {
        columns.add(game, random).ok_or_else(|| wrong(&ShardFault::BadGame(number)))?;
    }
    Ok((variant, columns))
}

impl Columns {
    /// Adds the positions of a game, those before random moves too if they are wanted; `None` if a move is illegal.
    fn add(&mut self, game: &TrainingGame, random: bool) -> Option<()> {
        let first = if random { 0 } else { usize::from(game.random) };
        for replay in game.replay(Geometry::EIGHT)?.iter().skip(first) {
            let board = replay.position.board();
            self.boards.extend([board.mover().0, board.other().0]);
            // Both are discs, and there are at most 60 moves.
            self.results.push(replay.result as i8);
            self.scores.push(replay.score as i8);
            self.plies.push(replay.number as u8);
            self.games.push(self.count);
        }
        self.count += 1;
        Some(())
    }

    fn append(&mut self, mut other: Self) {
        self.boards.append(&mut other.boards);
        self.results.append(&mut other.results);
        self.scores.append(&mut other.scores);
        self.plies.append(&mut other.plies);
        self.games.extend(other.games.iter().map(|game| game + self.count));
        self.count += other.count;
    }
}
