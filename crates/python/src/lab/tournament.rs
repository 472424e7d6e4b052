//! Matches and tournaments, whose games can be played elsewhere.

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use serde_json::json;
use turncoat_arena::report::Report;
use turncoat_arena::runner::{Watch, settle};
use turncoat_arena::{
    Arena, Control, Entrant, Finished, Fixture, Format, Openings, Plan, Results, RunOptions, Source, Store, StoreError,
    StoreFault, Written, run,
};
use turncoat_board::{Game, Geometry};
use turncoat_players::{Roster, Setting, Spec, StopFlag};

use super::ladder::{Files, luggage, placed};
use super::to_python;
use crate::convert;
use crate::errors;
use crate::evaluator::Failure;
use crate::roster::{Contestant, PyRoster, enrol, given};
use crate::think::think;

/// A match or tournament with its store. Games count by number, in whatever order they arrive.
///
/// >>> from turncoat.lab import Tournament, play, play_tournament
/// >>> run = Tournament(["greedy", "random"], games=4)
/// >>> [row["player"] for row in play(run)["table"]]
/// ['greedy', 'random']
/// >>> run
/// <Tournament of greedy, random: 4 of 4 games>
///
/// Games played elsewhere are counted with `keep`:
///
/// >>> run = Tournament(["greedy", "random"], games=4)
/// >>> run.keep(play_tournament(run.description(), run.fixtures(run.missing())))
/// >>> run.complete
/// True
#[pyclass(name = "Tournament", module = "turncoat.lab", frozen)]
pub(crate) struct PyTournament {
    plan: Plan,
    /// The files that each player depends on.
    files: Vec<turncoat_players::Files>,
    roster: Py<PyRoster>,
    state: Mutex<State>,
}

struct State {
    results: Results,
    store: Option<Store>,
}

