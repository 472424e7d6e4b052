//! Games of the lab: a batch says all that its games depend on, and playing it is a pure function.
//!
//! There are no clocks: a player is told that no time passes, so that its moves depend on depth and nodes alone, and a
//! busy machine, another machine or a suspended one plays the same games. Time passes only where a player's text has
//! `time=`, which the genetic lab refuses, and for foreign programs, which have clocks of their own. A fault is not a
//! result here, as it is in the arena: it ends the run.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_arena::{Openings, OpeningsError, Source};
use turncoat_board::{Color, Game, Geometry, Position, VariantKind};
use turncoat_eval::classic::Parameters;
use turncoat_players::{
    BuildError, Fault, Files, Foul, Limits, MoveInfo, Player, Roster, Setting, Spec, StopFlag, Turn, guarded,
    play_game, seed,
};
use turncoat_search::FakeClock;

/// Games that one thread plays at most before it looks for more: a few milliseconds at depth 1.
const CHUNK: usize = 48;
/// The same where programs play, which take seconds.
const PROGRAM_CHUNK: usize = 2;

/// The time that a program has for a move: one that never answers must come to an end.
const MOVE_TIME: Duration = Duration::from_secs(5);
/// How far a program may exceed its time on a busy machine.
const GRACE: Duration = Duration::from_millis(500);

/// Who takes part in a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// The player, as it is written everywhere.
    pub player: String,
    /// The files that it depends on, for [`Roster::with_files`].
    #[serde(default)]
    pub files: Files,
    /// What it plays with instead of its own parameters.
    pub parameters: Option<Parameters>,
}

/// One game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchGame {
    /// Who plays black: a place in the list of contenders.
    pub black: u32,
    /// Who plays white.
    pub white: u32,
    /// The number of its opening.
    pub opening: u64,
    /// The number that players with chance moves draw by.
    pub number: u64,
    /// For whom it counts.
    pub counts: Counts,
}

/// For whom a game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// For black alone.
    Black,
    /// For white alone.
    White,
    /// For both.
    Both,
}

/// Games and all that they depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The game.
    pub variant: VariantKind,
    /// The board.
    pub size: Geometry,
    /// Where openings and chance moves come from.
    pub seed: u64,
    /// Random plies of an opening.
    pub plies: u32,
    /// Where games begin instead, by the numbers of their openings; drawn by `plies` if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Position>,
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The games, in the order in which their margins are answered.
    pub games: Vec<BatchGame>,
}

/// A batch that cannot be played.
#[derive(Debug, Error)]
pub enum PlayError {
    /// Openings cannot be had.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A player cannot be made.
    #[error("{player}: {source}")]
    Build {
        /// Which.
        player: String,
        /// Why.
        source: BuildError,
    },
    /// A player did something wrong.
    #[error("{player} failed as {color} in a game against {opponent}: {fault}")]
    Fault {
        /// Who.
        player: String,
        /// With which colour.
        color: Color,
        /// Against whom.
        opponent: String,
        /// What.
        fault: Fault,
    },
    /// There is not one result for every game.
    #[error("{found} results came back for {expected} games")]
    Missing {
        /// How many came.
        found: usize,
        /// How many should have come.
        expected: usize,
    },
    /// A game is not between two different contenders.
    #[error("game {0} is not between two contenders")]
    Pairing(usize),
    /// A game has no position to begin with.
    #[error("game {0} has no start")]
    NoStart(usize),
}

