//! Games on disk: one `SQLite` file a run, which can be interrupted at any point and resumed.
//!
//! The file is in write-ahead mode and every commit reaches the disk, so that a killed process or a power
//! cut loses at most the batch that was not committed yet; those games are played again. The store is for
//! matches, not for the millions of games of training.

mod error;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, params};
use turncoat_util::{FileId, FileLock, LockError, StagedFile};

pub use self::error::{StoreError, StoreFault};
use crate::difference::{self, Difference};
use crate::plan::{Plan, PlanError};
use crate::played::Played;

/// The version of the tables below. A store of another version is refused.
pub const VERSION: i64 = 1;

/// Marks the file as ours (`TCar`).
const APPLICATION: i64 = 0x5443_6172;

const SCHEMA: &str = "
    CREATE TABLE store (version INTEGER NOT NULL) STRICT;
    CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        opening INTEGER NOT NULL,
        black INTEGER NOT NULL,
        white INTEGER NOT NULL,
        start TEXT,
        moves TEXT NOT NULL,
        winner TEXT NOT NULL,
        margin INTEGER,
        reason TEXT NOT NULL,
        detail TEXT,
        black_seconds REAL NOT NULL,
        white_seconds REAL NOT NULL
    ) STRICT;";

/// A store that a run writes to.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Which file it is, so that its loss is noticed.
    identity: FileId,
    _lock: FileLock,
}

/// What a store holds.
#[derive(Debug)]
pub struct Contents {
    /// The run.
    pub plan: Plan,
    /// The command that began it.
    pub command: String,
    /// Its games so far, by number.
    pub games: Vec<Played>,
}

impl Store {
    /// Makes the store of a new run.
    ///
    /// # Errors
    /// If something is there already, or it cannot be written.
    pub fn create(path: &Path, plan: &Plan, command: &str) -> Result<Self, StoreError> {
        let place = Place(path);
        place.check_vacant()?;
        let lock = place.lock()?;
        place.begin(plan, command)?;
        Self::open(place, lock)
    }

    /// Opens the file that is there.
    fn open(place: Place<'_>, lock: FileLock) -> Result<Self, StoreError> {
        let identity = FileId::at(place.0).map_err(|e| place.error(StoreFault::Io(e)))?;
        let connection = place.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        place.check(&connection)?;
        let set = |name: &str, value: &str| connection.pragma_update(None, name, value);
        set("journal_mode", "WAL").and_then(|()| set("synchronous", "FULL")).map_err(|error| place.sqlite(error))?;
        Ok(Self { path: place.0.to_owned(), connection, identity, _lock: lock })
    }

    /// Opens the store of an interrupted run to continue it.
    ///
    /// # Errors
    /// If it is not a store, of another version, of another run, in use, or cannot be written.
    pub fn resume(path: &Path, plan: &Plan) -> Result<(Self, Vec<Played>), StoreError> {
        let place = Place(path);
        place.exists()?;
        let mut store = Self::open(place, place.lock()?)?;
        let stored = place.load(&store.connection)?;
        place.compare(plan, &stored)?;
        if plan.games > stored.plan.games {
            store.commit(|transaction| {
                let value = plan.games.to_string();
                transaction.execute("UPDATE plan SET value = ?1 WHERE name = 'games'", [value])?;
                Ok(())
            })?;
        }
        Ok((store, stored.games))
    }

    /// Reads a store, also while a run writes to it.
    ///
    /// # Errors
    /// If it is not a store, of another version, or cannot be read.
    pub fn read(path: &Path) -> Result<Contents, StoreError> {
        let place = Place(path);
        place.exists()?;
        // Nothing is written, but only a connection that could write tidies up behind itself; where the
        // file is protected, SQLite reads it all the same.
        let contents = place.open(OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| place.load(&connection));
        match contents {
            Err(error) if error.is_unopened() => place.load_copy().unwrap_or(Err(error)),
            contents => contents,
        }
    }

    /// The games of each two players that the run in a store has.
    ///
    /// # Errors
    /// If it is not a store, of another version, or cannot be read.
    pub fn planned_games(path: &Path) -> Result<u64, StoreError> {
        let place = Place(path);
        place.exists()?;
        let connection = place.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        place.check(&connection)?;
        Ok(place.plan(&connection)?.games)
    }