#[pymethods]
impl PyTournament {
    /// Starts a tournament, or resumes that of a store. `openings` is ``random:PLIES`` or a file; `time` the seconds for a
    /// move; `format` one of match, round-robin, gauntlet and ladder.
    #[new]
    #[pyo3(signature = (
        players, *, games = 100, openings = None, variant = "reversed", size = 8, seed = 1, depth = None,
        time = None, format = "round-robin", store = None, resume = false, roster = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        players: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = convert::number_of)] games: u64,
        openings: Option<String>,
        variant: &str,
        #[pyo3(from_py_with = convert::size)] size: u8,
        #[pyo3(from_py_with = convert::number_of)] seed: u64,
        #[pyo3(from_py_with = convert::number_of)] depth: Option<u32>,
        time: Option<f64>,
        format: &str,
        store: Option<PathBuf>,
        resume: bool,
        roster: Option<Py<PyRoster>>,
    ) -> PyResult<Self> {
        convert::limits(time, None, None)?;
        let players = convert::elements(players)?.map(|player| player?.extract::<Contestant>());
        let (roster, players) = enrol(py, roster, players)?;
        let everyone = roster.get().everyone(&Failure::default());
        let specs = players.iter().map(|player| everyone.parse(player)).collect::<Result<Vec<_>, _>>();
        let specs = specs.map_err(errors::input)?;
        let usual = format!("random:{size}");
        let mut plan = Plan {
            format: format.parse().map_err(errors::input)?,
            players,
            titles: Vec::new(),
            players_digests: specs.iter().map(Spec::fingerprint).collect(),
            variant: variant.parse().map_err(errors::input)?,
            size: Geometry::from_side(size).map_err(errors::input)?,
            seed,
            games,
            openings: openings.unwrap_or(usual),
            openings_digest: None,
            move_seconds: time,
            game_seconds: None,
            increment_seconds: None,
            grace_seconds: Control::GRACE.as_secs_f64(),
            depth,
            sprt: None,
            memory: roster.get().memory(),
            course_points: false,
        };
        plan.check().map_err(errors::input)?;
        plan.openings_digest = openings_of(&plan, &plan.openings)?.digest();
        // Who cannot be built is told now.
        arena(&plan, &specs, &plan.openings)?;
        let files = specs.iter().map(Spec::files).collect();
        let mut results = Results::new(plan.players.len());
        let store = open_store(&plan, store, resume, &mut results)?;
        settle(&mut results, None, &mut |_| Ok(()))?;
        let state = State { results, store };
        Ok(Self { plan, files, roster, state: Mutex::new(state) })
    }

    /// Everything a chunk depends on, as text for another machine.
    fn description(&self) -> String {
        json!([self.plan, self.files]).to_string()
    }

    /// What another machine needs of each player: None, or the files of a program.
    fn programs(&self) -> PyResult<Vec<Option<Files>>> {
        let hosting = self.roster.get().hosting();
        self.plan.players.iter().map(|player| luggage(player, hosting)).collect()
    }

    /// Who can play in it.
    #[getter]
    fn roster(&self, py: Python<'_>) -> Py<PyRoster> {
        self.roster.clone_ref(py)
    }

    /// The openings: ``random:PLIES`` or a file that the playing machine needs.
    #[getter]
    fn openings(&self) -> String {
        self.plan.openings.clone()
    }

    /// The number of all games.
    #[getter]
    fn total(&self) -> u64 {
        self.plan.total()
    }

    /// The number of games played.
    #[getter]
    fn played(&self) -> usize {
        self.state().results.all().count()
    }

    /// Whether all games have been played.
    #[getter]
    fn complete(&self) -> bool {
        self.state().results.games().len() as u64 >= self.plan.total()
    }

    /// The numbers of the games that can be played now: all missing ones, or those of a ladder's round.
    fn missing(&self) -> Vec<u64> {
        let state = self.state();
        let games = self.plan.next_games(state.results.games());
        let numbers = games.map(|fixture| fixture.number);
        numbers.filter(|&number| !state.results.contains(number)).collect()
    }

    /// Players, openings and colours of these games.
    fn fixtures(&self, numbers: &Bound<'_, PyAny>) -> PyResult<Vec<(u64, u64, usize, usize)>> {
        let state = self.state();
        let fixture = |number| {
            let found = self.plan.fixture(number, state.results.games());
            found.ok_or_else(|| errors::input(format!("there is no game {number} yet")))
        };
        let fields = |f: Fixture| (f.number, f.opening, f.black, f.white);
        convert::elements(numbers)?.map(|number| fixture(number?.extract()?).map(fields)).collect()
    }

    /// Checks, stores and counts a chunk of games.
    fn keep(&self, chunk: &str) -> PyResult<()> {
        let written: Vec<Written> = serde_json::from_str(chunk).map_err(errors::run)?;
        let mut state = self.state();
        let State { results, store } = &mut *state;
        let written: Vec<Written> = written.into_iter().filter(|game| !results.contains(game.number)).collect();
        let games = written.iter().map(|game| game.clone().check(&self.plan, results.games()));
        let games = games.collect::<Result<Vec<_>, _>>().map_err(errors::run)?;
        if let Some(store) = store {
            store.write(written).map_err(store_failure)?;
        }
        for game in games {
            results.add(game);
        }
        settle(results, None, &mut |_| Ok(()))?;
        Ok(())
    }

    /// The table so far, as in ``turncoat tournament --json``.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state();
        let names = self.plan.names();
        let report = Report {
            plan: &self.plan,
            names: &names,
            results: &state.results,
            complete: state.results.games().len() as u64 >= self.plan.total(),
        };
        if self.plan.format == Format::Match {
            return to_python(py, &json!(report.match_summary()));
        }
        to_python(py, &json!(report.tournament_summary()))
    }

    /// The games counted so far, by number: players, moves, winner and margin.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state();
        let games: Vec<Written> = state.results.games().iter().map(Written::from).collect();
        to_python(py, &json!(games))
    }

    fn __repr__(&self) -> String {
        let (players, played, total) = (self.plan.names().join(", "), self.played(), self.total());
        format!("<Tournament of {players}: {played} of {total} games>")
    }
}

