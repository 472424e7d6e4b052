//! Kept games: one `SQLite` file in the data folder, written before a request is answered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use thiserror::Error;
use turncoat_api::{KeptGame, LastSeen, SavedGame};
use turncoat_board::Color;
use turncoat_util::{Format, OtherFormat};

/// The tables; their version is the file's `user_version`.
const FORMAT: Format = Format { what: "the file of games", version: 1, earlier: &[] };
/// Games beyond so many push the oldest out.
const MOST_GAMES: i64 = 10_000;
/// The latest games of a list.
const LISTED: i64 = 100;

const TABLES: &str = "
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    variant TEXT NOT NULL,
    size INTEGER NOT NULL,
    start TEXT NOT NULL,
    moves TEXT NOT NULL,
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    loser TEXT,
    changed INTEGER NOT NULL
) STRICT;
CREATE INDEX games_by_change ON games (changed);
PRAGMA user_version = 1;
";

/// What became of a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replaced {
    Done,
    /// The game has changed since it was seen.
    Conflict,
    Missing,
}

/// The games in a file.
#[derive(Debug, Clone)]
pub(crate) struct Store(Arc<Mutex<Connection>>);

impl Store {
    /// Opens the store in this folder, or creates both.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("games.db");
        let at = |fault: StoreFault| StoreError { path: path.clone(), fault };
        fs::create_dir_all(folder).map_err(|error| at(error.into()))?;
        let connection = Connection::open(&path).map_err(|error| at(error.into()))?;
        prepare(&connection).map_err(at)?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A statement that did not end was rolled back.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a new game and returns its number.
    pub(crate) fn add(&self, game: &SavedGame) -> Result<i64, rusqlite::Error> {
        let mut connection = self.connection();
        let all = connection.transaction()?;
        all.execute(
            "INSERT INTO games (variant, size, start, moves, black, white, loser, changed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![game.variant, game.size, game.start, game.moves, game.black, game.white, loser(game), now()],
        )?;
        let id = all.last_insert_rowid();
        all.execute(
            "DELETE FROM games WHERE id IN
             (SELECT id FROM games ORDER BY changed DESC, id DESC LIMIT -1 OFFSET ?1)",
            [MOST_GAMES],
        )?;
        all.commit()?;
        Ok(id)
    }

    /// Replaces the game with this number if it is still as it was seen, or already the same.
    pub(crate) fn replace(
        &self,
        id: i64,
        game: &SavedGame,
        seen: Option<&LastSeen>,
    ) -> Result<Replaced, rusqlite::Error> {
        let mut connection = self.connection();
        let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = all.query_row(&format!("{SELECT} WHERE id = ?1"), [id], read).optional()?;
        let Some(KeptGame { game: found, .. }) = found else {
            return Ok(Replaced::Missing);
        };
        if found != *game && !seen.is_none_or(|seen| seen.matches(&found)) {
            return Ok(Replaced::Conflict);
        }
        all.execute(
            "UPDATE games SET variant = ?2, size = ?3, start = ?4, moves = ?5, black = ?6, white = ?7,
             loser = ?8, changed = ?9 WHERE id = ?1",
            params![id, game.variant, game.size, game.start, game.moves, game.black, game.white, loser(game), now()],
        )?;
        all.commit()?;
        Ok(Replaced::Done)
    }

    /// Deletes the game with this number; `false` if there is none.
    pub(crate) fn remove(&self, id: i64) -> Result<bool, rusqlite::Error> {
        let removed = self.connection().execute("DELETE FROM games WHERE id = ?1", [id])?;
        Ok(removed == 1)
    }

    /// The game with this number.
    pub(crate) fn get(&self, id: i64) -> Result<Option<KeptGame>, rusqlite::Error> {
        self.connection().query_row(&format!("{SELECT} WHERE id = ?1"), [id], read).optional()
    }

    /// The games that were changed last, newest first.
    pub(crate) fn latest(&self) -> Result<Vec<KeptGame>, rusqlite::Error> {
        let connection = self.connection();
        let mut select = connection.prepare(&format!("{SELECT} ORDER BY changed DESC, id DESC LIMIT {LISTED}"))?;
        select.query_map([], read)?.collect()
    }
}

const SELECT: &str = "SELECT id, variant, size, start, moves, black, white, loser, changed FROM games";

fn read(row: &Row<'_>) -> Result<KeptGame, rusqlite::Error> {
    Ok(KeptGame {
        id: row.get(0)?,
        game: SavedGame {
            variant: row.get(1)?,
            size: row.get(2)?,
            start: row.get(3)?,
            moves: row.get(4)?,
            black: row.get(5)?,
            white: row.get(6)?,
            loser: row
                .get::<_, Option<String>>(7)?
                .and_then(|name| Color::BOTH.into_iter().find(|c| c.to_string() == name)),
        },
        changed: row.get(8)?,
    })
}

fn loser(game: &SavedGame) -> Option<String> {
    game.loser.map(|side| side.to_string())
}

fn prepare(connection: &Connection) -> Result<(), StoreFault> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Another server on the same folder is waited for.
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version == 0 {
        return Ok(connection.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} COMMIT;"))?);
    }
    Ok(FORMAT.check(version, None)?)
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}

/// What is wrong with the file of games.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct StoreError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: StoreFault,
}

/// What can be wrong with it.
#[derive(Debug, Error)]
pub enum StoreFault {
    /// The folder cannot be made.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The database refuses.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// Another version of the program wrote it.
    #[error(transparent)]
    Format(#[from] OtherFormat),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> SavedGame {
        SavedGame {
            variant: "reversed".to_owned(),
            size: 8,
            start: "start".to_owned(),
            moves: moves.to_owned(),
            black: "human".to_owned(),
            white: "turncoat:level=3".to_owned(),
            loser: None,
        }
    }

    #[test]
    fn games_are_there_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let first = store.add(&game("f5")).unwrap();
        let second = store.add(&game("d3")).unwrap();
        let replace = |id, moves| store.replace(id, &game(moves), None).unwrap();
        assert_eq!(replace(first, "f5d6"), Replaced::Done);
        assert!(store.remove(second).unwrap() && !store.remove(second).unwrap());
        assert_eq!(replace(second, "d3"), Replaced::Missing);
        // Not closed: as if the process had been killed.
        std::mem::forget(store);
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.get(first).unwrap().unwrap().game, game("f5d6"));
        assert_eq!(store.latest().unwrap().len(), 1);
        assert_eq!(store.get(second).unwrap(), None);
        // Numbers are not used again.
        assert!(store.add(&game("")).unwrap() > second);
    }

    #[test]
    fn a_game_that_somebody_else_has_changed_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let id = store.add(&game("f5")).unwrap();
        let replace = |moves, seen: &str| {
            let seen = LastSeen { moves: seen.to_owned(), loser: None };
            store.replace(id, &game(moves), Some(&seen)).unwrap()
        };
        assert_eq!(replace("f5d6", "f5"), Replaced::Done);
        assert_eq!(replace("f5f6", "f5"), Replaced::Conflict);
        assert_eq!(store.get(id).unwrap().unwrap().game, game("f5d6"));
        // The same again, as after an answer that was lost.
        assert_eq!(replace("f5d6", "f5"), Replaced::Done);
        assert_eq!(replace("f5d6c3", "f5d6"), Replaced::Done);
    }

    #[test]
    fn files_of_other_versions_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let path = folder.path().join("games.db");
        let other = Connection::open(&path).unwrap();
        other.pragma_update(None, "user_version", 7).unwrap();
        let error = Store::open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("has format 7, which a later turncoat reads"), "{error}");
    }
}
