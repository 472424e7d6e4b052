//! Games on disk: one `SQLite` file a run, which can be interrupted at any point and resumed.
//!
//! The file is in write-ahead mode and every commit reaches the disk, so that a killed process or a power
//! cut loses at most the batch that was not committed yet; those games are played again. The store is for
//! matches, not for the millions of games of training.

mod error;
mod place;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use turncoat_util::{FileId, FileLock, Format, StagedFile};

pub use self::error::{StoreError, StoreFault};
pub use self::place::{Place, StoreKind, beside};
use crate::difference::{self, Difference};
use crate::efforts::WrittenEfforts;
use crate::plan::Plan;
use crate::played::Played;
use crate::written::Written;

/// A store of matches and tournaments (`TCar`). Columns that were added later may be missing.
const KIND: StoreKind = StoreKind { application: 0x5443_6172, format: FORMAT, schema: SCHEMA };
const FORMAT: Format = Format { what: "the store", version: 1, earlier: &[] };

const SCHEMA: &str = "
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
        white_seconds REAL NOT NULL,
        times TEXT,
        memory TEXT,
        pressed TEXT,
        voided INTEGER NOT NULL DEFAULT 0
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
    /// The numbers of those that were played under pressure.
    pub pressed: BTreeSet<u64>,
}

impl Store {
    /// Makes the store of a new run.
    ///
    /// # Errors
    /// If something is there already, or it cannot be written.
    pub fn create(path: &Path, plan: &Plan, command: &str) -> Result<Self, StoreError> {
        let place = Place(path);
        check_vacant(place)?;
        let lock = place.lock()?;
        begin(place, plan, command)?;
        Self::open(place, lock)
    }

    /// Opens the file that is there.
    fn open(place: Place<'_>, lock: FileLock) -> Result<Self, StoreError> {
        let identity = FileId::at(place.0).map_err(|e| place.error(StoreFault::Io(e)))?;
        let connection = place.open(OpenFlags::empty())?;
        place.check(&connection, &KIND)?;
        place.make_durable(&connection)?;
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
        let stored = load(place, &store.connection)?;
        compare(place, plan, &stored)?;
        place.commit(&mut store.connection, |transaction| {
            WrittenEfforts::add_columns(transaction)?;
            if plan.games > stored.plan.games {
                let value = plan.games.to_string();
                transaction.execute("UPDATE plan SET value = ?1 WHERE name = 'games'", [value])?;
            }
            Ok(())
        })?;
        Ok((store, stored.games))
    }

    /// Reads a store, also while a run writes to it.
    ///
    /// # Errors
    /// If it is not a store, of another version, or cannot be read.
    pub fn read(path: &Path) -> Result<Contents, StoreError> {
        let place = Place(path);
        place.exists()?;
        let contents = place.open(OpenFlags::empty()).and_then(|connection| load(place, &connection));
        match contents {
            Err(error) if error.is_unopened() => load_copy(place).unwrap_or(Err(error)),
            contents => contents,
        }
    }

    /// What the moves of a game in a store took; nothing is known of one that is not there.
    ///
    /// # Errors
    /// If it is not a store, of another version, or cannot be read.
    pub fn efforts(path: &Path, number: u64) -> Result<WrittenEfforts, StoreError> {
        let place = Place(path);
        place.exists()?;
        let connection = place.open(OpenFlags::empty())?;
        place.check(&connection, &KIND)?;
        let query = "SELECT * FROM games WHERE number = ?1";
        let found = connection.query_row(query, [number as i64], WrittenEfforts::read).optional();
        Ok(found.map_err(|error| place.sqlite(error))?.unwrap_or_default())
    }

    /// The games of each two players that the run in a store has.
    ///
    /// # Errors
    /// If it is not a store, of another version, or cannot be read.
    pub fn planned_games(path: &Path) -> Result<u64, StoreError> {
        let place = Place(path);
        place.exists()?;
        let connection = place.open(OpenFlags::empty())?;
        place.check(&connection, &KIND)?;
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
    pub fn write(&mut self, games: impl IntoIterator<Item: Into<Written>>) -> Result<(), StoreError> {
        self.check_place()?;
        let games = games.into_iter().map(Into::into);
        Place(&self.path).commit(&mut self.connection, |transaction| rows::insert(transaction, games))
    }

    /// Removes the games from this number on: those that were finished beyond the end of the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn truncate(&mut self, end: u64) -> Result<(), StoreError> {
        Place(&self.path).commit(&mut self.connection, |transaction| {
            transaction.execute("DELETE FROM games WHERE number >= ?1", [end as i64])?;
            Ok(())
        })
    }
}