impl PyTournament {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open_store(plan: &Plan, store: Option<PathBuf>, resume: bool, results: &mut Results) -> PyResult<Option<Store>> {
    let Some(path) = store else {
        return Ok(None);
    };
    let command = "turncoat-ray tournament";
    if !resume {
        let store = Store::create(&path, plan, command);
        return store.map(Some).map_err(store_failure);
    }
    let (store, games) = Store::resume(&path, plan).map_err(store_failure)?;
    for game in games {
        results.add(game);
    }
    Ok(Some(store))
}

fn store_failure(error: StoreError) -> PyErr {
    match error.fault {
        StoreFault::Exists
        | StoreFault::Missing
        | StoreFault::Folder
        | StoreFault::Foreign
        | StoreFault::OtherRun { .. }
        | StoreFault::Changed { .. } => errors::input(error),
        _ => errors::run(error),
    }
}

fn openings_of(plan: &Plan, openings: &str) -> PyResult<Openings> {
    let source: Source = openings.parse().map_err(errors::input)?;
    Openings::new(&source, plan.variant, plan.size, plan.seed).map_err(errors::input)
}

/// The players of a plan with the files that they were parsed with elsewhere. Programs that have travelled have other
/// texts here.
fn players(plan: &Plan, files: &[turncoat_players::Files], texts: &[String], everyone: &Roster) -> PyResult<Vec<Spec>> {
    let files = files.iter().map(Vec::as_slice).chain(iter::repeat(&[][..]));
    let parse = |((player, text), files): ((&String, &String), &[(String, String)])| {
        let named = |(name, contents): &(String, String)| {
            (if name == player { text.clone() } else { name.clone() }, contents.clone())
        };
        let files: Vec<(String, String)> = files.iter().map(named).collect();
        everyone.clone().with_files(&files).parse(text)
    };
    plan.players.iter().zip(texts).zip(files).map(parse).collect::<Result<_, _>>().map_err(errors::input)
}

fn arena(plan: &Plan, players: &[Spec], openings: &str) -> PyResult<Arena> {
    let setting = Setting { variant: plan.variant, geometry: plan.size, seed: plan.seed };
    let entrants = players.iter().zip(plan.names()).enumerate();
    let entrants = entrants
        .map(|(index, (spec, name))| Entrant::from_spec(name, spec, setting, index))
        .collect::<Result<_, _>>()
        .map_err(errors::input)?;
    Ok(Arena { entrants, openings: openings_of(plan, openings)?, control: plan.control() })
}

/// Plays some games of a tournament, several at a time if there are more threads: a chunk for `Tournament.keep`. `openings` replaces a file of the
/// description that lies elsewhere; `roster` is the tournament's. `programs` are, for each player, None or its text and the
/// folder of its files on this machine.
#[pyfunction]
#[pyo3(
    name = "play_tournament",
    signature = (description, fixtures, *, openings = None, roster = None, threads = 1, programs = None)
)]
pub(crate) fn play_chunk_of_tournament(
    py: Python<'_>,
    description: &str,
    fixtures: &Bound<'_, PyAny>,
    openings: Option<&str>,
    roster: Option<Py<PyRoster>>,
    #[pyo3(from_py_with = convert::number_of)] threads: usize,
    programs: Option<Vec<Option<(String, PathBuf)>>>,
) -> PyResult<String> {
    let (plan, files): (Plan, Vec<turncoat_players::Files>) =
        serde_json::from_str(description).map_err(errors::input)?;
    plan.check().map_err(errors::input)?;
    let roster = given(py, roster)?;
    if roster.get().memory() != plan.memory {
        return Err(errors::input("the roster allows another memory than that of the tournament"));
    }
    let failure = Failure::default();
    let everyone = roster.get().everyone(&failure);
    let mut texts = plan.players.clone();
    for (text, program) in texts.iter_mut().zip(programs.unwrap_or_default()) {
        if let Some((travelled, folder)) = program {
            *text = placed(&travelled, Some(&folder))?;
        }
    }
    let arena = arena(&plan, &players(&plan, &files, &texts, &everyone)?, openings.unwrap_or(&plan.openings))?;
    if arena.openings.digest() != plan.openings_digest {
        return Err(errors::input("the openings are not those of the tournament"));
    }
    let players = plan.players.len();
    let fixtures = convert::elements(fixtures)?
        .map(|fixture| {
            let (number, opening, black, white): (u64, u64, usize, usize) = fixture?.extract()?;
            if black.max(white) >= players || black == white {
                let fault = format!("game {number} is not between two players of the tournament");
                return Err(errors::input(fault));
            }
            Ok(Fixture { number, opening, black, white })
        })
        .collect::<PyResult<Vec<Fixture>>>()?;
    let stop = StopFlag::default();
    let finished = FinishedGames::default();
    let options = RunOptions { concurrency: threads, stop: stop.clone(), watcher: Some(&finished) };
    let mut results = Results::new(players);
    let ran =
        think(py, &stop, || run(&arena, fixtures.into_iter(), &mut results, None, None, &options, &mut |_| Ok(())))?;
    failure.check()?;
    ran.map_err(errors::run)?;
    let written = finished.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let written: Vec<Written> = written.into_values().collect();
    serde_json::to_string(&written).map_err(errors::run)
}

/// Finished games by number, with what their moves took.
#[derive(Default)]
struct FinishedGames(Mutex<BTreeMap<u64, Written>>);

impl Watch for FinishedGames {
    fn see(&self, _: &Fixture, _: &Game, _: [Duration; 2]) {}

    fn finished(&self, finished: &Finished) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.insert(finished.played.fixture.number, Written::from(finished));
    }
}
