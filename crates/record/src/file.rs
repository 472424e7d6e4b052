//! Files of games in any format.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_board::VariantKind;
use turncoat_util::read_file;

use crate::Record;
use crate::chess_log::{self, ChessLogError};
use crate::ggf::{self, GgfError};
use crate::wthor::{self, WthorError};

/// The largest file that is read as a whole.
pub const LARGEST: u64 = 64 << 20;

/// Reads the games of a GGF, WTHOR or `chess_log.txt` file; `None` if it is none of them, as a file of lines is.
/// The names of a WTHOR file come from the `.jou` and `.trn` files beside it.
///
/// # Errors
/// If the file cannot be read or is too large, or a game in it is malformed or illegal.
pub fn read(path: &Path, variant: VariantKind) -> Result<Option<Vec<Record>>, GameFileError> {
    if has_extension(path, "wtb") {
        let bytes = load(path)?;
        let database = wthor::parse_games(&bytes).map_err(|source| GameFileError::wthor(path, source))?;
        let players = names_beside(path, "jou", wthor::parse_players)?;
        let tournaments = names_beside(path, "trn", wthor::parse_tournaments)?;
        return Ok(Some(database.records(&players, &tournaments).collect()));
    }
    let mut head = [0; 64];
    let read = open(path)?.read(&mut head).map_err(|source| GameFileError::io(path, source))?;
    let head = String::from_utf8_lossy(&head[..read]).into_owned();
    if !ggf::looks_like(&head) && !chess_log::looks_like(&head) {
        return Ok(None);
    }
    let bytes = load(path)?;
    let text = String::from_utf8(bytes).map_err(|error| GameFileError::NotText {
        path: path.to_owned(),
        byte: error.utf8_error().valid_up_to() + 1,
    })?;
    parse(&text, variant).map_err(|source| GameFileError::Text { path: path.to_owned(), source }).map(Some)
}

/// Parses the games of a GGF text or of a course log.
///
/// # Errors
/// If the text is malformed or a move is illegal.
pub fn parse(text: &str, variant: VariantKind) -> Result<Vec<Record>, TextError> {
    if chess_log::looks_like(text) {
        return Ok(vec![Record::new(chess_log::parse(text, variant)?)]);
    }
    Ok(ggf::parse(text)?.into_iter().map(|ggf| ggf.record).collect())
}

/// The names in the file with this extension beside a file of games; none if there is no such file.
fn names_beside(
    games: &Path,
    extension: &str,
    parse: fn(&[u8]) -> Result<Vec<String>, WthorError>,
) -> Result<Vec<String>, GameFileError> {
    let folder = games.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).map_err(|source| GameFileError::io(folder, source))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| has_extension(path, extension)).collect();
    found.sort();
    let Some(path) = found.first() else {
        return Ok(Vec::new());
    };
    parse(&load(path)?).map_err(|source| GameFileError::wthor(path, source))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn open(path: &Path) -> Result<File, GameFileError> {
    File::open(path).map_err(|source| GameFileError::io(path, source))
}

fn load(path: &Path) -> Result<Vec<u8>, GameFileError> {
    read_file(path, LARGEST).map_err(|source| match source.kind() {
        io::ErrorKind::FileTooLarge => GameFileError::TooLarge { path: path.to_owned() },
        _ => GameFileError::io(path, source),
    })
}

/// A fault in a text of games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextError {
    /// In GGF.
    #[error("not GGF: {0}")]
    Ggf(#[from] GgfError),
    /// In a course log.
    #[error("not a chess_log: {0}")]
    ChessLog(#[from] ChessLogError),
}

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GameFileError {
    /// The system fails to read it.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// It is larger than [`LARGEST`].
    #[error("{}: files of games have at most {LARGEST} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It is not UTF-8.
    #[error("{}, byte {byte}: this is not text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first bad byte, counted from 1.
        byte: usize,
    },
    /// Its text is faulty.
    #[error("{}: {source}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: TextError,
    },
    /// It is not a valid WTHOR file.
    #[error("{}: not WTHOR: {source}", path.display())]
    Wthor {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: WthorError,
    },
}

impl GameFileError {
    fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    fn wthor(path: &Path, source: WthorError) -> Self {
        Self::Wthor { path: path.to_owned(), source }
    }
}
