//! What the moves of a game took: time, memory, and a machine that was busy elsewhere.

use std::time::Duration;

use rusqlite::{Connection, Row};
use serde::{Deserialize, Serialize};

/// What a move took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// How long its player thought.
    pub time: Duration,
    /// The most bytes of memory that a program held meanwhile beyond its start, if that is known.
    pub memory: Option<u64>,
    /// Whether it was made under pressure: the machine withheld the CPU for a tenth of the time.
    pub pressed: bool,
}

/// What a game took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Efforts {
    /// Its moves, those of the opening left out.
    pub moves: Vec<Effort>,
    /// How often the game was void before: the machine held a player up beyond its time, and it was played again.
    pub voided: u32,
}

impl Efforts {
    /// Whether the game was played under pressure: a move of it, or an earlier try that is void.
    pub fn is_pressed(&self) -> bool {
        self.voided > 0 || self.moves.iter().any(|effort| effort.pressed)
    }
}

/// What a game took, as it is written. What older stores lack is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenEfforts {
    /// Seconds of each move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// Megabytes of each move; empty if nobody's are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Option<f64>>,
    /// Which of the moves were made under pressure, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pressed: Vec<usize>,
    /// How often it was void before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub voided: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

impl From<&Efforts> for WrittenEfforts {
    fn from(efforts: &Efforts) -> Self {
        let moves = &efforts.moves;
        let megabytes = |bytes: u64| rounded(bytes as f64 / 1e6, 10.0);
        let is_measured = moves.iter().any(|effort| effort.memory.is_some());
        let measured = moves.iter().filter(|_| is_measured);
        let pressed = moves.iter().enumerate().filter(|(_, effort)| effort.pressed);
        Self {
            times: moves.iter().map(|effort| rounded(effort.time.as_secs_f64(), 1e4)).collect(),
            memory: measured.map(|effort| effort.memory.map(megabytes)).collect(),
            pressed: pressed.map(|(index, _)| index).collect(),
            voided: efforts.voided,
        }
    }
}

/// The columns of a table of games that hold what each took; all but the last are lists as JSON, or nothing.
const COLUMNS: [(&str, &str); 4] =
    [("times", "TEXT"), ("memory", "TEXT"), ("pressed", "TEXT"), ("voided", "INTEGER NOT NULL DEFAULT 0")];

impl WrittenEfforts {
    /// Adds the columns to the games of a store that lacks them.
    ///
    /// # Errors
    /// If the database refuses; so with all that follow.
    pub fn add_columns(connection: &Connection) -> rusqlite::Result<()> {
        let there = connection.prepare("SELECT * FROM games LIMIT 0")?;
        let there: Vec<String> = there.column_names().into_iter().map(str::to_owned).collect();
        for (name, kind) in COLUMNS.iter().filter(|(name, _)| !there.iter().any(|known| known == name)) {
            connection.execute_batch(&format!("ALTER TABLE games ADD COLUMN {name} {kind}"))?;
        }
        Ok(())
    }

    /// Writes them to a game that is in the store already.
    ///
    /// # Errors
    /// As above.
    pub fn write(&self, connection: &Connection, number: u64) -> rusqlite::Result<()> {
        let set = "UPDATE games SET times = ?2, memory = ?3, pressed = ?4, voided = ?5 WHERE number = ?1";
        let times = text(&self.times).unwrap_or_else(|| "[]".to_owned());
        let values = rusqlite::params![number as i64, times, text(&self.memory), text(&self.pressed), self.voided];
        connection.execute(set, values).map(|_| ())
    }

    /// Reads them from a row.
    ///
    /// # Errors
    /// As above.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            times: list(row, "times")?,
            memory: list(row, "memory")?,
            pressed: list(row, "pressed")?,
            voided: optional(row, "voided")?.unwrap_or(0),
        })
    }

    /// Whether a row is that of a game that was played under pressure.
    ///
    /// # Errors
    /// As above.
    pub fn is_marked(row: &Row<'_>) -> rusqlite::Result<bool> {
        let pressed: Option<String> = optional(row, "pressed")?;
        Ok(pressed.is_some() || optional::<u32>(row, "voided")?.is_some_and(|voided| voided > 0))
    }

    /// Whether the game was played under pressure.
    pub const fn is_pressed(&self) -> bool {
        !self.pressed.is_empty() || self.voided > 0
    }
}

/// A list as it is stored; an empty one is nothing.
fn text<T: Serialize>(list: &[T]) -> Option<String> {
    (!list.is_empty()).then(|| serde_json::to_string(list).ok()).flatten()
}

fn list<T: for<'a> Deserialize<'a>>(row: &Row<'_>, name: &str) -> rusqlite::Result<Vec<T>> {
    let text: Option<String> = optional(row, name)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// A value of a column that may be missing.
fn optional<T: rusqlite::types::FromSql>(row: &Row<'_>, name: &str) -> rusqlite::Result<Option<T>> {
    match row.get(name) {
        Err(rusqlite::Error::InvalidColumnName(_)) => Ok(None),
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_store_lacks_is_read_as_absent_and_can_be_added() {
        let efforts = Efforts {
            moves: vec![
                Effort { time: Duration::from_millis(1500), memory: None, pressed: false },
                Effort { time: Duration::from_micros(120), memory: Some(2_340_000), pressed: true },
            ],
            voided: 1,
        };
        let written = WrittenEfforts::from(&efforts);
        assert_eq!(written.times, [1.5, 0.0001]);
        assert_eq!((&written.memory[..], &written.pressed[..]), (&[None, Some(2.3)][..], &[1][..]));
        let store = Connection::open_in_memory().unwrap();
        store
            .execute_batch("CREATE TABLE games (number INTEGER PRIMARY KEY) STRICT; INSERT INTO games VALUES (7)")
            .unwrap();
        let read = || store.query_row("SELECT * FROM games", [], WrittenEfforts::read).unwrap();
        let marked = || store.query_row("SELECT * FROM games", [], WrittenEfforts::is_marked).unwrap();
        assert_eq!((read(), marked()), (WrittenEfforts::default(), false));
        WrittenEfforts::add_columns(&store).unwrap();
        WrittenEfforts::add_columns(&store).unwrap();
        assert_eq!((read(), marked()), (WrittenEfforts::default(), false));
        written.write(&store, 7).unwrap();
        assert_eq!((read(), marked()), (written.clone(), true));
        let json = serde_json::to_string(&written).unwrap();
        assert_eq!(serde_json::from_str::<WrittenEfforts>(&json).unwrap(), written);
        assert_eq!(serde_json::from_str::<WrittenEfforts>("{}").unwrap(), WrittenEfforts::default());
    }
}
