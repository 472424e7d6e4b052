//! Rows of the store, and the questions that are asked about them.
#![expect(clippy::missing_errors_doc, reason = "all fail alike: the database refuses")]

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use turncoat_api::{CheckReport, ContestantState};
use turncoat_arena::WrittenEfforts;

use crate::table::Tallies;

/// The name of a state in the store.
pub(super) const fn state_name(state: ContestantState) -> &'static str {
    match state {
        ContestantState::Waiting => "waiting",
        ContestantState::Testing => "testing",
        ContestantState::Playing => "playing",
        ContestantState::Failed => "failed",
        ContestantState::Refused => "refused",
        ContestantState::Gone => "gone",
    }
}

fn state_of(name: &str) -> ContestantState {
    use ContestantState::{Failed, Gone, Playing, Refused, Testing, Waiting};
    let all = [Waiting, Testing, Playing, Failed, Refused, Gone];
    all.into_iter().find(|&state| state_name(state) == name).unwrap_or(Gone)
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRow {
    /// Its number in the store.
    pub id: i64,
    /// Its name in the folder.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Whether it is a yardstick.
    pub is_yardstick: bool,
    /// What becomes of it.
    pub state: ContestantState,
    /// Why.
    pub words: Option<String>,
    /// Its current version.
    pub version: Option<i64>,
}

/// A version of a player.
#[derive(Debug, Clone, PartialEq)]
pub struct VersionRow {
    /// Its number in the store.
    pub id: i64,
    /// Whose it is.
    pub player: i64,
    /// Which of its player's versions it is, from 1.
    pub number: u64,
    /// The hash of its contents.
    pub digest: String,
    /// The player's text.
    pub spec: String,
    /// When it was first seen, in seconds since 1970.
    pub seen: u64,
    /// Whether it has passed its test, once that is known.
    pub passed: Option<bool>,
    /// Its test.
    pub report: Option<CheckReport>,
}

/// A pair of games that was decided on; its games have twice its number, and one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Its number.
    pub number: u64,
    /// The version that challenges, black in the first game.
    pub a: i64,
    /// The version that is challenged.
    pub b: i64,
}

/// A game as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// Its number, from 0.
    pub number: u64,
    /// The version that played black.
    pub black: i64,
    /// The version that played white.
    pub white: i64,
    /// The position it began with, unless that was the start of the board.
    pub start: Option<String>,
    /// Its transcript.
    pub moves: String,
    /// `black`, `white` or `draw`.
    pub winner: String,
    /// Black's score, unless a fault ended it.
    pub margin: Option<i32>,
    /// Why it ended.
    pub reason: String,
    /// What is known of a fault.
    pub detail: Option<String>,
    /// How long black and white thought.
    pub seconds: [f64; 2],
    /// What its moves took, those of the opening left out.
    pub efforts: WrittenEfforts,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
}

/// Where a version stood after a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryPoint {
    /// The game.
    pub number: u64,
    /// The version.
    pub version: i64,
    /// Its place.
    pub rank: usize,
    /// Its rating.
    pub rating: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

fn read_player(row: &Row<'_>) -> rusqlite::Result<PlayerRow> {
    Ok(PlayerRow {
        id: row.get("id")?,
        name: row.get("name")?,
        title: row.get("title")?,
        is_yardstick: row.get("yardstick")?,
        state: state_of(&row.get::<_, String>("state")?),
        words: row.get("words")?,
        version: row.get("version")?,
    })
}

pub(super) fn read_version(row: &Row<'_>) -> rusqlite::Result<VersionRow> {
    let report: Option<String> = row.get("report")?;
    Ok(VersionRow {
        id: row.get("id")?,
        player: row.get("player")?,
        number: row.get::<_, i64>("number")? as u64,
        digest: row.get("digest")?,
        spec: row.get("spec")?,
        seen: row.get::<_, i64>("seen")? as u64,
        passed: row.get("passed")?,
        report: report.and_then(|text| serde_json::from_str(&text).ok()),
    })
}

pub(super) fn read_pair(row: &Row<'_>) -> rusqlite::Result<Pair> {
    Ok(Pair { number: row.get::<_, i64>("number")? as u64, a: row.get("a")?, b: row.get("b")? })
}

fn read_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    Ok(StoredGame {
        number: row.get::<_, i64>("number")? as u64,
        black: row.get("black")?,
        white: row.get("white")?,
        start: row.get("start")?,
        moves: row.get("moves")?,
        winner: row.get("winner")?,
        margin: row.get("margin")?,
        reason: row.get("reason")?,
        detail: row.get("detail")?,
        seconds: [row.get("black_seconds")?, row.get("white_seconds")?],
        efforts: WrittenEfforts::read(row)?,
        ended: row.get::<_, i64>("ended")? as u64,
    })
}

/// All players, in the order in which they came.
pub fn players(connection: &Connection) -> rusqlite::Result<Vec<PlayerRow>> {
    connection.prepare("SELECT * FROM players ORDER BY id")?.query_map([], read_player)?.collect()
}

