//! A pair of games as it was ordered: whoever plays it needs nothing else.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_api::LiveBoard;
use turncoat_arena::runner::Watch;
use turncoat_arena::{
    Arena, Efforts, Entrant, Finish, Finished, Fixture, NotOfTheRun, Openings, Plan, Played, Results, RunError,
    RunOptions, Written, WrittenEfforts, run,
};
use turncoat_board::{Game, Position};
use turncoat_host::Hosting;
use turncoat_players::{BuildError, Roster, Setting, StopFlag, seed};
use turncoat_record::transcript;

use crate::store::LadderGame;

/// What is kept of what a program prints in a game.
const MOST_OUTPUT: usize = 64 << 10;

/// A pair of games to be played, or what is left of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The rules.
    pub plan: Plan,
    /// The number of the pair: its games have twice that number, and one more.
    pub pair: u64,
    /// Which of its games: 0 is the first, 1 the second.
    pub halves: Vec<u64>,
    /// The versions, the challenger first: it is black in the first game.
    pub versions: [i64; 2],
    /// Their texts as players.
    pub specs: [String; 2],
    /// What they are called.
    pub titles: [String; 2],
}

/// Whoever plays pairs on other machines.
pub trait Elsewhere: fmt::Debug + Send + Sync {
    /// How many pairs can be played at a time now.
    fn cores(&self) -> usize;

    /// Plays a pair, if need be more than once: machines may be lost. When the flag is raised, there may be no games.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn play(&self, order: &Order, stop: &StopFlag) -> Result<Vec<LadderGame>, String>;
}

/// A game of a pair as it is sent from one machine to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentGame {
    /// The game.
    pub game: Written,
    /// What black and white printed.
    pub outputs: [Option<String>; 2],
    /// When it ended, in seconds since 1970.
    pub ended: u64,
}

impl From<LadderGame> for SentGame {
    fn from(game: LadderGame) -> Self {
        let LadderGame { played, efforts, outputs, ended } = game;
        Self { game: Written { efforts, ..Written::from(&played) }, outputs, ended }
    }
}

/// Why a pair was not played. Nobody is charged for it.
#[derive(Debug, Error)]
pub enum OrderError {
    /// There is no place for what programs print.
    #[error("no temporary folder can be made: {0}")]
    Folder(io::Error),
    /// A player cannot be built.
    #[error(transparent)]
    Player(#[from] BuildError),
    /// The arena broke.
    #[error("{players}: {error}")]
    Run {
        /// Who played.
        players: String,
        /// Why.
        error: Box<RunError>,
    },
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl Order {
    /// Plays the games one after the other. `see` is shown each position, `keep` gets each game when it has ended.
    ///
    /// # Errors
    /// If they cannot be played; those that `keep` has got are sound.
    pub fn play(
        &self,
        openings: &Openings,
        hosting: &Hosting,
        stop: &StopFlag,
        see: &(dyn Fn(LiveBoard) + Sync),
        keep: &mut dyn FnMut(LadderGame),
    ) -> Result<Finish, OrderError> {
        let logs = tempfile::tempdir().map_err(OrderError::Folder)?;
        let hosting = Hosting { logs: Some(logs.path().to_owned()), ..hosting.clone() };
        let arena = Arena {
            entrants: self.entrants(&Roster::default().with_programs(hosting))?,
            openings: openings.clone(),
            control: self.plan.control(),
        };
        let watcher = Watcher { order: self, see, efforts: Mutex::default() };
        let options = RunOptions { concurrency: 1, stop: stop.clone(), watcher: Some(&watcher) };
        let mut results = Results::new(2);
        let mut counted = |results: &Results| -> io::Result<()> {
            let Some(played) = results.games().last() else { return Ok(()) };
            let number = played.fixture.number;
            let efforts = watcher.efforts.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
            let outputs = ["black", "white"].map(|side| output(logs.path(), number, side));
            let played = Played { fixture: self.fixture(&played.fixture), ..played.clone() };
            let efforts = WrittenEfforts::from(&efforts.unwrap_or_default());
            keep(LadderGame { played, efforts, outputs, ended: now() });
            Ok(())
        };
        let finish = run(&arena, self.fixtures().into_iter(), &mut results, None, None, &options, &mut counted);
        finish.map_err(|error| OrderError::Run { players: self.titles.join(" – "), error: Box::new(error) })
    }

    fn entrants(&self, roster: &Roster) -> Result<Vec<Entrant>, OrderError> {
        // Players with lots of their own draw others in every pair.
        let seed = seed::derive(self.plan.seed, &[self.pair]);
        let setting = Setting { variant: self.plan.variant, geometry: self.plan.size, seed };
        let enter = |(index, (spec, title)): (usize, (&String, &String))| {
            Ok(Entrant::from_spec(title.clone(), &roster.parse(spec)?, setting, index)?)
        };
        self.specs.iter().zip(&self.titles).enumerate().map(enter).collect()
    }

    /// Games that another machine has sent, if they are those that were ordered, each once.
    ///
    /// # Errors
    /// If they are not, or are no games.
    pub fn receive(&self, sent: Vec<SentGame>) -> Result<Vec<LadderGame>, NotOfTheRun> {
        let mut wanted: Vec<Fixture> = self.fixtures().iter().map(|fixture| self.fixture(fixture)).collect();
        let mut games = Vec::new();
        for SentGame { game, outputs, ended } in sent {
            let is_it = |fixture: &Fixture| {
                (fixture.number, fixture.black as u64, fixture.white as u64) == (game.number, game.black, game.white)
            };
            let Some(place) = wanted.iter().position(is_it) else {
                return Err(NotOfTheRun { number: game.number, fault: "it was not ordered".to_owned() });
            };
            let (fixture, efforts) = (wanted.swap_remove(place), game.efforts.clone());
            games.push(LadderGame { played: game.read(&self.plan, fixture)?, efforts, outputs, ended });
        }
        Ok(games)
    }

    /// The games as the arena numbers them, from 0.
    fn fixtures(&self) -> Vec<Fixture> {
        let fixture = |(number, &half): (u64, &u64)| {
            let (black, white) = if half == 0 { (0, 1) } else { (1, 0) };
            Fixture { number, opening: self.pair, black, white }
        };
        (0..).zip(&self.halves).map(fixture).collect()
    }

    /// A game of the arena as the ladder counts it, between versions.
    fn fixture(&self, fixture: &Fixture) -> Fixture {
        let [black, white] = [fixture.black, fixture.white].map(|index| self.versions[index] as usize);
        Fixture { number: self.number(fixture), opening: fixture.opening, black, white }
    }

    fn number(&self, fixture: &Fixture) -> u64 {
        2 * self.pair + self.halves[fixture.number as usize]
    }
}

/// Sees the games of a pair.
struct Watcher<'a> {
    order: &'a Order,
    see: &'a (dyn Fn(LiveBoard) + Sync),
    /// What finished games took, until they are counted.
    efforts: Mutex<BTreeMap<u64, Efforts>>,
}

impl Watch for Watcher<'_> {
    fn see(&self, fixture: &Fixture, game: &Game, thinking: [Duration; 2]) {
        let titles = [fixture.black, fixture.white].map(|index| self.order.titles[index].as_str());
        (self.see)(live_board(self.order.number(fixture), titles, game, thinking));
    }

