//! `Record`: games read from files.

use std::path::PathBuf;

use pyo3::prelude::*;
use turncoat_record::Record;
use turncoat_record::{file, transcript};

use crate::convert::variant;
use crate::errors;
use crate::game::PyGame;

/// A game and what its file says about it; what a format does not record is empty.
///
/// >>> record = parse_games(Game.parse("f5d6").ggf("me", "you"))[0]
/// >>> record.black, record.white, record.game.transcript
/// ('me', 'you', 'f5d6')
#[pyclass(name = "Record", module = "turncoat", frozen)]
pub(crate) struct PyRecord(Record);

#[pymethods]
impl PyRecord {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::from_game(self.0.game.clone())
    }

    /// Black's name.
    #[getter]
    fn black(&self) -> &str {
        &self.0.black
    }

    /// White's name.
    #[getter]
    fn white(&self) -> &str {
        &self.0.white
    }

    /// The event.
    #[getter]
    fn event(&self) -> &str {
        &self.0.event
    }

    /// The date, as written in the file.
    #[getter]
    fn date(&self) -> &str {
        &self.0.date
    }

    fn __repr__(&self) -> String {
        let moves = transcript::write(&self.0.game);
        format!("<Record {} - {}: {moves:?}>", self.0.black, self.0.white)
    }
}

/// The games of a GGF, WTHOR or `chess_log.txt` file; raises `OSError` if it cannot be read.
///
/// >>> from pathlib import Path
/// >>> from tempfile import mkdtemp
/// >>> path = Path(mkdtemp()) / "chess_log.txt"
/// >>> _ = path.write_text(Game.parse("f5d6c3").chess_log())
/// >>> read_games(path)[0].game.transcript
/// 'f5d6c3'
#[pyfunction]
#[pyo3(signature = (path, *, variant = "reversed"))]
pub(crate) fn read_games(path: PathBuf, variant: &str) -> PyResult<Vec<PyRecord>> {
    let records = file::read(&path, self::variant(variant)?).map_err(|error| match error {
        file::GameFileError::Io { source, .. } => {
            let kind = source.kind();
            std::io::Error::new(kind, format!("{}: {source}", path.display())).into()
        }
        other => errors::input(other),
    })?;
    let records = records.ok_or_else(|| {
        let path = path.display();
        errors::input(format!("{path}: neither GGF, WTHOR nor a log of the course"))
    })?;
    Ok(records.into_iter().map(PyRecord).collect())
}

/// The games in a GGF text or a log of the course.
///
/// >>> from turncoat import Game, parse_games
/// >>> [record.black for record in parse_games(Game.parse("f5d6").ggf("me", "you"))]
/// ['me']
#[pyfunction]
#[pyo3(signature = (text, *, variant = "reversed"))]
pub(crate) fn parse_games(text: &str, variant: &str) -> PyResult<Vec<PyRecord>> {
    let records = file::parse(text, self::variant(variant)?).map_err(errors::input)?;
    Ok(records.into_iter().map(PyRecord).collect())
}
