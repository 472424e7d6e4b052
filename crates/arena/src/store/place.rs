//! The file of a store: opened, locked, recognised, and the errors that belong to it. Stores of all kinds begin alike.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, params};
use turncoat_util::{FileLock, Format, LockError};

use super::error::{StoreError, StoreFault};
use crate::plan::{Plan, PlanError};

/// What every store begins with.
const COMMON: &str = "
    CREATE TABLE store (version INTEGER NOT NULL) STRICT;
    CREATE TABLE plan (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;";

/// A kind of store.
#[derive(Debug, Clone, Copy)]
pub struct StoreKind {
    /// Marks its files.
    pub application: i64,
    /// The format of its tables. A store of another one is refused.
    pub format: Format,
    /// Its tables, beside those that all stores have.
    pub schema: &'static str,
}

impl StoreKind {
    /// Makes the tables of a new store.
    pub(super) fn fill(&self, connection: &Connection, plan: &PlanValues, command: &str) -> rusqlite::Result<()> {
        connection.execute_batch(COMMON)?;
        connection.execute_batch(self.schema)?;
        connection.pragma_update(None, "application_id", self.application)?;
        connection.execute("INSERT INTO store VALUES (?1)", [self.format.version])?;
        for (name, value) in plan {
            connection.execute("INSERT INTO plan VALUES (?1, ?2)", params![name, value.to_string()])?;
        }
        for (name, value) in [("command", command), ("program", env!("CARGO_PKG_VERSION"))] {
            connection.execute("INSERT INTO about VALUES (?1, ?2)", [name, value])?;
        }
        Ok(())
    }
}

/// A plan as rows.
pub(super) type PlanValues = BTreeMap<String, serde_json::Value>;

/// The path of a file that goes with a store.
pub fn beside(store: &Path, end: &str) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// The path of a store, with the errors that belong to it.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a>(pub &'a Path);

impl Place<'_> {
    /// A fault of this store.
    pub fn error(self, fault: StoreFault) -> StoreError {
        StoreError { path: self.0.to_owned(), fault }
    }

    /// What the database says.
    pub fn sqlite(self, error: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode::{DiskFull, NotADatabase};
        self.error(match error.sqlite_error_code() {
            Some(NotADatabase) => StoreFault::Foreign,
            Some(DiskFull) => StoreFault::Full,
            _ => StoreFault::Sqlite(error),
        })
    }

    /// Makes sure that there is a file.
    ///
    /// # Errors
    /// If there is not.
    pub fn exists(self) -> Result<(), StoreError> {
        match fs::metadata(self.0) {
            Ok(metadata) if metadata.is_file() => Ok(()),
            Ok(metadata) if metadata.is_dir() => Err(self.error(StoreFault::Folder)),
            Ok(_) => Err(self.error(StoreFault::Foreign)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.error(StoreFault::Missing)),
            Err(error) => Err(self.error(StoreFault::Io(error))),
        }
    }

    /// Keeps other processes from writing to the store.
    ///
    /// # Errors
    /// If another one does.
    pub fn lock(self) -> Result<FileLock, StoreError> {
        FileLock::acquire(beside(self.0, "-lock")).map_err(|error| {
            self.error(match error {
                LockError::Held(process) => StoreFault::InUse { process },
                LockError::Io(error) => StoreFault::Io(error),
            })
        })
    }

    /// Opens the file. Nothing may be meant to be written, but only a connection that could write tidies up behind
    /// itself; where the file is protected, the database reads it all the same.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(self, more: OpenFlags) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let open = || {
            let connection = Connection::open_with_flags(self.0, flags)?;
            // A reader may hold the file for a moment.
            connection.busy_timeout(Duration::from_secs(5))?;
            Ok(connection)
        };
        open().map_err(|error| self.sqlite(error))
    }

    /// Has every commit reach the disk, beside readers.
    ///
    /// # Errors
    /// If the database refuses.
    pub fn make_durable(self, connection: &Connection) -> Result<(), StoreError> {
        let set = |name: &str, value: &str| connection.pragma_update(None, name, value);
        set("journal_mode", "WAL").and_then(|()| set("synchronous", "FULL")).map_err(|error| self.sqlite(error))
    }

    /// Makes sure that the file is a store of this kind.
    ///
    /// # Errors
    /// If it is something else, or of another version.
    pub fn check(self, connection: &Connection, kind: &StoreKind) -> Result<(), StoreError> {
        let number = |query: &str| -> Result<i64, StoreError> {
            connection.query_row(query, [], |row| row.get(0)).map_err(|error| self.sqlite(error))
        };
        if number("PRAGMA application_id")? != kind.application {
            return Err(self.error(StoreFault::Foreign));
        }
        let found = number("SELECT version FROM store")?;
        // The version of Turncoat that the store says it is from.
        let writer = "SELECT value FROM about WHERE name = 'program'";
        let writer: Option<String> = connection.query_row(writer, [], |row| row.get(0)).ok();
        kind.format.check(found, writer.as_deref()).map_err(|other| self.error(other.into()))
    }

    /// Makes the tables of a file that is empty; a killed process leaves all of them or none.
    ///
    /// # Errors
    /// If the file has tables of another kind, or the database refuses.
    pub fn prepare(
        self,
        connection: &mut Connection,
        kind: &StoreKind,
        plan: &Plan,
        command: &str,
    ) -> Result<(), StoreError> {
        let tables = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
        if tables.map_err(|error| self.sqlite(error))? > 0 {
            return self.check(connection, kind);
        }
        let values = plan.values().map_err(|error| self.error(StoreFault::Plan(error)))?;
        self.commit(connection, |transaction| kind.fill(transaction, &values, command))
    }

    /// Does something, all of it or nothing.
    ///
    /// # Errors
    /// If the database refuses.
    pub fn commit<T>(
        self,
        connection: &mut Connection,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let done = connection.transaction().and_then(|transaction| {
            let answer = work(&transaction)?;
            transaction.commit()?;
            Ok(answer)
        });
        done.map_err(|error| self.sqlite(error))
    }

    /// The plan in the store; whether there is something to play is not checked.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn plan(self, connection: &Connection) -> Result<Plan, StoreError> {
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

    /// The command that began the run.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn command(self, connection: &Connection) -> Result<String, StoreError> {
        let query = "SELECT value FROM about WHERE name = 'command'";
        connection.query_row(query, [], |row| row.get(0)).map_err(|error| self.sqlite(error))
    }
}
