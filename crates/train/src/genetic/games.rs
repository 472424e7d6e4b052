//! Games of the lab: a batch says all that its games depend on, and playing it is a pure function.
//!
//! There are no clocks: a player is told that no time passes, so that its moves depend on the depth alone and
//! a busy machine, another machine or a suspended one plays the same games. The arena's referee is not used
//! for that reason, and because a fault is no result here: it ends the run. Foreign programs alone, which have
//! clocks of their own, are shown the game and given a time.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_arena::{Openings, OpeningsError, Source};
use turncoat_board::{Color, Game, Geometry, Move, Position, VariantKind};
use turncoat_eval::classic::Parameters;
use turncoat_players::{BuildError, Fault, Files, Limits, Player, Roster, Setting, Spec, StopFlag, Turn, seed};
use turncoat_search::FakeClock;
use turncoat_util::panic_message;

/// Games that one thread plays before it looks for more: a few milliseconds at depth 1.
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
pub struct Fixture {
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
    /// The game, by its name.
    pub variant: String,
    /// Squares a side.
    pub size: u8,
    /// Where openings and chance moves come from.
    pub seed: u64,
    /// Random plies of an opening.
    pub plies: u32,
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The games, in the order in which their margins are answered.
    pub games: Vec<Fixture>,
}

/// A batch that cannot be played.
#[derive(Debug, Error)]
pub enum PlayError {
    /// There is no such game.
    #[error("no game is called {0:?}")]
    Variant(String),
    /// There is no board of this size.
    #[error("sizes are 8, 6 and 4, not {0}")]
    Size(u8),
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
    /// Whoever played did not answer for every game.
    #[error("{found} results came back for {expected} games")]
    Missing {
        /// How many came.
        found: usize,
        /// How many should have come.
        expected: usize,
    },
    /// A fixture names nobody, or the same one twice.
    #[error("game {0} is not between two contenders")]
    Fixture(usize),
}

/// Whoever plays batches for a run: the threads of this machine, or other machines. The margins must be those
/// of [`Batch::play`], in the order of the games.
pub trait Evaluate {
    /// Plays all games of a batch; `None` if it was told to stop.
    ///
    /// # Errors
    /// If a player cannot be made or does something wrong.
    fn evaluate(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError>;
}

/// Plays on the threads of the pool that it is called in.
#[derive(Default)]
pub struct Threads {
    /// Ends it after the games under way.
    pub stop: StopFlag,
    /// Games played so far, for whoever watches.
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

    /// Plays some of the games on this thread. Once the flag is raised the results are worth nothing.
    fn play_chunk(&self, games: Range<usize>, specs: &[Spec], stop: &StopFlag) -> Result<Vec<i8>, PlayError> {
        let variant = self.variant.parse::<VariantKind>();
        let variant = variant.map_err(|_| PlayError::Variant(self.variant.clone()))?;
        let geometry = Geometry::from_side(self.size).map_err(|_| PlayError::Size(self.size))?;
        let source = Source::Random { plies: self.plies };
        let mut table = Table {
            batch: self,
            openings: Openings::new(&source, variant, geometry, self.seed)?,
            variant,
            geometry,
            specs,
            players: specs.iter().map(|_| None).collect(),
            limits: Limits { clock: Arc::new(FakeClock::new(Duration::ZERO)), stop: stop.clone(), ..Limits::default() },
        };
        games.map(|game| table.play(game)).collect()
    }