    /// Makes sure that the file is still where it was: what is written to one that was removed is lost
    /// with it.
    ///
    /// # Errors
    /// If it was removed, or something else is there.
    pub fn check_place(&self) -> Result<(), StoreError> {
        let there = FileId::at(&self.path);
        if there.is_ok_and(|there| there == self.identity) {
            return Ok(());
        }
        Err(Place(&self.path).error(StoreFault::Gone))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes games, all of them or none.
    ///
    /// # Errors
    /// If it cannot be written; then none of them is.
    pub fn write(&mut self, games: &[Played]) -> Result<(), StoreError> {
        self.check_place()?;
        self.commit(|transaction| rows::insert(transaction, games))
    }

    /// Removes the games from this number on: those that were finished beyond the end of the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn truncate(&mut self, end: u64) -> Result<(), StoreError> {
        self.commit(|transaction| {
            transaction.execute("DELETE FROM games WHERE number >= ?1", [end as i64])?;
            Ok(())
        })
    }

    fn commit(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>) -> Result<(), StoreError> {
        let done = self.connection.transaction().and_then(|transaction| {
            work(&transaction)?;
            transaction.commit()
        });
        done.map_err(|error| Place(&self.path).sqlite(error))
    }
}

/// A path with the errors that belong to it.
#[derive(Clone, Copy)]
struct Place<'a>(&'a Path);

