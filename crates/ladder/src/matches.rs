//! Matches that the page starts: one at a time, each in a store of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use turncoat_api::{
    ApiFault, Code, ContestGame, ContestGameDetails, ContestKind, ContestView, ContestantDetails, Contests, LiveBoard,
    LiveView, MatchRequest, MatchView, Matches, Viewer,
};
use turncoat_arena::runner::THREAD_NAME;
use turncoat_arena::{
    Arena, Control, Entrant, Finished, Fixture, Format, Openings, Plan, Results, RunOptions, Source, Store, StoreError,
    run, runner,
};
use turncoat_board::{Game, Geometry, VariantKind};
use turncoat_players::{Roster, Setting, Spec, StopFlag};

use crate::contests::contests;
use crate::order::{live_board, now};

/// What the files of matches are called.
const PREFIX: &str = "match-";
const SUFFIX: &str = ".db";

/// Plays matches between the players of a roster.
#[derive(Debug)]
pub struct PageMatches {
    folder: PathBuf,
    roster: Roster,
    state: Arc<Mutex<State>>,
}

/// What is known of the latest match.
#[derive(Debug, Default)]
struct State {
    view: MatchView,
    /// What its store shows.
    contests: Option<Arc<dyn Contests>>,
    live: BTreeMap<u64, LiveBoard>,
    stop: StopFlag,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store that cannot be written.
fn failed(error: &StoreError) -> ApiFault {
    ApiFault::new(Code::ServerFailed, error)
}

impl PageMatches {
    /// Matches whose stores are kept in a folder, which is made when the first one is. The latest is shown.
    pub fn new(folder: PathBuf, roster: Roster) -> Self {
        let latest = numbers(&folder).into_iter().max().map(|number| path(&folder, number));
        let mut state = State::default();
        if let Some(store) = latest
            && let Ok(shown) = contests(&store)
            && let Ok(table) = shown.table()
        {
            state.view = MatchView {
                players: table.rows.into_iter().map(|row| row.name).collect(),
                games: table.games,
                total: table.total.unwrap_or(table.games),
                store: Some(store.display().to_string()),
                ..MatchView::default()
            };
            state.contests = Some(shown);
        }
        Self { folder, roster, state: Arc::new(Mutex::new(state)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// What the latest store shows, if there is one.
    fn shown(&self) -> Option<Arc<dyn Contests>> {
        self.state().contests.clone()
    }

    /// The plan and the players of a request.
    fn plan(&self, request: &MatchRequest) -> Result<(Plan, Vec<Spec>), ApiFault> {
        request.check()?;
        let variant: VariantKind =
            request.variant.parse().map_err(|error| ApiFault::new(Code::UnknownVariant, error))?;
        let size = Geometry::from_side(request.size).map_err(|error| ApiFault::new(Code::UnknownSize, error))?;
        let players = vec![request.first.clone(), request.second.clone()];
        let specs = players.iter().map(|player| self.roster.parse(player).map_err(ApiFault::from));
        let specs: Vec<Spec> = specs.collect::<Result<_, _>>()?;
        let plan = Plan {
            format: Format::Match,
            players,
            titles: Vec::new(),
            players_digests: specs.iter().map(Spec::fingerprint).collect(),
            variant,
            size,
            seed: now(),
            games: request.games,
            openings: format!("random:{}", size.side()),
            openings_digest: None,
            move_seconds: Some(request.seconds),
            game_seconds: None,
            increment_seconds: None,
            grace_seconds: Control::GRACE.as_secs_f64(),
            depth: None,
            sprt: None,
            memory: None,
            course_points: false,
        };
        Ok((plan, specs))
    }

    fn arena(plan: &Plan, specs: &[Spec]) -> Result<Arena, ApiFault> {
        let setting = Setting { variant: plan.variant, geometry: plan.size, seed: plan.seed };
        let entrants = specs.iter().zip(plan.names()).enumerate();
        let entrants = entrants.map(|(index, (spec, name))| Entrant::from_spec(name, spec, setting, index));
        let source = Source::Random { plies: u32::from(plan.size.side()) };
        let openings = Openings::new(&source, plan.variant, plan.size, plan.seed);
        let openings = openings.map_err(|error| ApiFault::new(Code::ServerFailed, error))?;
        Ok(Arena { entrants: entrants.collect::<Result<_, _>>()?, openings, control: plan.control() })
    }

    /// A store under the next free number.
    fn store(&self, plan: &Plan) -> Result<Store, ApiFault> {
        let unwritable =
            |error: io::Error| ApiFault::new(Code::ServerFailed, format_args!("{}: {error}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(unwritable)?;
        let number = numbers(&self.folder).into_iter().max().unwrap_or(0) + 1;
        Store::create(&path(&self.folder, number), plan, "turncoat serve").map_err(|error| failed(&error))
    }
}

/// The numbers of the stores in a folder.
fn numbers(folder: &Path) -> Vec<u32> {
    let names =
        fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok()).collect()
}

fn path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{PREFIX}{number:04}{SUFFIX}"))
}

impl Matches for PageMatches {
    fn state(&self) -> MatchView {
        self.state().view.clone()
    }

    fn start(&self, request: &MatchRequest) -> Result<MatchView, ApiFault> {
        let mut state = self.state();
        if state.view.running {
            return Err(ApiFault::new(Code::MatchRunning, "a match is being played: stop it first"));
        }
        let (plan, specs) = self.plan(request)?;
        let arena = Self::arena(&plan, &specs)?;
        let store = self.store(&plan)?;
        let place = store.path().to_owned();
        let stop = StopFlag::default();
        let shown = contests(&place).map_err(|error| failed(&error))?;
        let played = Played { plan: plan.clone(), arena, store, state: Arc::clone(&self.state), stop: stop.clone() };
        let started = thread::Builder::new().name(THREAD_NAME.to_owned()).spawn(move || played.play());
        started
            .map_err(|error| ApiFault::new(Code::ServerFailed, format_args!("no thread can be started: {error}")))?;
        *state = State {
            view: MatchView {
                running: true,
                total: plan.total(),
                players: plan.names(),
                store: Some(place.display().to_string()),
                ..MatchView::default()
            },
            contests: Some(shown),
            live: BTreeMap::new(),
            stop,
        };
        Ok(state.view.clone())
    }

    fn stop(&self) -> MatchView {
        let state = self.state();
        state.stop.raise();
        state.view.clone()
    }
}

/// A match that is being played.
struct Played {
    plan: Plan,
    arena: Arena,
    store: Store,
    state: Arc<Mutex<State>>,
    stop: StopFlag,
}

impl Played {
    fn play(mut self) {
        let mut results = Results::new(self.plan.players.len());
        // A core is left for whoever looks on.
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let watcher = Watcher { names: self.plan.names(), state: &self.state };
        let options = RunOptions { concurrency: (cores - 1).max(1), stop: self.stop.clone(), watcher: Some(&watcher) };
        let games = self.plan.next_games(&[]);
        let finish = run(&self.arena, games, &mut results, Some(&mut self.store), None, &options, &mut |results| {
            locked(&self.state).view.games = results.games().len() as u64;
            Ok(())
        });
        let mut state = locked(&self.state);
        state.live.clear();
        state.view.running = false;
        state.view.error = match finish {
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
    }
}

/// Keeps the boards of the games under way.
struct Watcher<'a> {
    names: Vec<String>,
    state: &'a Mutex<State>,
}

impl runner::Watch for Watcher<'_> {
    fn see(&self, fixture: &Fixture, game: &Game, thinking: [Duration; 2]) {
        let titles = [fixture.black, fixture.white].map(|index| self.names[index].as_str());
        let board = live_board(fixture.number, titles, game, thinking);
        locked(self.state).live.insert(fixture.number, board);
    }

    fn finished(&self, finished: &Finished) {
        locked(self.state).live.remove(&finished.played.fixture.number);
    }
}

impl Contests for PageMatches {
    fn table(&self) -> Result<ContestView, ApiFault> {
        let none = ContestView {
            kind: ContestKind::Tournament,
            variant: VariantKind::Reversed.name().to_owned(),
            size: Geometry::EIGHT.side(),
            limits: String::new(),
            games: 0,
            total: None,
            rows: Vec::new(),
        };
        self.shown().map_or(Ok(none), |shown| shown.table())
    }

    fn live(&self) -> Result<LiveView, ApiFault> {
        Ok(LiveView { boards: self.state().live.values().cloned().collect(), ..LiveView::default() })
    }

    fn player(&self, name: &str) -> Result<ContestantDetails, ApiFault> {
        self.shown().ok_or_else(|| ApiFault::no_contestant(name))?.player(name)
    }

    fn games(&self, player: Option<&str>, before: Option<u64>) -> Result<Vec<ContestGame>, ApiFault> {
        self.shown().map_or(Ok(Vec::new()), |shown| shown.games(player, before))
    }

    fn game(&self, number: u64, viewer: &Viewer) -> Result<ContestGameDetails, ApiFault> {
        self.shown().ok_or_else(|| ApiFault::no_contest_game(number))?.game(number, viewer)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn request(first: &str, second: &str, games: u64) -> MatchRequest {
        MatchRequest {
            first: first.to_owned(),
            second: second.to_owned(),
            games,
            seconds: 5.0,
            variant: "reversed".to_owned(),
            size: 4,
        }
    }

    fn wait(matches: &PageMatches) -> MatchView {
        let patience = Instant::now();
        while Matches::state(matches).running {
            assert!(patience.elapsed() < Duration::from_mins(2), "the match does not end");
            thread::sleep(Duration::from_millis(5));
        }
        Matches::state(matches)
    }

    #[test]
    fn a_match_is_played_kept_and_shown_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("matches");
        let matches = PageMatches::new(place.clone(), turncoat_api::opponents());
        assert_eq!(matches.table().unwrap().rows, []);
        assert!(matches.games(None, None).unwrap().is_empty() && matches.game(1, &Viewer::Owner).is_err());
        let begun = matches.start(&request("greedy", "random", 10)).unwrap();
        assert_eq!((begun.running, begun.total), (true, 10));
        let ended = wait(&matches);
        assert_eq!((ended.games, ended.error), (10, None));
        let last = matches.game(10, &Viewer::Owner).unwrap();
        assert_eq!(last.times.len(), last.moves.len() / 2 - 4, "the opening has four moves");
        matches.start(&request("greedy", "turncoat:level=1", 2)).unwrap();
        assert_eq!(wait(&matches).games, 2);
        let again = PageMatches::new(place, turncoat_api::opponents());
        let state = Matches::state(&again);
        assert_eq!((state.players.len(), state.games, state.running), (2, 2, false));
        assert!(state.store.unwrap().ends_with("match-0002.db"));
    }

    #[test]
    fn what_cannot_be_played_is_refused_and_what_is_under_way_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let matches = PageMatches::new(folder.path().to_owned(), turncoat_api::opponents());
        let code = |request: &MatchRequest| matches.start(request).unwrap_err().code;
        assert_eq!(code(&request("greedy", "random", 1)), Code::BadMatch);
        assert_eq!(code(&request("greedy", "nobody", 2)), Code::UnknownPlayer);
        assert_eq!(code(&request("greedy", "line:sh", 2)), Code::UnknownPlayer);
        assert_eq!(code(&MatchRequest { size: 5, ..request("greedy", "random", 2) }), Code::UnknownSize);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no store is left of them");
        let long = MatchRequest { size: 8, ..request("turncoat:level=8", "turncoat:level=9", 1000) };
        matches.start(&long).unwrap();
        assert_eq!(code(&request("greedy", "random", 2)), Code::MatchRunning);
        matches.stop();
        let ended = wait(&matches);
        assert!(ended.games < 1000 && ended.error.is_none());
        assert_eq!(matches.table().unwrap().games, ended.games, "its games are kept");
    }
}
