//! The games of a ladder: pairs are taken one by one, and each game is kept when it ends.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use turncoat_api::{ContestGame, LiveBoard};
use turncoat_arena::{Arena, Entrant, Fixture, Played, Results, RunOptions, run};
use turncoat_board::{Game, Move, Position};
use turncoat_host::Hosting;
use turncoat_players::{Roster, Setting, seed};
use turncoat_record::transcript;

use super::{Event, REST, Shared, now};
use crate::store::{Finished, HistoryPoint, Pair, StoredGame, VersionRow, game};

/// What is kept of what a program prints in a game.
const MOST_OUTPUT: usize = 64 << 10;

/// The times of moves of a game under way.
#[derive(Debug, Default)]
struct Times {
    /// Moves that were seen, once the beginning was.
    moves: Option<usize>,
    thinking: Duration,
    taken: Vec<Duration>,
}

impl Times {
    /// Takes note of a game at its beginning and after each move. A game that is played again begins anew.
    fn note(&mut self, game: &Game, thinking: [Duration; 2]) {
        let (moves, thinking) = (game.moves().len(), thinking.iter().sum::<Duration>());
        if self.moves.is_none_or(|before| moves <= before) {
            self.taken.clear();
        } else if game.moves().last().is_some_and(|played| *played != Move::Pass) {
            self.taken.push(thinking.saturating_sub(self.thinking));
        }
        (self.moves, self.thinking) = (Some(moves), thinking);
    }
}

