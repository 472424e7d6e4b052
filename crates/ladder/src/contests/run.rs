//! The store of a match or a tournament as a page sees it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use turncoat_api::{
    ApiFault, ContestGame, ContestGameDetails, ContestKind, ContestRow, ContestView, ContestantDetails,
    ContestantState, Contests, LiveView, TableRow, Viewer,
};
use turncoat_arena::report::{self, Report};
use turncoat_arena::{Contents, Played, Results, Store, StoreError};

use super::{PAGE, unreadable};
use crate::store::beside;

/// When the files of a store were last written to.
type Written = [Option<SystemTime>; 2];

/// The store of a match or a tournament.
#[derive(Debug)]
pub(super) struct RunContests {
    path: PathBuf,
    last: Mutex<(Written, Arc<Run>)>,
}

/// What a store holds.
#[derive(Debug)]
struct Run {
    contents: Contents,
    names: Vec<String>,
    results: Results,
}

impl Run {
    fn read(path: &Path) -> Result<Self, StoreError> {
        let mut contents = Store::read(path)?;
        let names = contents.plan.names();
        let mut results = Results::new(names.len());
        for game in contents.games.drain(..) {
            results.add(game);
        }
        while results.count_next().is_some() {}
        Ok(Self { contents, names, results })
    }

    fn report(&self) -> Report<'_> {
        Report { plan: &self.contents.plan, names: &self.names, results: &self.results, complete: true }
    }

    fn listed(&self, game: &Played) -> ContestGame {
        let object = game.object(&self.names);
        ContestGame {
            game: object.game,
            black: object.black.to_owned(),
            white: object.white.to_owned(),
            winner: object.winner.to_owned(),
            margin: object.margin,
            reason: object.reason.to_owned(),
            pressed: self.contents.pressed.contains(&game.fixture.number),
            ended: None,
        }
    }
}

impl RunContests {
    /// Opens a store to be shown.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let last = Mutex::new((written(path), Arc::new(Run::read(path)?)));
        Ok(Self { path: path.to_owned(), last })
    }

    /// The run, read again if the store was written to.
    fn run(&self) -> Result<Arc<Run>, ApiFault> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = written(&self.path);
        if last.0 != now {
            *last = (now, Arc::new(Run::read(&self.path).map_err(|error| unreadable(&error))?));
        }
        Ok(Arc::clone(&last.1))
    }
}

fn written(path: &Path) -> Written {
    [path.to_owned(), beside(path, "-wal")].map(|path| fs::metadata(path).and_then(|data| data.modified()).ok())
}

fn row(row: &TableRow<'_>) -> ContestRow {
    ContestRow {
        rank: Some(row.rank),
        name: row.player.to_owned(),
        title: row.player.to_owned(),
        version: None,
        yardstick: false,
        state: ContestantState::Playing,
        words: None,
        rating: row.rating,
        rating_error: row.rating_error,
        games: row.games,
        wins: row.wins,
        draws: row.draws,
        losses: row.losses,
        faults: row.faults,
        course_points: row.course_points,
        margin: row.margin,
    }
}

impl Contests for RunContests {
    fn table(&self) -> Result<ContestView, ApiFault> {
        let run = self.run()?;
        let plan = &run.contents.plan;
        Ok(ContestView {
            kind: ContestKind::Tournament,
            variant: plan.variant.name().to_owned(),
            size: plan.size.side(),
            limits: plan.limits_text().trim_start_matches(", ").to_owned(),
            games: run.results.games().len() as u64,
            total: Some(plan.total()),
            rows: run.report().table().iter().map(row).collect(),
        })
    }

    fn live(&self) -> Result<LiveView, ApiFault> {
        Ok(LiveView::default())
    }

    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault> {
        let run = self.run()?;
        let table = run.report().table();
        let found = table.iter().find(|row| row.player == name).ok_or_else(|| ApiFault::no_contestant(name))?;
        Ok(ContestantDetails { row: row(found), versions: Vec::new(), history: Vec::new() })
    }

    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault> {
        let run = self.run()?;
        let index = player
            .map(|name| run.names.iter().position(|known| known == name).ok_or_else(|| ApiFault::no_contestant(name)));
        let index = index.transpose()?;
        let plays = |game: &&Played| {
            let is_in = index.is_none_or(|index| [game.fixture.black, game.fixture.white].contains(&index));
            is_in && before.is_none_or(|before| game.fixture.number + 1 < before)
        };
        Ok(run.results.games().iter().rev().filter(plays).take(PAGE).map(|game| run.listed(game)).collect())
    }

    fn game(&self, number: u64, _: &Viewer) -> Result<ContestGameDetails, ApiFault> {
        let run = self.run()?;
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let game = index.and_then(|index| run.results.games().get(index));
        let game = game.ok_or_else(|| ApiFault::no_contest_game(number))?;
        let plan = &run.contents.plan;
        // A store that can be read as a copy alone is not asked again.
        let efforts = Store::efforts(&self.path, game.fixture.number).unwrap_or_default();
        Ok(ContestGameDetails {
            game: run.listed(game),
            variant: plan.variant.name().to_owned(),
            size: plan.size.side(),
            chess_log: report::chess_log(plan, game.start.as_deref(), &game.moves).unwrap_or_default(),
            detail: game.ending.detail().map(str::to_owned),
            start: game.start.clone(),
            moves: game.moves.clone(),
            seconds: game.thinking.map(|time| time.as_secs_f64()),
            times: efforts.times,
            memory: efforts.memory,
            pressed_moves: efforts.pressed,
            voided: efforts.voided,
            black_output: None,
            white_output: None,
            hidden: false,
        })
    }
}
