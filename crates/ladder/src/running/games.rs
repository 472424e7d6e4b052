//! The games of a ladder: pairs are taken one by one, and each game is kept when it ends.

use std::thread;
use std::time::Instant;

use turncoat_api::{ContestGame, LiveBoard};

use super::{Event, REST, Shared};
use crate::order::Order;
use crate::store::{HistoryPoint, LadderGame, Pair, StoredGame, VersionRow, game};

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
        let order = Order {
            plan: options.plan.clone(),
            pair: pair.number,
            halves: self.halves(pair).map_err(|error| error.to_string())?,
            versions: [pair.a, pair.b],
            specs: [a.0.spec, b.0.spec],
            titles: [a.1, b.1],
        };
        let see = |board: LiveBoard| {
            self.state().live.insert(board.game - 1, board);
        };
        let mut keep = |game: LadderGame| self.keep(&game, &order);
        if let Some(elsewhere) = &options.elsewhere {
            // A game between the same versions that came twice counts once: only those that were ordered are read.
            let games = elsewhere.play(&order, &self.stop)?;
            games.into_iter().for_each(keep);
            return Ok(());
        }
        let finish = order.play(&options.openings, &options.hosting, &self.stop, &see, &mut keep);
        finish.map(|_| ()).map_err(|error| error.to_string())
    }

    /// A version that plays, and what its player is called.
    fn side(&self, version: i64) -> Option<(VersionRow, String)> {
        let state = self.state();
        let current = |member: &&super::state::Member| member.current.as_ref().is_some_and(|row| row.id == version);
        let member = state.members.iter().find(current)?;
        Some((member.current.clone()?, member.row.title.clone()))
    }

    /// The games of a pair that are not there yet: 0 is the first, 1 the second.
    fn halves(&self, pair: Pair) -> Result<Vec<u64>, turncoat_arena::StoreError> {
        let state = self.state();
        let mut halves = Vec::new();
        for half in 0..2 {
            let there: Option<StoredGame> = state.store.reading(|store| game(store, 2 * pair.number + half))?;
            if there.is_none() {
                halves.push(half);
            }
        }
        Ok(halves)
    }

    /// Keeps a game. What cannot be stored now is tried again until it can, or the ladder ends: then the game is played
    /// again next time.
    fn keep(&self, kept: &LadderGame, order: &Order) {
        let played = &kept.played;
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
        while let Err(error) = state.store.keep(kept, &places) {
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
        let title = |version: i64| order.titles[usize::from(version != order.versions[0])].clone();
        self.tell(Event::Game(ContestGame {
            game: fixture.number + 1,
            black: title(a),
            white: title(b),
            winner: played.winner_name().to_owned(),
            margin: ending.margin(),
            reason: ending.reason().to_owned(),
            pressed: kept.efforts.is_pressed(),
            ended: Some(kept.ended),
        }));
    }
}
