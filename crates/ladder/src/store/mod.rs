//! The store of a ladder: players, their versions, tests and games in one `SQLite` file.
//!
//! As with the arena's store, the file is in write-ahead mode and every commit reaches the disk: what a killed process had
//! not committed is played again. A pair of games is committed when it is decided on and each of its games when it ends,
//! so after a kill the same pair continues where it was.

pub(crate) mod rows;
#[cfg(test)]
mod tests;

use std::fs;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, params};
use turncoat_api::{CheckReport, ContestantState};
use turncoat_arena::{Difference, Plan, Played, StoreError, StoreFault, Written};
use turncoat_util::{FileLock, LockError};

pub use self::rows::{
    HistoryPoint, Pair, PlayerRow, StoredGame, VersionRow, game, games, games_of, history, outputs, plan, players,
    tallies, version, versions, versions_of,
};

/// The version of the tables below.
pub const VERSION: i64 = 1;

/// Marks the file as a ladder's (`TCld`).
const APPLICATION: i64 = 0x5443_6c64;

const SCHEMA: &str = "
    CREATE TABLE store (version INTEGER NOT NULL) STRICT;
    CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE players (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        yardstick INTEGER NOT NULL,
        state TEXT NOT NULL,
        words TEXT,
        version INTEGER
    ) STRICT;
    CREATE TABLE versions (
        id INTEGER PRIMARY KEY,
        player INTEGER NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        spec TEXT NOT NULL,
        seen INTEGER NOT NULL,
        passed INTEGER,
        report TEXT,
        UNIQUE (player, digest)
    ) STRICT;
    CREATE TABLE pairs (number INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL) STRICT;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        black INTEGER NOT NULL,
        white INTEGER NOT NULL,
        start TEXT,
        moves TEXT NOT NULL,
        winner TEXT NOT NULL,
        margin INTEGER,
        reason TEXT NOT NULL,
        detail TEXT,
        black_seconds REAL NOT NULL,
        white_seconds REAL NOT NULL,
        times TEXT NOT NULL,
        ended INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_black ON games (black, white, winner, reason, margin);
    CREATE INDEX games_white ON games (white);
    CREATE TABLE outputs (
        number INTEGER NOT NULL, color TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (number, color)
    ) STRICT;
    CREATE TABLE history (
        number INTEGER NOT NULL,
        version INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        rating REAL NOT NULL,
        error REAL NOT NULL,
        ended INTEGER NOT NULL,
        PRIMARY KEY (version, number)
    ) STRICT;";

/// A store that a ladder writes to.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    _lock: FileLock,
}

/// A finished game with what is known of it beside its result.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The game; its players are versions.
    pub played: Played,
    /// How long each move took, those of the opening left out.
    pub times: Vec<Duration>,
    /// What black and white printed.
    pub outputs: [Option<String>; 2],
    /// When it ended, in seconds since 1970.
    pub ended: u64,
}

