//! Games as rows, checked when they are read.

use std::time::Duration;

use rusqlite::{Connection, Row, Transaction, params};
use turncoat_board::{Color, Position, Score};
use turncoat_record::transcript;

use crate::faults;
use crate::plan::Plan;
use crate::played::{Ending, Played};
use crate::schedule::Fixture;

/// Why games cannot be read.
pub(super) enum LoadError {
    /// The database refused.
    Sqlite(rusqlite::Error),
    /// A row is no game of this run.
    Bad { number: u64, fault: String },
}

impl From<rusqlite::Error> for LoadError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

pub(super) fn insert(transaction: &Transaction<'_>, games: &[Played]) -> rusqlite::Result<()> {
    let mut statement = transaction
        .prepare("INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")?;
    for game in games {
        let Fixture {
            number,
            opening,
            black,
            white,
        } = game.fixture;
        statement.execute(params![
            number as i64,
            opening as i64,
            black as i64,
            white as i64,
            game.start,
            game.moves,
            game.winner_name(),
            game.ending.margin(),
            game.ending.reason(),
            game.ending.detail(),
            game.thinking[0].as_secs_f64(),
            game.thinking[1].as_secs_f64(),
        ])?;
    }
    Ok(())
}

/// A row as it stands.
struct Raw {
    fixture: Fixture,
    start: Option<String>,
    moves: String,
    winner: String,
    margin: Option<i32>,
    reason: String,
    detail: Option<String>,
    seconds: [f64; 2],
}

impl Raw {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let whole = |index: &str| -> rusqlite::Result<u64> {
            // A negative number is found out when the game is compared with the schedule.
            row.get::<_, i64>(index).map(|value| value as u64)
        };
        Ok(Self {
            fixture: Fixture {
                number: whole("number")?,
                opening: whole("opening")?,
                black: whole("black")? as usize,
                white: whole("white")? as usize,
            },
            start: row.get("start")?,
            moves: row.get("moves")?,
            winner: row.get("winner")?,
            margin: row.get("margin")?,
            reason: row.get("reason")?,
            detail: row.get("detail")?,
            seconds: [row.get("black_seconds")?, row.get("white_seconds")?],
        })
    }

    /// The game, if the moves are legal and lead to the result that is written beside them.
    fn check(self, plan: &Plan, before: &[Played]) -> Result<Played, String> {
        if plan.fixture(self.fixture.number, before) != Some(self.fixture) {
            return Err("the run has another one with this number, or none".to_owned());
        }
        let geometry = plan.geometry().map_err(|error| error.to_string())?;
        let variant = plan.variant().map_err(|error| error.to_string())?;
        let start = match &self.start {
            None => Position::start(geometry),
            Some(text) => Position::parse(text, geometry).map_err(|error| error.to_string())?,
        };
        let game = transcript::parse(&self.moves, variant, start).map_err(|e| e.to_string())?;
        let ending = if self.reason == "finished" {
            let score = self.margin.and_then(|margin| Score::new(margin).ok());
            match (game.outcome(), score) {
                (Some(outcome), Some(score)) if outcome.score == score => {
                    Ending::Finished { score }
                }
                _ => return Err("its moves do not lead to its result".to_owned()),
            }
        } else {
            let fault = faults::parse(&self.reason, self.detail.as_deref());
            let by = match self.winner.as_str() {
                "black" => Color::White,
                "white" => Color::Black,
                other => return Err(format!("{other:?} cannot have won by a fault")),
            };
            let fault = fault.ok_or_else(|| format!("no fault is called {:?}", self.reason))?;
            Ending::Fault { by, fault }
        };
        let played = Played {
            fixture: self.fixture,
            start: self.start,
            moves: self.moves,
            ending,
            thinking: self
                .seconds
                .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default()),
        };
        if played.winner_name() == self.winner {
            Ok(played)
        } else {
            Err("its winner does not fit its margin".to_owned())
        }
    }
}

pub(super) fn load(connection: &Connection, plan: &Plan) -> Result<Vec<Played>, LoadError> {
    let mut statement = connection.prepare("SELECT * FROM games ORDER BY number")?;
    let mut games = Vec::new();
    for raw in statement.query_map([], Raw::read)? {
        let raw = raw?;
        let number = raw.fixture.number;
        let checked = raw.check(plan, &games);
        games.push(checked.map_err(|fault| LoadError::Bad { number, fault })?);
    }
    Ok(games)
}