/// The current versions of all players, by number.
pub fn versions(connection: &Connection) -> rusqlite::Result<BTreeMap<i64, VersionRow>> {
    let query = "SELECT versions.* FROM versions JOIN players ON players.version = versions.id";
    let rows = connection.prepare(query)?.query_map([], read_version)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(rows.into_iter().map(|version| (version.id, version)).collect())
}

/// The versions of a player, the latest first.
pub fn versions_of(connection: &Connection, player: i64) -> rusqlite::Result<Vec<VersionRow>> {
    let query = "SELECT * FROM versions WHERE player = ?1 ORDER BY number DESC";
    connection.prepare(query)?.query_map([player], read_version)?.collect()
}

/// A version.
pub fn version(connection: &Connection, id: i64) -> rusqlite::Result<Option<VersionRow>> {
    connection.query_row("SELECT * FROM versions WHERE id = ?1", [id], read_version).optional()
}

/// Pairs of which a game is still to be played, with the number of games that are there.
pub(crate) fn open_pairs(connection: &Connection) -> rusqlite::Result<Vec<Pair>> {
    let query = "SELECT * FROM pairs WHERE a >= 0 AND
                 (NOT EXISTS (SELECT 1 FROM games WHERE games.number = 2 * pairs.number)
                  OR NOT EXISTS (SELECT 1 FROM games WHERE games.number = 2 * pairs.number + 1))";
    connection.prepare(query)?.query_map([], read_pair)?.collect()
}

/// What versions have scored against each other.
pub fn tallies(connection: &Connection) -> rusqlite::Result<Tallies> {
    tallies_where(connection, "true")
}

/// What the versions that play now have scored against each other: of a term's games a small part.
pub fn tallies_of_playing(connection: &Connection) -> rusqlite::Result<Tallies> {
    let playing = "(SELECT version FROM players WHERE state = 'playing')";
    // The plus keeps the database from looking for every pair of them, most of which have never met.
    tallies_where(connection, &format!("black IN {playing} AND +white IN {playing}"))
}

fn tallies_where(connection: &Connection, condition: &str) -> rusqlite::Result<Tallies> {
    let mut tallies = Tallies::default();
    let query = format!(
        "SELECT black, white, winner, reason <> 'finished', count(*), total(margin) FROM games WHERE {condition}
         GROUP BY black, white, winner, reason"
    );
    let mut statement = connection.prepare(&query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (black, white, winner): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (is_fault, games, margin): (bool, i64, f64) = (row.get(3)?, row.get(4)?, row.get(5)?);
        tallies.add(black, white, &winner, is_fault, games as u64, margin as i64);
    }
    Ok(tallies)
}

/// A game.
pub fn game(connection: &Connection, number: u64) -> rusqlite::Result<Option<StoredGame>> {
    connection.query_row("SELECT * FROM games WHERE number = ?1", [number as i64], read_game).optional()
}

/// The latest games before this number.
pub fn games(connection: &Connection, before: u64, most: usize) -> rusqlite::Result<Vec<StoredGame>> {
    let query = "SELECT * FROM games WHERE number < ?1 ORDER BY number DESC LIMIT ?2";
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    connection.prepare(query)?.query_map(params![before, most as i64], read_game)?.collect()
}

/// The latest games of a player before this number, of all its versions.
pub fn games_of(connection: &Connection, player: i64, before: u64, most: usize) -> rusqlite::Result<Vec<StoredGame>> {
    let query = "SELECT * FROM games WHERE number < ?2 AND number IN (
                     SELECT number FROM games WHERE black IN (SELECT id FROM versions WHERE player = ?1)
                     UNION SELECT number FROM games WHERE white IN (SELECT id FROM versions WHERE player = ?1))
                 ORDER BY number DESC LIMIT ?3";
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    connection.prepare(query)?.query_map(params![player, before, most as i64], read_game)?.collect()
}

/// What black and white printed in a game.
pub fn outputs(connection: &Connection, number: u64) -> rusqlite::Result<[Option<String>; 2]> {
    let ask = |color: &str| {
        let query = "SELECT text FROM outputs WHERE number = ?1 AND color = ?2";
        connection.query_row(query, params![number as i64, color], |row| row.get(0)).optional()
    };
    Ok([ask("black")?, ask("white")?])
}

/// Where the versions of a player have stood, in the order of games.
pub fn history(connection: &Connection, player: i64) -> rusqlite::Result<Vec<HistoryPoint>> {
    let query = "SELECT * FROM history WHERE version IN (SELECT id FROM versions WHERE player = ?1) ORDER BY number";
    let read = |row: &Row<'_>| {
        Ok(HistoryPoint {
            number: row.get::<_, i64>("number")? as u64,
            version: row.get("version")?,
            rank: row.get::<_, i64>("rank")? as usize,
            rating: row.get("rating")?,
            error: row.get("error")?,
        })
    };
    connection.prepare(query)?.query_map([player], read)?.collect()
}