impl Store {
    /// Opens the store of a ladder, or makes one.
    ///
    /// # Errors
    /// If it is another file, in use, of other rules, or cannot be written.
    pub fn open(path: &Path, plan: &Plan, command: &str) -> Result<Self, StoreError> {
        let fail = |fault| StoreError { path: path.to_owned(), fault };
        if path.is_dir() {
            return Err(fail(StoreFault::Folder));
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| fail(StoreFault::Io(error)))?;
        }
        let lock = FileLock::acquire(beside(path, "-lock")).map_err(|error| {
            fail(match error {
                LockError::Held(process) => StoreFault::InUse { process },
                LockError::Io(error) => StoreFault::Io(error),
            })
        })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| of_sqlite(path, error))?;
        let mut store = Self { path: path.to_owned(), connection, _lock: lock };
        store.prepare(plan, command)?;
        let there = store.reading(rows::plan)?.ok_or_else(|| store.fail(StoreFault::Foreign))?;
        let differs = plan.difference(&there).map_err(|error| store.fail(StoreFault::Plan(error)))?;
        if let Some(Difference { what, ours: asked, theirs: there }) = differs {
            let command = store.reading(rows::command)?;
            return Err(store.fail(StoreFault::OtherRun { what, asked, there, command }));
        }
        Ok(store)
    }

    /// Makes the tables of a new file; a killed process leaves all of them or none.
    fn prepare(&mut self, plan: &Plan, command: &str) -> Result<(), StoreError> {
        let values = plan.values().map_err(|error| self.fail(StoreFault::Plan(error)))?;
        let set = |connection: &Connection| {
            connection.busy_timeout(Duration::from_secs(5))?;
            connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))
        };
        if set(&self.connection).map_err(|error| of_sqlite(&self.path, error))? > 0 {
            check(&self.connection, &self.path)?;
        } else {
            self.commit(|transaction| {
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.execute("INSERT INTO store VALUES (?1)", [VERSION])?;
                for (name, value) in &values {
                    transaction.execute("INSERT INTO plan VALUES (?1, ?2)", params![name, value.to_string()])?;
                }
                transaction.execute("INSERT INTO about VALUES ('command', ?1)", [command])?;
                Ok(())
            })?;
        }
        let set = |name: &str, value: &str| self.connection.pragma_update(None, name, value);
        set("journal_mode", "WAL")
            .and_then(|()| set("synchronous", "FULL"))
            .map_err(|error| of_sqlite(&self.path, error))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Asks the store something.
    ///
    /// # Errors
    /// If the database refuses.
    pub fn reading<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        ask(&self.connection).map_err(|error| of_sqlite(&self.path, error))
    }

    /// The player of this name, made if it is new.
    ///
    /// # Errors
    /// If the database refuses; so with all that follow.
    pub fn player(&mut self, name: &str, title: &str, is_yardstick: bool) -> Result<i64, StoreError> {
        self.commit(|transaction| {
            transaction.execute(
                "INSERT INTO players (name, title, yardstick, state) VALUES (?1, ?2, ?3, 'waiting')
                 ON CONFLICT (name) DO UPDATE SET title = ?2, yardstick = ?3",
                params![name, title, is_yardstick],
            )?;
            transaction.query_row("SELECT id FROM players WHERE name = ?1", [name], |row| row.get(0))
        })
    }

    /// What becomes of a player.
    ///
    /// # Errors
    /// As above.
    pub fn set_state(&mut self, player: i64, state: ContestantState, words: Option<&str>) -> Result<(), StoreError> {
        self.commit(|transaction| {
            let values = params![player, rows::state_name(state), words];
            transaction.execute("UPDATE players SET state = ?2, words = ?3 WHERE id = ?1", values).map(|_| ())
        })
    }

    /// The version of a player with these contents; a new one gets the next number.
    ///
    /// # Errors
    /// As above.
    pub fn version(&mut self, player: i64, digest: &str, spec: &str, now: u64) -> Result<VersionRow, StoreError> {
        self.commit(|transaction| {
            transaction.execute(
                "INSERT INTO versions (player, number, digest, spec, seen)
                 SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4 FROM versions WHERE player = ?1
                 ON CONFLICT (player, digest) DO UPDATE SET spec = ?3",
                params![player, digest, spec, now as i64],
            )?;
            let find = "SELECT * FROM versions WHERE player = ?1 AND digest = ?2";
            transaction.query_row(find, params![player, digest], rows::read_version)
        })
    }

    /// Makes a version the one that plays.
    ///
    /// # Errors
    /// As above.
    pub fn promote(&mut self, version: &VersionRow, title: &str) -> Result<(), StoreError> {
        self.commit(|transaction| {
            let values = params![version.player, version.id, title];
            let set = "UPDATE players SET version = ?2, title = ?3, state = 'playing', words = NULL WHERE id = ?1";
            transaction.execute(set, values).map(|_| ())
        })
    }

    /// The test of a version.
    ///
    /// # Errors
    /// As above.
    pub fn tested(&mut self, version: i64, passed: bool, report: Option<&CheckReport>) -> Result<(), StoreError> {
        let text = report.and_then(|report| serde_json::to_string(report).ok());
        self.commit(|transaction| {
            let values = params![version, passed, text];
            transaction.execute("UPDATE versions SET passed = ?2, report = ?3 WHERE id = ?1", values).map(|_| ())
        })
    }

    /// Decides on a pair of games.
    ///
    /// # Errors
    /// As above.
    pub fn pair(&mut self, a: i64, b: i64) -> Result<Pair, StoreError> {
        self.commit(|transaction| {
            transaction
                .execute("INSERT INTO pairs SELECT 1 + coalesce(max(number), -1), ?1, ?2 FROM pairs", params![a, b])?;
            transaction.query_row("SELECT * FROM pairs WHERE number = last_insert_rowid()", [], rows::read_pair)
        })
    }

    /// Drops what is left of a pair whose players have changed; its finished game stays.
    ///
    /// # Errors
    /// As above.
    pub fn drop_pair(&mut self, number: u64) -> Result<(), StoreError> {
        self.commit(|transaction| {
            transaction.execute("UPDATE pairs SET a = -1, b = -1 WHERE number = ?1", [number as i64]).map(|_| ())
        })
    }

    /// Keeps a finished game, and where its players stand after it.
    ///
    /// # Errors
    /// As above.
    pub fn keep(&mut self, game: &Finished, places: &[HistoryPoint]) -> Result<(), StoreError> {
        let written = Written::from(&game.played);
        let times: Vec<f64> = game.times.iter().map(|time| (time.as_secs_f64() * 1e4).round() / 1e4).collect();
        let times = serde_json::to_string(&times).unwrap_or_default();
        self.commit(|transaction| {
            transaction.execute(
                "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    written.number as i64,
                    written.black as i64,
                    written.white as i64,
                    written.start,
                    written.moves,
                    written.winner,
                    written.margin,
                    written.reason,
                    written.detail,
                    written.seconds[0],
                    written.seconds[1],
                    times,
                    game.ended as i64,
                ],
            )?;
            for (color, text) in ["black", "white"].iter().zip(&game.outputs) {
                if let Some(text) = text {
                    let values = params![written.number as i64, color, text];
                    transaction.execute("INSERT INTO outputs VALUES (?1, ?2, ?3)", values)?;
                }
            }
            for place in places {
                transaction.execute(
                    "INSERT OR REPLACE INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        written.number as i64,
                        place.version,
                        place.rank as i64,
                        place.rating,
                        place.error,
                        game.ended as i64
                    ],
                )?;
            }
            Ok(())
        })
    }

    fn commit<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let done = self.connection.transaction().and_then(|transaction| {
            let answer = work(&transaction)?;
            transaction.commit()?;
            Ok(answer)
        });
        done.map_err(|error| of_sqlite(&self.path, error))
    }

    fn fail(&self, fault: StoreFault) -> StoreError {
        StoreError { path: self.path.clone(), fault }
    }
}

