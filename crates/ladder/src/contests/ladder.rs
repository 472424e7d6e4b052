//! A ladder as a page sees it: everything is read from its store, whoever writes to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use turncoat_api::{
    ApiFault, ContestGame, ContestGameDetails, ContestKind, ContestRow, ContestView, ContestantDetails,
    ContestantState, ContestantVersion, Contests, LiveView, StandingPoint, Viewer,
};
use turncoat_arena::{Place, Plan, StoreError, report};

use super::{PAGE, unreadable};
use crate::rows::{contest_row, contest_rows};
use crate::store::{self, HistoryPoint, PlayerRow, StoredGame, beside, open_to_read};
use crate::table::table;
use crate::tokens;

/// Points of a history that are shown.
const POINTS: usize = 400;

/// The store of a ladder.
#[derive(Debug)]
pub(super) struct LadderContests {
    path: PathBuf,
    plan: Plan,
    reader: Mutex<Reader>,
}

#[derive(Debug)]
struct Reader {
    connection: Connection,
    /// What was computed last, and of which state of the store.
    last: Option<(i64, Arc<Computed>)>,
}

/// What is computed from all games.
#[derive(Debug)]
struct Computed {
    view: ContestView,
    /// Who plays as a version: name and title.
    sides: BTreeMap<i64, (String, String)>,
}

impl LadderContests {
    /// Opens a store to be shown.
    ///
    /// # Errors
    /// If it is not the store of a ladder.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = open_to_read(path)?;
        let plan = Place(path).plan(&connection)?;
        Ok(Self { path: path.to_owned(), plan, reader: Mutex::new(Reader { connection, last: None }) })
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the store; the database's errors become the API's.
    fn ask<T>(&self, reader: &Reader, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ApiFault> {
        ask(&reader.connection).map_err(|error| unreadable(&Place(&self.path).sqlite(error)))
    }

    /// The table as the store has it, computed anew only if something was committed.
    fn computed(&self, reader: &mut Reader) -> Result<Arc<Computed>, ApiFault> {
        let state: i64 = self.ask(reader, |c| c.query_row("PRAGMA data_version", [], |row| row.get(0)))?;
        if let Some((known, computed)) = &reader.last
            && *known == state
        {
            return Ok(Arc::clone(computed));
        }
        let computed = Arc::new(self.ask(reader, |c| self.compute(c))?);
        reader.last = Some((state, Arc::clone(&computed)));
        Ok(computed)
    }

    fn compute(&self, connection: &Connection) -> rusqlite::Result<Computed> {
        let players = store::players(connection)?;
        let versions = store::versions(connection)?;
        let plays = |player: &PlayerRow| player.version.filter(|_| player.state == ContestantState::Playing);
        let playing: Vec<i64> = players.iter().filter_map(plays).collect();
        let lines = table(&playing, &store::tallies_of_playing(connection)?);
        let games: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        let limits = self.plan.limits_text();
        let view = ContestView {
            kind: ContestKind::Ladder,
            variant: self.plan.variant.name().to_owned(),
            size: self.plan.size.side(),
            limits: limits.trim_start_matches(", ").to_owned(),
            games: games as u64,
            total: None,
            rows: contest_rows(&players, &versions, &lines),
        };
        let mut sides = BTreeMap::new();
        let mut statement =
            connection.prepare("SELECT v.id, p.name, p.title FROM versions v JOIN players p ON p.id = v.player")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            sides.insert(row.get(0)?, (row.get(1)?, row.get(2)?));
        }
        Ok(Computed { view, sides })
    }

    fn find(&self, reader: &Reader, name: &str) -> Result<PlayerRow, ApiFault> {
        let players = self.ask(reader, store::players)?;
        players.into_iter().find(|player| player.name == name).ok_or_else(|| ApiFault::no_contestant(name))
    }

    /// Whether somebody may see what a player printed.
    fn may_see(&self, viewer: &Viewer, name: &str) -> bool {
        match viewer {
            Viewer::Owner => true,
            Viewer::Anyone => false,
            Viewer::Bearer(token) => {
                let bearer = tokens::bearer(&beside(&self.path, "-tokens"), token);
                bearer.is_some_and(|bearer| bearer == name || bearer == "*")
            }
        }
    }
}

