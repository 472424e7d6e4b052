//! Positions of games, sorted into files by their empty squares.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use turncoat_board::{Bitboard, Board, Geometry};
use turncoat_eval::UNITS;

use super::problem::Example;
use crate::games::TrainingGame;

/// A position and what is to be learned of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    /// The mover's and the opponent's discs, in their canonical orientation.
    pub board: [u64; 2],
    /// Whether it is kept back from training, to measure by.
    pub kept_back: bool,
    /// The score to learn, for the mover, in units of estimates.
    pub label: i16,
}

/// Bytes of a sample in a file.
const BYTES: usize = 19;

impl Sample {
    fn write(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.board[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board[1].to_le_bytes());
        bytes[16..18].copy_from_slice(&self.label.to_le_bytes());
        bytes[18] = u8::from(self.kept_back);
        bytes
    }

    fn read(bytes: &[u8]) -> Self {
        let word = |from: usize| {
            let digits = bytes[from..from + 8].iter().rev();
            digits.fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        Self { board: [word(0), word(8)], label: i16::from_le_bytes([bytes[16], bytes[17]]), kept_back: bytes[18] != 0 }
    }

    /// The samples of a game: every position after the random plies. `trust` is how much of a label is the
    /// result rather than what the players thought on the way to it: the label of a position is that share of
    /// its successor's label and for the rest its successor's score (temporal differences; 1 is the result alone).
    /// What is kept back is always measured by the result.
    pub fn from_game(game: &TrainingGame, geometry: Geometry, trust: f64, kept_back: bool) -> Option<Vec<(u32, Self)>> {
        let replay = game.replay(geometry)?;
        let trust = if kept_back { 1.0 } else { trust };
        let mut samples = Vec::with_capacity(replay.len());
        // For black, so that passes need no thought.
        let mut label = f64::from(game.result);
        let mut next_score = label;
        for at in replay.iter().rev() {
            if at.number < usize::from(game.random) {
                break;
            }
            let sign = if at.position.side() == turncoat_board::Color::Black { 1.0 } else { -1.0 };
            label = trust * label + (1.0 - trust) * next_score;
            next_score = if at.number < usize::from(game.exact_from) {
                sign * f64::from(at.score)
            } else {
                f64::from(game.result)
            };
            let board = at.position.board().canonical().0;
            samples.push((
                at.position.empties(),
                Self {
                    board: [board.mover().0, board.other().0],
                    kept_back,
                    label: (sign * label * f64::from(UNITS)).round() as i16,
                },
            ));
        }
        Some(samples)
    }
}

/// How much was gathered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gathered {
    /// Games.
    pub games: u64,
    /// Positions in them, duplicates included.
    pub positions: u64,
    /// Those of them that are kept back. Earlier versions did not count them.
    #[serde(default)]
    pub kept_back: u64,
}

/// Files of samples, one for each number of empty squares.
pub struct Bins {
    folder: PathBuf,
    files: Vec<Mutex<Option<File>>>,
}

impl Bins {
    /// Opens the folder for writing; what was there before is replaced.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn create(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for empties in 0..=60 {
            let path = bin_path(folder, empties);
            if path.exists() {
                fs::remove_file(path)?;
            }
        }
        Ok(Self { folder: folder.to_owned(), files: (0..=60).map(|_| Mutex::new(None)).collect() })
    }

    /// Adds samples with their numbers of empty squares, from any thread.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&self, samples: &[(u32, Sample)]) -> io::Result<()> {
        let mut by_empties = vec![Vec::new(); 61];
        for (empties, sample) in samples {
            by_empties[*empties as usize].extend(sample.write());
        }
        for (empties, bytes) in by_empties.iter().enumerate() {
            if bytes.is_empty() {
                continue;
            }
            let mut file = self.files[empties].lock().unwrap_or_else(PoisonError::into_inner);
            if file.is_none() {
                *file = Some(File::create(bin_path(&self.folder, empties as u32))?);
            }
            if let Some(file) = file.as_mut() {
                file.write_all(bytes)?;
            }
        }
        Ok(())
    }

    /// The file of positions with this many empty squares; nothing if there are none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &Path, empties: u32) -> io::Result<Vec<u8>> {
        let path = bin_path(folder, empties);
        if path.exists() { fs::read(path) } else { Ok(Vec::new()) }
    }

    /// The different positions of a file, in an order that does not depend on the way here. One that occurs in
    /// training is not measured by.
    pub fn examples(bytes: Vec<u8>) -> Vec<Example> {
        let mut samples: Vec<Sample> = bytes.chunks_exact(BYTES).map(Sample::read).collect();
        drop(bytes);
        samples.sort_unstable();
        fold(&samples)
    }
}

pub(super) fn bin_path(folder: &Path, empties: u32) -> PathBuf {
    folder.join(format!("{empties:02}.bin"))
}

/// One example for each different position.
fn fold(samples: &[Sample]) -> Vec<Example> {
    let mut examples = Vec::new();
    for group in samples.chunk_by(|a, b| a.board == b.board) {
        let [mover, other] = group[0].board.map(Bitboard);
        let Some(board) = Board::new(mover, other) else {
            continue; // Never written so.
        };
        // Those for training come first.
        let kept_back = group[0].kept_back;
        let same = group.iter().filter(|sample| sample.kept_back == kept_back);
        let (sum, count) = same.fold((0.0, 0.0), |(sum, count), sample| (sum + f64::from(sample.label), count + 1.0));
        examples.push(Example { board, label: (sum / count) as f32 / UNITS as f32, count: count as f32, kept_back });
    }
    examples
}