    fn finished(&self, finished: &Finished) {
        let mut efforts = self.efforts.lock().unwrap_or_else(PoisonError::into_inner);
        efforts.insert(finished.played.fixture.number, finished.efforts.clone());
    }
}

/// A game under way as a page shows it.
pub(crate) fn live_board(number: u64, [black, white]: [&str; 2], game: &Game, thinking: [Duration; 2]) -> LiveBoard {
    let start = game.start();
    LiveBoard {
        game: number + 1,
        black: black.to_owned(),
        white: white.to_owned(),
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

#[cfg(test)]
mod tests {
    use turncoat_arena::Source;
    use turncoat_board::{Geometry, VariantKind};

    use super::*;

    /// The second half of a pair between two built-in players.
    fn order() -> Order {
        Order {
            plan: crate::store::tests::plan(),
            pair: 3,
            halves: vec![1],
            versions: [11, 12],
            specs: ["greedy".to_owned(), "random".to_owned()],
            titles: ["Li".to_owned(), "Huang".to_owned()],
        }
    }

    fn play(order: &Order) -> Vec<SentGame> {
        let source = Source::Random { plies: 8 };
        let openings = Openings::new(&source, VariantKind::Reversed, Geometry::EIGHT, 1).unwrap();
        let mut games = Vec::new();
        let finish = order.play(&openings, &Hosting::default(), &StopFlag::default(), &|_| {}, &mut |game| {
            games.push(SentGame::from(game));
        });
        assert_eq!(finish.unwrap(), Finish::Complete);
        games
    }

    #[test]
    fn an_order_is_played_alike_anywhere_and_nothing_else_is_received() {
        let order = order();
        let (here, there) = (play(&order), play(&order));
        assert_eq!(here[0].game.moves, there[0].game.moves, "the order alone decides");
        let text = serde_json::to_string(&there).unwrap();
        let received = order.receive(serde_json::from_str(&text).unwrap()).unwrap();
        let fixture = received[0].played.fixture;
        assert_eq!((fixture.number, fixture.black, fixture.white), (7, 12, 11), "colours are swapped");
        assert_eq!(received[0].efforts.times.len(), received[0].played.moves.len() / 2 - 8);
        let refusal = |change: &dyn Fn(&mut Vec<SentGame>)| {
            let mut sent = there.clone();
            change(&mut sent);
            order.receive(sent).unwrap_err().to_string()
        };
        assert_eq!(refusal(&|sent| sent[0].game.number = 6), "game 7: it was not ordered");
        assert_eq!(refusal(&|sent| sent[0].game.black = 11), "game 8: it was not ordered");
        assert_eq!(refusal(&|sent| sent.push(sent[0].clone())), "game 8: it was not ordered");
        assert!(refusal(&|sent| sent[0].game.moves.truncate(20)).contains("do not lead to its result"));
    }
}
