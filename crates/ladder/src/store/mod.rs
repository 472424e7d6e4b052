//! The store of a ladder: players, their versions, tests and games in one `SQLite` file.
//!
//! As with the arena's store, the file is in write-ahead mode and every commit reaches the disk: what a killed process had
//! not committed is played again. A pair of games is committed when it is decided on and each of its games when it ends,
//! so after a kill the same pair continues where it was.

pub(crate) mod rows;
#[cfg(test)]
pub(crate) mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Transaction, params};
use turncoat_api::{CheckReport, ContestantState};
use turncoat_arena::{Difference, Place, Plan, Played, StoreError, StoreFault, StoreKind, Written, WrittenEfforts};
use turncoat_util::{FileLock, Format};

pub use self::rows::{
    HistoryPoint, Pair, PlayerRow, StoredGame, VersionRow, game, games, games_of, history, outputs, players, tallies,
    tallies_of_playing, version, versions, versions_of,
};
pub use turncoat_arena::beside;

/// A store of ladders (`TCld`). Columns that were added later may be missing.
const KIND: StoreKind = StoreKind { application: 0x5443_6c64, format: FORMAT, schema: SCHEMA };
const FORMAT: Format = Format { what: "the ladder's store", version: 1, earlier: &[] };

const SCHEMA: &str = "
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
        ended INTEGER NOT NULL,
        memory TEXT,
        pressed TEXT,
        voided INTEGER NOT NULL DEFAULT 0
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
pub struct LadderGame {
    /// The game; its players are versions.
    pub played: Played,
    /// What its moves took.
    pub efforts: WrittenEfforts,
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
        let place = Place(path);
        if path.is_dir() {
            return Err(place.error(StoreFault::Folder));
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| place.error(StoreFault::Io(error)))?;
        }
        let lock = place.lock()?;
        let mut connection = place.open(OpenFlags::SQLITE_OPEN_CREATE)?;
        place.prepare(&mut connection, &KIND, plan, command)?;
        place.make_durable(&connection)?;
        place.commit(&mut connection, |transaction| WrittenEfforts::add_columns(transaction))?;
        let there = place.plan(&connection)?;
        let differs = plan.difference(&there).map_err(|error| place.error(StoreFault::Plan(error)))?;
        if let Some(Difference { what, ours: asked, theirs: there }) = differs {
            let command = place.command(&connection)?;
            return Err(place.error(StoreFault::OtherRun { what, asked, there, command }));
        }
        Ok(Self { path: path.to_owned(), connection, _lock: lock })
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
        ask(&self.connection).map_err(|error| Place(&self.path).sqlite(error))
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
    pub fn keep(&mut self, game: &LadderGame, places: &[HistoryPoint]) -> Result<(), StoreError> {
        let written = Written { efforts: game.efforts.clone(), ..Written::from(&game.played) };
        self.commit(|transaction| {
            transaction.execute(
                "INSERT INTO games (number, black, white, start, moves, winner, margin, reason, detail, black_seconds,
                 white_seconds, times, ended) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, '[]', ?12)",
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
                    game.ended as i64,
                ],
            )?;
            written.efforts.write(transaction, written.number)?;
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
        Place(&self.path).commit(&mut self.connection, work)
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
    let place = Place(path);
    place.exists()?;
    let connection = place.open(OpenFlags::empty())?;
    place.check(&connection, &KIND)?;
    Ok(connection)
}