/// Plays batches for a run, on the threads of this machine or on other machines. The margins must be those
/// of [`Batch::play`], in the order of the games.
pub trait Evaluate {
    /// Plays all games of a batch; `None` if it was told to stop.
    ///
    /// # Errors
    /// If a player cannot be made or does something wrong.
    fn evaluate(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError>;

    /// As [`Self::evaluate`], with a margin for every game.
    ///
    /// # Errors
    /// Also if there is not one margin for each game.
    fn evaluate_all(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError> {
        let expected = batch.games.len();
        match self.evaluate(batch)? {
            Some(margins) if margins.len() != expected => Err(PlayError::Missing { found: margins.len(), expected }),
            margins => Ok(margins),
        }
    }
}

/// Plays on the threads of the pool that it is called in.
#[derive(Default)]
pub struct Threads {
    /// Ends it after the games under way.
    pub stop: StopFlag,
    /// Games played so far.
    pub played: Arc<AtomicU64>,
    /// Who can play.
    pub roster: Roster,
}

impl Evaluate for Threads {
    fn evaluate(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError> {
        batch.play_all(&self.stop, &self.played, &self.roster)
    }
}

impl Contender {
    /// Parses the player, with its own files and parameters.
    ///
    /// # Errors
    /// If there is no such player, or the parameters are not its own.
    pub fn spec(&self, roster: &Roster) -> Result<Spec, BuildError> {
        let spec = roster.clone().with_files(&self.files).parse(&self.player)?;
        match &self.parameters {
            Some(parameters) => spec.with_parameters(parameters),
            None => Ok(spec),
        }
    }
}

impl Batch {
    /// Plays some of the games on this thread and answers with black's discs ahead in each (by the rules of
    /// the variant: positive is won).
    ///
    /// # Errors
    /// If a player cannot be made or does something wrong.
    pub fn play(&self, games: Range<usize>, roster: &Roster) -> Result<Vec<i8>, PlayError> {
        self.play_chunk(games, &self.specs(roster)?, &StopFlag::default())
    }

    /// Parses the contenders.
    fn specs(&self, roster: &Roster) -> Result<Vec<Spec>, PlayError> {
        let spec = |contender: &Contender| {
            contender.spec(roster).map_err(|source| PlayError::Build { player: contender.player.clone(), source })
        };
        self.contenders.iter().map(spec).collect()
    }

    /// Which of some games is the last one of each contender.
    fn last_games(&self, games: Range<usize>, contenders: usize) -> Vec<usize> {
        let mut last = vec![0; contenders];
        for (game, fixture) in games.clone().zip(self.games.get(games).unwrap_or_default()) {
            for place in [fixture.black, fixture.white] {
                if let Some(last) = last.get_mut(place as usize) {
                    *last = game;
                }
            }
        }
        last
    }

    /// Plays some of the games on this thread. Once the flag is raised the results are worth nothing.
    fn play_chunk(&self, games: Range<usize>, specs: &[Spec], stop: &StopFlag) -> Result<Vec<i8>, PlayError> {
        let source = Source::Random { plies: self.plies };
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let is_timed = specs.iter().any(|spec| spec.has_option("time"));
        let mut worker = BatchWorker {
            batch: self,
            openings: Openings::new(&source, self.variant, self.size, self.seed)?,
            specs,
            players: specs.iter().map(|_| None).collect(),
            last_games: self.last_games(games.clone(), specs.len()),
            limits: if is_timed {
                limits
            } else {
                Limits { clock: Arc::new(FakeClock::new(Duration::ZERO)), ..limits }
            },
        };
        games.map(|game| worker.play(game)).collect()
    }

    /// Plays all games on the threads of the pool that this is called in. `None` if the flag was raised
    /// meanwhile; `played` counts along.
    ///
    /// # Errors
    /// As [`Self::play`]; the fault of the first game that has one, whatever the number of threads.
    pub fn play_all(&self, stop: &StopFlag, played: &AtomicU64, roster: &Roster) -> Result<Option<Vec<i8>>, PlayError> {
        let count = self.games.len();
        let specs = self.specs(roster)?;
        let most = if specs.iter().all(Spec::is_built_in) { CHUNK } else { PROGRAM_CHUNK };
        // A few games are for all threads too, in parts small enough that none waits long for the others.
        let size = count.div_ceil(4 * rayon::current_num_threads()).clamp(1, most);
        let chunk = |first: usize| {
            if stop.is_raised() {
                return Ok(None);
            }
            let games = first..(first + size).min(count);
            let margins = self.play_chunk(games, &specs, stop);
            if stop.is_raised() {
                return Ok(None);
            }
            let margins = margins?;
            played.fetch_add(margins.len() as u64, Ordering::Relaxed);
            Ok(Some(margins))
        };
        let firsts: Vec<usize> = (0..count).step_by(size).collect();
        let chunks: Vec<Result<Option<Vec<i8>>, PlayError>> = firsts.into_par_iter().map(chunk).collect();
        let mut all = Vec::with_capacity(count);
        for margins in chunks {
            match margins? {
                Some(margins) => all.extend(margins),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }
}

/// The players of one thread: made when they are first needed, and dropped after their last game, since some have large
/// tables. One that learns is made for each game.
struct BatchWorker<'a> {
    batch: &'a Batch,
    openings: Openings,
    specs: &'a [Spec],
    players: Vec<Option<Box<dyn Player>>>,
    last_games: Vec<usize>,
    limits: Limits,
}

impl BatchWorker<'_> {
    fn play(&mut self, game: usize) -> Result<i8, PlayError> {
        let fixture = self.batch.games.get(game).ok_or(PlayError::Pairing(game))?;
        let places = [fixture.black as usize, fixture.white as usize];
        for place in places {
            self.seat(place, game)?;
        }
        let mut opening = self.opening(fixture.opening).ok_or(PlayError::NoStart(game))?;
        let pair = self.players.get_disjoint_mut(places);
        let Ok([Some(black), Some(white)]) = pair else {
            return Err(PlayError::Pairing(game));
        };
        let ask = |game: &Game, player: &mut dyn Player| ask(game, player, &self.limits);
        let played = play_game(&mut opening, fixture.number, [&mut **black, &mut **white], ask, |_| true);
        let outcome = played.map_err(|Foul { by: color, fault }| {
            let name = |index: usize| self.batch.contenders[index].player.clone();
            let (player, opponent) = match color {
                Color::Black => (name(places[0]), name(places[1])),
                Color::White => (name(places[1]), name(places[0])),
            };
            PlayError::Fault { player, color, opponent, fault }
        })?;
        for place in places {
            // Which games a thread has played before this one is chance.
            let learns = self.players[place].as_ref().is_some_and(|player| player.learns());
            if learns || self.last_games[place] == game {
                self.players[place] = None;
            }
        }
        // At most 64 discs.
        Ok(outcome.map_or(0, |outcome| outcome.score.discs() as i8))
    }

    /// Where a game begins.
    fn opening(&self, number: u64) -> Option<Game> {
        if self.batch.starts.is_empty() {
            return Some(self.openings.get(number));
        }
        let start = usize::try_from(number).ok().and_then(|number| self.batch.starts.get(number))?;
        Some(Game::from_position(self.batch.variant, *start))
    }

    fn seat(&mut self, place: usize, game: usize) -> Result<(), PlayError> {
        let spec = self.specs.get(place).ok_or(PlayError::Pairing(game))?;
        if self.players[place].is_some() {
            return Ok(());
        }
        let setting = Setting {
            variant: self.batch.variant,
            geometry: self.batch.size,
            seed: seed::derive(self.batch.seed, &[place as u64]),
        };
        let built = spec.build(setting);
        self.players[place] = Some(built.map_err(|source| PlayError::Build { player: spec.to_string(), source })?);
        Ok(())
    }
}

/// Asks a player for a move. Foreign programs, which have clocks of their own, look at the time; the others do not.
fn ask(game: &Game, player: &mut dyn Player, limits: &Limits) -> Result<Option<MoveInfo>, Fault> {
    let turn = Turn { game, move_time: Some(MOVE_TIME), game_time: None, grace: GRACE, stop: &limits.stop };
    guarded(|| {
        player.prepare(&turn)?;
        player.choose(game.position(), limits, &mut |_| {})
    })?
}