/// Whether a store can be made here; if not, the error says what is here.
fn check_vacant(place: Place<'_>) -> Result<(), StoreError> {
    if fs::symlink_metadata(place.0).is_err() {
        return Ok(());
    }
    let there = place.exists().and_then(|()| place.open(OpenFlags::empty()));
    match there.and_then(|connection| place.check(&connection, &KIND)) {
        Err(error) if matches!(error.fault, StoreFault::Folder | StoreFault::Foreign) => Err(error),
        _ => Err(place.error(StoreFault::Exists)),
    }
}

/// Makes a store aside and puts it in its place complete: a killed process leaves a whole one or none.
fn begin(place: Place<'_>, plan: &Plan, command: &str) -> Result<(), StoreError> {
    let values = plan.values().map_err(|error| place.error(StoreFault::Plan(error)))?;
    let io = |error: io::Error| {
        place.error(match error.kind() {
            io::ErrorKind::AlreadyExists => StoreFault::Exists,
            io::ErrorKind::StorageFull => StoreFault::Full,
            _ => StoreFault::Io(error),
        })
    };
    // Locked, so that it is nobody else's.
    let staged = StagedFile::create_at(beside(place.0, "-new"), place.0).map_err(io)?;
    let fill = || -> rusqlite::Result<()> {
        let connection = Connection::open(staged.path())?;
        // Nothing but this process knows the file yet.
        connection.pragma_update(None, "journal_mode", "MEMORY")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        KIND.fill(&connection, &values, command)?;
        connection.close().map_err(|(_, error)| error)
    };
    fill().map_err(|error| place.sqlite(error))?;
    staged.keep_new().map_err(io)
}

/// What a copy of the store holds; `None` if there can be no copy. Where a folder is read-only, the files beside the store
/// cannot be made without which it is not opened.
fn load_copy(place: Place<'_>) -> Option<Result<Contents, StoreError>> {
    let folder = tempfile::tempdir().ok()?;
    let copy = folder.path().join("games.db");
    fs::copy(place.0, &copy).ok()?;
    // Games that a killed run had not moved into the store yet.
    let _ = fs::copy(beside(place.0, "-wal"), beside(&copy, "-wal"));
    let copy = Place(&copy);
    let loaded = copy.open(OpenFlags::empty()).and_then(|connection| load(copy, &connection));
    Some(loaded.map_err(|error| place.error(error.fault)))
}

/// What the store holds.
fn load(place: Place<'_>, connection: &Connection) -> Result<Contents, StoreError> {
    place.check(connection, &KIND)?;
    // Plan and games of one moment, also while a run writes.
    let moment = connection.unchecked_transaction().map_err(|error| place.sqlite(error))?;
    let plan = place.plan(&moment)?;
    plan.check().map_err(|error| place.error(StoreFault::Plan(error)))?;
    let command = place.command(&moment)?;
    let (games, pressed) = rows::load(&moment, &plan).map_err(|error| match error {
        rows::LoadError::Sqlite(error) => place.sqlite(error),
        rows::LoadError::Bad(bad) => place.error(StoreFault::BadGame { number: bad.number, fault: bad.fault }),
    })?;
    Ok(Contents { plan, command, games, pressed })
}

fn compare(place: Place<'_>, plan: &Plan, stored: &Contents) -> Result<(), StoreError> {
    let plan_error = |error| place.error(StoreFault::Plan(error));
    let command = stored.command.clone();
    match plan.difference(&stored.plan).map_err(plan_error)? {
        None => Ok(()),
        Some(Difference { what: difference::FILES_OF_PLAYERS, .. }) => {
            let digests = plan.players_digests.iter().zip(&stored.plan.players_digests);
            let changed = plan.players.iter().zip(digests);
            let changed = changed.filter(|(_, (ours, theirs))| ours != theirs);
            let players = changed.map(|(player, _)| player.clone()).collect();
            Err(place.error(StoreFault::Changed { players, command }))
        }
        Some(Difference { what, ours: asked, theirs: there }) => {
            Err(place.error(StoreFault::OtherRun { what, asked, there, command }))
        }
    }
}