    /// Plays all games on the threads of the pool that this is called in. `None` if the flag was raised
    /// meanwhile; `played` counts along.
    ///
    /// # Errors
    /// As [`Self::play`]; the fault of the first game that has one, whatever the number of threads.
    pub fn play_all(&self, stop: &StopFlag, played: &AtomicU64, roster: &Roster) -> Result<Option<Vec<i8>>, PlayError> {
        let count = self.games.len();
        let specs = self.specs(roster)?;
        let size = if specs.iter().all(Spec::is_built_in) { CHUNK } else { PROGRAM_CHUNK };
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

/// Where one thread plays: players are made when they are first needed.
struct Table<'a> {
    batch: &'a Batch,
    openings: Openings,
    variant: VariantKind,
    geometry: Geometry,
    specs: &'a [Spec],
    players: Vec<Option<Box<dyn Player>>>,
    limits: Limits,
}

impl Table<'_> {
    fn play(&mut self, game: usize) -> Result<i8, PlayError> {
        let fixture = self.batch.games.get(game).ok_or(PlayError::Fixture(game))?;
        let places = [fixture.black as usize, fixture.white as usize];
        for place in places {
            self.seat(place, game)?;
        }
        let opening = self.openings.get(fixture.opening);
        let built_in = places.iter().all(|&place| self.specs[place].is_built_in());
        let pair = self.players.get_disjoint_mut(places);
        let Ok([Some(black), Some(white)]) = pair else {
            return Err(PlayError::Fixture(game));
        };
        let played = if built_in {
            let position = opening.position();
            play_out([black, white], position, fixture.number, &self.limits)
        } else {
            play_shown([black, white], opening, fixture.number, &self.limits)
        };
        let last = played.map_err(|(color, fault)| {
            let name = |index: usize| self.batch.contenders[index].player.clone();
            let (player, opponent) = match color {
                Color::Black => (name(places[0]), name(places[1])),
                Color::White => (name(places[1]), name(places[0])),
            };
            PlayError::Fault { player, color, opponent, fault }
        })?;
        let score = last.final_score(self.variant, Color::Black);
        // At most 64 discs.
        Ok(score.map_or(0, |score| score.discs() as i8))
    }

    fn seat(&mut self, place: usize, game: usize) -> Result<(), PlayError> {
        let spec = self.specs.get(place).ok_or(PlayError::Fixture(game))?;
        if self.players[place].is_some() {
            return Ok(());
        }
        let setting = Setting {
            variant: self.variant,
            geometry: self.geometry,
            seed: seed::derive(self.batch.seed, &[place as u64]),
        };
        let built = spec.build(setting);
        self.players[place] = Some(built.map_err(|source| PlayError::Build { player: spec.to_string(), source })?);
        Ok(())
    }
}

/// Plays a game to its end; or who did what wrong.
fn play_out(
    [black, white]: [&mut Box<dyn Player>; 2],
    start: Position,
    number: u64,
    limits: &Limits,
) -> Result<Position, (Color, Fault)> {
    guarded(|| black.new_game(number)).map_err(|fault| (Color::Black, fault))?;
    guarded(|| white.new_game(number)).map_err(|fault| (Color::White, fault))?;
    let mut position = start;
    while !position.is_over() {
        if position.legal_moves().is_empty() {
            position = position.pass();
            continue;
        }
        let side = position.side();
        let player = match side {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let answer = guarded(|| player.choose(position, limits, &mut |_| {}));
        let thought = answer.and_then(|answer| answer).map_err(|fault| (side, fault))?;
        let next = thought.and_then(|thought| position.play(thought.best));
        position = next.ok_or_else(|| {
            let position = position.to_string();
            (side, Fault::IllegalMove(format!("in {position}")))
        })?;
    }
    Ok(position)
}

/// The same where a foreign program plays: both are shown the game before they are asked.
fn play_shown(
    [black, white]: [&mut Box<dyn Player>; 2],
    mut game: Game,
    number: u64,
    limits: &Limits,
) -> Result<Position, (Color, Fault)> {
    guarded(|| black.new_game(number)).map_err(|fault| (Color::Black, fault))?;
    guarded(|| white.new_game(number)).map_err(|fault| (Color::White, fault))?;
    while !game.position().is_over() {
        let (position, side) = (game.position(), game.position().side());
        let player = match side {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let played = if position.legal_moves().is_empty() {
            Some(Move::Pass)
        } else {
            let turn =
                Turn { game: &game, move_time: Some(MOVE_TIME), game_time: None, grace: GRACE, stop: &limits.stop };
            let answer = guarded(|| {
                player.prepare(&turn)?;
                player.choose(position, limits, &mut |_| {})
            });
            let thought = answer.and_then(|answer| answer).map_err(|fault| (side, fault))?;
            thought.map(|thought| Move::Place(thought.best))
        };
        let legal = played.is_some_and(|played| game.play(played).is_ok());
        if !legal {
            let position = position.to_string();
            return Err((side, Fault::IllegalMove(format!("in {position}"))));
        }
    }
    Ok(game.position())
}

/// Calls into a player; its panic is its fault.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| Fault::Crash(panic_message(&*panic)))
}