/// Whether a file is the store of a ladder.
pub fn is_ladder(path: &Path) -> bool {
    open_to_read(path).is_ok()
}

/// Opens a store to read it, also while a ladder writes to it.
///
/// # Errors
/// If it is not the store of a ladder.
pub fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    if !path.is_file() {
        return Err(StoreError { path: path.to_owned(), fault: StoreFault::Missing });
    }
    // Only a connection that could write tidies up behind itself.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| of_sqlite(path, error))?;
    connection.busy_timeout(Duration::from_secs(5)).map_err(|error| of_sqlite(path, error))?;
    check(&connection, path)?;
    Ok(connection)
}

fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let number = |query: &str| -> Result<i64, StoreError> {
        connection.query_row(query, [], |row| row.get(0)).map_err(|error| of_sqlite(path, error))
    };
    let fail = |fault| Err(StoreError { path: path.to_owned(), fault });
    if number("PRAGMA application_id")? != APPLICATION {
        return fail(StoreFault::Foreign);
    }
    match number("SELECT version FROM store")? {
        VERSION => Ok(()),
        found => fail(StoreFault::Version { found }),
    }
}

/// An error of the database in the words of the arena's stores.
pub(crate) fn of_sqlite(path: &Path, error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DiskFull, NotADatabase};
    let fault = match error.sqlite_error_code() {
        Some(NotADatabase) => StoreFault::Foreign,
        Some(DiskFull) => StoreFault::Full,
        _ => StoreFault::Sqlite(error),
    };
    StoreError { path: path.to_owned(), fault }
}

/// The path of a file that goes with a store.
pub fn beside(store: &Path, end: &str) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(end);
    path.into()
}