impl Contests for LadderContests {
    fn table(&self) -> Result<ContestView, ApiFault> {
        Ok(self.computed(&mut self.reader())?.view.clone())
    }

    fn live(&self) -> Result<LiveView, ApiFault> {
        let text = fs::read_to_string(beside(&self.path, "-live")).unwrap_or_default();
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault> {
        let mut reader = self.reader();
        let player = self.find(&reader, name)?;
        let versions = self.ask(&reader, |c| store::versions_of(c, player.id))?;
        let history = self.ask(&reader, |c| store::history(c, player.id))?;
        let in_table = |row: &&ContestRow| row.name == name;
        let row = self.computed(&mut reader)?.view.rows.iter().find(in_table).cloned();
        let number = |id: i64| versions.iter().find(|version| version.id == id).map_or(0, |version| version.number);
        let point = |point: &HistoryPoint| StandingPoint {
            game: point.number + 1,
            version: number(point.version),
            rank: point.rank,
            rating: point.rating,
            error: point.error,
        };
        let step = history.len().div_ceil(POINTS).max(1);
        // The last one is shown in any case.
        let history: Vec<StandingPoint> = history.iter().rev().step_by(step).rev().map(point).collect();
        let row = row.unwrap_or_else(|| contest_row(&player, None, None));
        let versions = versions.into_iter().map(|version| ContestantVersion {
            number: version.number,
            digest: version.digest,
            seen: version.seen,
            report: version.report,
        });
        Ok(ContestantDetails { row, versions: versions.collect(), history })
    }

    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault> {
        let mut reader = self.reader();
        let before = before.map_or(u64::MAX, |before| before.saturating_sub(1));
        let games = match player {
            Some(name) => {
                let player = self.find(&reader, name)?;
                self.ask(&reader, |c| store::games_of(c, player.id, before, PAGE))?
            }
            None => self.ask(&reader, |c| store::games(c, before, PAGE))?,
        };
        let computed = self.computed(&mut reader)?;
        Ok(games.iter().map(|game| listed(game, &computed.sides)).collect())
    }

    fn game(&self, number: u64, viewer: &Viewer) -> Result<ContestGameDetails, ApiFault> {
        let mut reader = self.reader();
        let none = || ApiFault::no_contest_game(number);
        let index = number.checked_sub(1).ok_or_else(none)?;
        let game = self.ask(&reader, |c| store::game(c, index))?.ok_or_else(none)?;
        let printed = self.ask(&reader, |c| store::outputs(c, index))?;
        let computed = self.computed(&mut reader)?;
        let sides = &computed.sides;
        let sees = [game.black, game.white]
            .map(|version| sides.get(&version).is_some_and(|(name, _)| self.may_see(viewer, name)));
        let hidden = printed.iter().zip(sees).any(|(text, sees)| text.is_some() && !sees);
        let [black, white] = printed;
        Ok(ContestGameDetails {
            game: listed(&game, sides),
            variant: self.plan.variant.name().to_owned(),
            size: self.plan.size.side(),
            chess_log: report::chess_log(&self.plan, game.start.as_deref(), &game.moves).unwrap_or_default(),
            detail: game.detail,
            start: game.start,
            moves: game.moves,
            seconds: game.seconds,
            times: game.efforts.times,
            memory: game.efforts.memory,
            pressed_moves: game.efforts.pressed,
            voided: game.efforts.voided,
            black_output: black.filter(|_| sees[0]),
            white_output: white.filter(|_| sees[1]),
            hidden,
        })
    }
}

fn listed(game: &StoredGame, sides: &BTreeMap<i64, (String, String)>) -> ContestGame {
    let title = |version: i64| sides.get(&version).map_or_else(String::new, |(_, title)| title.clone());
    ContestGame {
        game: game.number + 1,
        black: title(game.black),
        white: title(game.white),
        winner: game.winner.clone(),
        margin: game.margin,
        reason: game.reason.clone(),
        pressed: game.efforts.is_pressed(),
        ended: Some(game.ended),
    }
}
