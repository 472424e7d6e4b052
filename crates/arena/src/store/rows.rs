//! Games as rows, checked when they are read.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, Transaction, params};

use crate::efforts::WrittenEfforts;
use crate::plan::Plan;
use crate::played::Played;
use crate::written::{NotOfTheRun, Written};

/// Why games cannot be read.
pub(super) enum LoadError {
    /// The database refused.
    Sqlite(rusqlite::Error),
    /// A row is not a game of this run.
    Bad(NotOfTheRun),
}

impl From<rusqlite::Error> for LoadError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

pub(super) fn insert(transaction: &Transaction<'_>, games: impl Iterator<Item = Written>) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare(
        "INSERT INTO games (number, opening, black, white, start, moves, winner, margin, reason, detail, black_seconds,
         white_seconds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for game in games {
        statement.execute(params![
            game.number as i64,
            game.opening as i64,
            game.black as i64,
            game.white as i64,
            game.start,
            game.moves,
            game.winner,
            game.margin,
            game.reason,
            game.detail,
            game.seconds[0],
            game.seconds[1],
        ])?;
        if game.efforts != WrittenEfforts::default() {
            game.efforts.write(transaction, game.number)?;
        }
    }
    Ok(())
}

/// A row as it stands, without what its moves took: of many games that is much, and seldom asked for.
fn read(row: &Row<'_>) -> rusqlite::Result<Written> {
    let whole = |index: &str| -> rusqlite::Result<u64> {
        // A negative number is found out when the game is compared with the schedule.
        row.get::<_, i64>(index).map(|value| value as u64)
    };
    Ok(Written {
        number: whole("number")?,
        opening: whole("opening")?,
        black: whole("black")?,
        white: whole("white")?,
        start: row.get("start")?,
        moves: row.get("moves")?,
        winner: row.get("winner")?,
        margin: row.get("margin")?,
        reason: row.get("reason")?,
        detail: row.get("detail")?,
        seconds: [row.get("black_seconds")?, row.get("white_seconds")?],
        efforts: WrittenEfforts::default(),
    })
}

/// All games, and the numbers of those that were played under pressure.
pub(super) fn load(connection: &Connection, plan: &Plan) -> Result<(Vec<Played>, BTreeSet<u64>), LoadError> {
    let mut statement = connection.prepare("SELECT * FROM games ORDER BY number")?;
    let (mut games, mut pressed) = (Vec::new(), BTreeSet::new());
    for row in statement.query_map([], |row| Ok((read(row)?, WrittenEfforts::is_marked(row)?)))? {
        let (written, is_marked) = row?;
        if is_marked {
            pressed.insert(written.number);
        }
        let checked = written.check(plan, &games);
        games.push(checked.map_err(LoadError::Bad)?);
    }
    Ok((games, pressed))
}