impl Shared<'_> {
    /// Plays pairs until the ladder ends.
    pub(super) fn play_on(&self) {
        let mut state = self.state();
        while !self.stop.is_raised() {
            let pair = match state.next_pair(self.options.games) {
                Ok(Some(pair)) => pair,
                Ok(None) => {
                    state = self.wait(state);
                    continue;
                }
                Err(error) => {
                    state.resting = Some(Instant::now() + REST);
                    self.tell(Event::Trouble { words: error.to_string() });
                    continue;
                }
            };
            drop(state);
            let played = self.play_pair(pair);
            state = self.state();
            state.playing.retain(|other| other.number != pair.number);
            state.live.retain(|number, _| number / 2 != pair.number);
            if let Err(words) = played {
                state.resting = Some(Instant::now() + REST);
                let dropped = state.store.drop_pair(pair.number);
                self.tell(Event::Trouble { words: dropped.err().map_or(words, |error| error.to_string()) });
            }
            self.changed.notify_all();
        }
    }

    /// Plays what is left of a pair.
    fn play_pair(&self, pair: Pair) -> Result<(), String> {
        let options = self.options;
        let sides = [pair.a, pair.b].map(|version| self.side(version));
        let [Some(a), Some(b)] = sides else { return Err("a version of the pair is not there any more".to_owned()) };
        let titles = [a.1.clone(), b.1.clone()];
        let logs = tempfile::tempdir().map_err(|error| format!("no temporary folder can be made: {error}"))?;
        let hosting = Hosting { logs: Some(logs.path().to_owned()), ..options.hosting.clone() };
        let roster = Roster::default().with_programs(hosting);
        // Players with lots of their own draw others in every pair.
        let seed = seed::derive(options.plan.seed, &[pair.number]);
        let setting = Setting { variant: options.plan.variant, geometry: options.plan.size, seed };
        let enter = |(index, (version, title)): (usize, (VersionRow, String))| {
            let spec = roster.parse(&version.spec)?;
            Entrant::from_spec(title, &spec, setting, index)
        };
        let entrants: Result<Vec<Entrant>, _> = [a, b].into_iter().enumerate().map(enter).collect();
        let arena = Arena {
            entrants: entrants.map_err(|error| error.to_string())?,
            openings: options.openings.clone(),
            control: options.plan.control(),
        };
        let (halves, fixtures) = self.fixtures(pair).map_err(|error| error.to_string())?;
        let times = Mutex::new(Times::default());
        let watcher = |fixture: &Fixture, game: &Game, thinking: [Duration; 2]| {
            times.lock().unwrap_or_else(PoisonError::into_inner).note(game, thinking);
            let number = 2 * pair.number + halves[fixture.number as usize];
            let board = live(number, [&titles[fixture.black], &titles[fixture.white]], game, thinking);
            self.state().live.insert(number, board);
        };
        let run_options = RunOptions { concurrency: 1, stop: self.stop.clone(), watcher: Some(&watcher) };
        let mut results = Results::new(2);
        let mut counted = |results: &Results| -> io::Result<()> {
            let Some(played) = results.games().last() else { return Ok(()) };
            let times = std::mem::take(&mut *times.lock().unwrap_or_else(PoisonError::into_inner)).taken;
            let fixture = played.fixture;
            let outputs = ["black", "white"].map(|side| output(logs.path(), fixture.number, side));
            let versions = [pair.a, pair.b];
            let number = 2 * pair.number + halves[fixture.number as usize];
            let [black, white] = [fixture.black, fixture.white].map(|index| versions[index] as usize);
            let played = Played { fixture: Fixture { number, black, white, ..fixture }, ..played.clone() };
            self.keep(
                &Finished { played, times, outputs, ended: now() },
                [&titles[fixture.black], &titles[fixture.white]],
            );
            Ok(())
        };
        let finish = run(&arena, fixtures.into_iter(), &mut results, None, None, &run_options, &mut counted);
        finish.map(|_| ()).map_err(|error| format!("{} – {}: {error}", titles[0], titles[1]))
    }

    /// A version that plays, and what its player is called.
    fn side(&self, version: i64) -> Option<(VersionRow, String)> {
        let state = self.state();
        let current = |member: &&super::state::Member| member.current.as_ref().is_some_and(|row| row.id == version);
        let member = state.members.iter().find(current)?;
        Some((member.current.clone()?, member.row.title.clone()))
    }

    /// The games of a pair that are not there yet: for each whether it is the first or the second, and the game.
    fn fixtures(&self, pair: Pair) -> Result<(Vec<u64>, Vec<Fixture>), turncoat_arena::StoreError> {
        let state = self.state();
        let mut halves = Vec::new();
        for half in 0..2 {
            let there: Option<StoredGame> = state.store.reading(|store| game(store, 2 * pair.number + half))?;
            if there.is_none() {
                halves.push(half);
            }
        }
        let fixture = |(number, &half): (u64, &u64)| {
            let (black, white) = if half == 0 { (0, 1) } else { (1, 0) };
            Fixture { number, opening: pair.number, black, white }
        };
        let fixtures = (0..).zip(&halves).map(fixture).collect();
        Ok((halves, fixtures))
    }

    /// Keeps a game. What cannot be stored now is tried again until it can, or the ladder ends: then the game is played
    /// again next time.
    fn keep(&self, finished: &Finished, [black, white]: [&String; 2]) {
        let played = &finished.played;
        let (fixture, ending) = (played.fixture, &played.ending);
        let mut told = false;
        let mut state = self.state();
        state.live.remove(&fixture.number);
        let [a, b] = [fixture.black, fixture.white].map(|version| version as i64);
        let margin = i64::from(ending.margin().unwrap_or_default());
        state.tallies.add(a, b, played.winner_name(), ending.margin().is_none(), 1, margin);
        state.games += 1;
        state.rate();
        let place = |line: &crate::table::Line| {
            let rank = line.rank.filter(|_| [a, b].contains(&line.version))?;
            let (rating, error) = (line.rating.elo, line.rating.error);
            Some(HistoryPoint { number: fixture.number, version: line.version, rank, rating, error })
        };
        let places: Vec<HistoryPoint> = state.lines.iter().filter_map(place).collect();
        while let Err(error) = state.store.keep(finished, &places) {
            drop(state);
            if !std::mem::replace(&mut told, true) {
                self.tell(Event::Trouble { words: format!("{error}; the game is kept until it can be stored") });
            }
            thread::sleep(REST);
            if self.stop.is_raised() {
                return;
            }
            state = self.state();
        }
        self.tell(Event::Game(ContestGame {
            game: fixture.number + 1,
            black: black.clone(),
            white: white.clone(),
            winner: played.winner_name().to_owned(),
            margin: ending.margin(),
            reason: ending.reason().to_owned(),
            ended: Some(finished.ended),
        }));
    }
}

/// A game under way as a page shows it.
fn live(number: u64, [black, white]: [&String; 2], game: &Game, thinking: [Duration; 2]) -> LiveBoard {
    let start = game.start();
    LiveBoard {
        game: number + 1,
        black: black.clone(),
        white: white.clone(),
        start: (start != Position::start(start.geometry())).then(|| start.to_string()),
        moves: transcript::write(game),
        seconds: thinking.map(|time| time.as_secs_f64()),
    }
}

/// What a side printed in a game, if anything.
fn output(logs: &Path, number: u64, side: &str) -> Option<String> {
    let begins = format!("game-{:05}-{side}-", number + 1);
    let mut entries = fs::read_dir(logs).ok()?.flatten();
    let entry = entries.find(|entry| entry.file_name().to_string_lossy().starts_with(&begins))?;
    let bytes = fs::read(entry.path()).ok()?;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_OUTPUT)]).into_owned();
    (!text.trim().is_empty()).then_some(text)
}