impl Place<'_> {
    fn error(self, fault: StoreFault) -> StoreError {
        StoreError { path: self.0.to_owned(), fault }
    }

    /// The path of a file that goes with the store.
    fn beside(self, end: &str) -> PathBuf {
        let mut path = self.0.as_os_str().to_owned();
        path.push(end);
        path.into()
    }

    fn sqlite(self, error: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode::{DiskFull, NotADatabase};
        self.error(match error.sqlite_error_code() {
            Some(NotADatabase) => StoreFault::Foreign,
            Some(DiskFull) => StoreFault::Full,
            _ => StoreFault::Sqlite(error),
        })
    }

    /// Whether a store can be made here; if not, the error says what is here.
    fn check_vacant(self) -> Result<(), StoreError> {
        if fs::symlink_metadata(self.0).is_err() {
            return Ok(());
        }
        let there = self.exists().and_then(|()| self.open(OpenFlags::SQLITE_OPEN_READ_WRITE));
        match there.and_then(|connection| self.check(&connection)) {
            Err(error) if matches!(error.fault, StoreFault::Folder | StoreFault::Foreign) => Err(error),
            _ => Err(self.error(StoreFault::Exists)),
        }
    }

    /// Makes a store aside and puts it in its place complete: a killed process leaves a whole one or none.
    fn begin(self, plan: &Plan, command: &str) -> Result<(), StoreError> {
        let values = plan.values().map_err(|error| self.error(StoreFault::Plan(error)))?;
        let io = |error: io::Error| {
            self.error(match error.kind() {
                io::ErrorKind::AlreadyExists => StoreFault::Exists,
                io::ErrorKind::StorageFull => StoreFault::Full,
                _ => StoreFault::Io(error),
            })
        };
        // Locked, so that it is nobody else's.
        let staged = StagedFile::create_at(self.beside("-new"), self.0).map_err(io)?;
        let fill = || -> rusqlite::Result<()> {
            let connection = Connection::open(staged.path())?;
            // Nothing but this process knows the file yet.
            connection.pragma_update(None, "journal_mode", "MEMORY")?;
            connection.pragma_update(None, "synchronous", "OFF")?;
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.execute("INSERT INTO store VALUES (?1)", [VERSION])?;
            for (name, value) in values {
                connection.execute("INSERT INTO plan VALUES (?1, ?2)", params![name, value.to_string()])?;
            }
            for (name, value) in [("command", command), ("program", env!("CARGO_PKG_VERSION"))] {
                connection.execute("INSERT INTO about VALUES (?1, ?2)", [name, value])?;
            }
            connection.close().map_err(|(_, error)| error)
        };
        fill().map_err(|error| self.sqlite(error))?;
        staged.keep_new().map_err(io)
    }

    fn exists(self) -> Result<(), StoreError> {
        match fs::metadata(self.0) {
            Ok(metadata) if metadata.is_file() => Ok(()),
            Ok(metadata) if metadata.is_dir() => Err(self.error(StoreFault::Folder)),
            Ok(_) => Err(self.error(StoreFault::Foreign)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.error(StoreFault::Missing)),
            Err(error) => Err(self.error(StoreFault::Io(error))),
        }
    }

    fn lock(self) -> Result<FileLock, StoreError> {
        FileLock::acquire(self.beside("-lock")).map_err(|error| {
            self.error(match error {
                LockError::Held(process) => StoreFault::InUse { process },
                LockError::Io(error) => StoreFault::Io(error),
            })
        })
    }

    fn open(self, flags: OpenFlags) -> Result<Connection, StoreError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(self.0, flags)?;
            // A reader may hold the file for a moment.
            connection.busy_timeout(Duration::from_secs(5))?;
            Ok(connection)
        };
        open().map_err(|error| self.sqlite(error))
    }

    /// Whether the file is a store of this version.
    fn check(self, connection: &Connection) -> Result<(), StoreError> {
        let number = |query: &str| -> Result<i64, StoreError> {
            connection.query_row(query, [], |row| row.get(0)).map_err(|error| self.sqlite(error))
        };
        if number("PRAGMA application_id")? != APPLICATION {
            return Err(self.error(StoreFault::Foreign));
        }
        let version = number("SELECT version FROM store")?;
        if version != VERSION {
            return Err(self.error(StoreFault::Version { found: version }));
        }
        Ok(())
    }

    /// What a copy of the store holds; `None` if there can be no copy. Where a folder is read-only, the files beside the
    /// store cannot be made without which it is not opened.
    fn load_copy(self) -> Option<Result<Contents, StoreError>> {
        let folder = tempfile::tempdir().ok()?;
        let copy = folder.path().join("games.db");
        fs::copy(self.0, &copy).ok()?;
        // Games that a killed run had not moved into the store yet.
        let _ = fs::copy(self.beside("-wal"), Place(&copy).beside("-wal"));
        let named = |error: StoreError| self.error(error.fault);
        let copy = Place(&copy);
        let loaded = copy.open(OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| copy.load(&connection));
        Some(loaded.map_err(named))
    }

    /// What the store holds.
    fn load(self, connection: &Connection) -> Result<Contents, StoreError> {
        self.check(connection)?;
        // Plan and games of one moment, also while a run writes.
        let moment = connection.unchecked_transaction().map_err(|error| self.sqlite(error))?;
        let plan = self.plan(&moment)?;
        let command = moment
            .query_row("SELECT value FROM about WHERE name = 'command'", [], |row| row.get(0))
            .map_err(|error| self.sqlite(error))?;
        let games = rows::load(&moment, &plan).map_err(|error| match error {
            rows::LoadError::Sqlite(error) => self.sqlite(error),
            rows::LoadError::Bad(bad) => self.error(StoreFault::BadGame { number: bad.number, fault: bad.fault }),
        })?;
        Ok(Contents { plan, command, games })
    }

    fn plan(self, connection: &Connection) -> Result<Plan, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut statement = connection.prepare("SELECT name, value FROM plan")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        let mut values = BTreeMap::new();
        for (name, text) in read().map_err(|error| self.sqlite(error))? {
            let value = serde_json::from_str(&text)
                .map_err(|error| self.error(StoreFault::Plan(PlanError::Unreadable(format!("{name}: {error}")))))?;
            values.insert(name, value);
        }
        Plan::from_values(values).map_err(|error| self.error(StoreFault::Plan(error)))
    }

    fn compare(self, plan: &Plan, stored: &Contents) -> Result<(), StoreError> {
        let plan_error = |error| self.error(StoreFault::Plan(error));
        match plan.difference(&stored.plan).map_err(plan_error)? {
            None => Ok(()),
            Some(Difference { what: difference::FILES_OF_PLAYERS, .. }) => {
                let digests = plan.players_digests.iter().zip(&stored.plan.players_digests);
                let changed = plan.players.iter().zip(digests);
                let changed = changed.filter(|(_, (ours, theirs))| ours != theirs);
                Err(self.error(StoreFault::Changed {
                    players: changed.map(|(player, _)| player.clone()).collect(),
                    command: stored.command.clone(),
                }))
            }
            Some(Difference { what, ours: asked, theirs: there }) => {
                let command = stored.command.clone();
                Err(self.error(StoreFault::OtherRun { what, asked, there, command }))
            }
        }
    }
}
