//! Searches for requests: so many at once, in turns on the cores, stopped when nobody waits for them any more.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;
use turncoat_board::{Game, Move};
use turncoat_players::{Chosen, Fault, Judged, Limits, Player, StopFlag};

use crate::turnstile::{Turn, Turnstile};

/// The longest that the analysis of a position may work.
const LONGEST_ANALYSIS: Duration = Duration::from_mins(10);
/// The longest that a move which somebody waits for may work.
const LONGEST_MOVE: Duration = Duration::from_secs(10);
/// How deep the moves of a game are judged, one round after the other.
const JUDGING_DEPTHS: [u32; 4] = [2, 6, 10, 14];

/// Where searches are done.
#[derive(Debug, Clone)]
pub(crate) struct Thinking {
    turnstile: Arc<Turnstile>,
    places: Arc<Semaphore>,
}

impl Thinking {
    /// So many searches at work at a time, and so many begun.
    pub(crate) fn new(workers: usize, places: usize) -> Self {
        Self { turnstile: Turnstile::new(workers), places: Arc::new(Semaphore::new(places)) }
    }

    fn place(&self) -> Result<OwnedSemaphorePermit, ThinkError> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| ThinkError::Busy)
    }

    /// The move that a player chooses. When this is dropped, the search ends.
    pub(crate) async fn choose(&self, game: Game, mut player: Box<dyn Player>) -> Result<Chosen, ThinkError> {
        let place = self.place()?;
        let turnstile = Arc::clone(&self.turnstile);
        let stop = StopOnDrop(StopFlag::default());
        let flag = stop.0.clone();
        let search = task::spawn_blocking(move || {
            let _place = place;
            let turn = turnstile.enter();
            let limits = limits(&turn, &flag, LONGEST_MOVE);
            let began = turn.clock().now();
            let thought = player.choose(game.position(), &limits, &mut |_| {})?;
            let seconds = turn.clock().now().saturating_sub(began).as_secs_f64();
            Ok(Chosen::of(thought.as_ref(), game.geometry(), seconds))
        });
        search.await.map_err(|_| ThinkError::Broken)?
    }

    /// Looks at every move of a position, ever deeper, until `tell` says that nobody listens, the flag is raised or
    /// everything is proven.
    pub(crate) fn analyze(
        &self,
        game: Game,
        mut player: Box<dyn Player>,
        stop: StopFlag,
        mut tell: impl FnMut(Step) -> bool + Send + 'static,
    ) -> Result<task::JoinHandle<Result<(), ThinkError>>, ThinkError> {
        self.work(move |turn| {
            let position = game.position();
            let began = turn.clock().now();
            for depth in 1..=position.empties().max(1) {
                let worked = turn.clock().now().saturating_sub(began);
                let limits =
                    Limits { depth: Some(depth), ..limits(turn, &stop, LONGEST_ANALYSIS.saturating_sub(worked)) };
                let thoughts = player.analyze(position, &limits, &mut |_| {});
                let thoughts = thoughts.ok_or(ThinkError::CannotAnalyse)?;
                let worked = turn.clock().now().saturating_sub(began);
                // What was cut short is no look to this depth.
                if stop.is_raised() || worked >= LONGEST_ANALYSIS {
                    break;
                }
                let seconds = worked.as_secs_f64();
                let moves: Vec<_> =
                    thoughts.iter().map(|thought| Chosen::of(Some(thought), game.geometry(), seconds)).collect();
                let proven = moves.iter().all(|chosen| chosen.exact);
                if !tell(Step { depth, moves }) || proven {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Judges every move of a game, the last one first, then all of them again with a deeper look.
    pub(crate) fn judge(
        &self,
        game: Game,
        mut player: Box<dyn Player>,
        stop: StopFlag,
        mut tell: impl FnMut(Judged) -> bool + Send + 'static,
    ) -> Result<task::JoinHandle<Result<(), ThinkError>>, ThinkError> {
        self.work(move |turn| {
            let began = turn.clock().now();
            let mut proven = vec![false; game.moves().len()];
            for depth in JUDGING_DEPTHS {
                for (ply, &played) in game.moves().iter().enumerate().rev() {
                    let Move::Place(square) = played else {
                        continue;
                    };
                    let worked = turn.clock().now().saturating_sub(began);
                    let left = LONGEST_ANALYSIS.saturating_sub(worked);
                    if stop.is_raised() || left.is_zero() {
                        return Ok(());
                    }
                    if proven[ply] {
                        continue;
                    }
                    let position = game.positions()[ply];
                    let limits = Limits { depth: Some(depth), ..limits(turn, &stop, left) };
                    let moves = player.analyze(position, &limits, &mut |_| {});
                    let moves = moves.ok_or(ThinkError::CannotAnalyse)?;
                    let made = moves.iter().find(|thought| thought.best == square);
                    let (Some(best), Some(made)) = (moves.first(), made) else {
                        continue;
                    };
                    let judged = Judged::of(&game, ply, best, made);
                    proven[ply] = judged.exact;
                    if stop.is_raised() || !tell(judged) {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }

    /// Does a search on a thread of its own when its turn comes.
    fn work(
        &self,
        search: impl FnOnce(&Turn) -> Result<(), ThinkError> + Send + 'static,
    ) -> Result<task::JoinHandle<Result<(), ThinkError>>, ThinkError> {
        let place = self.place()?;
        let turnstile = Arc::clone(&self.turnstile);
        Ok(task::spawn_blocking(move || {
            let _place = place;
            search(&turnstile.enter())
        }))
    }
}

/// What is known after one more look.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// The depth that was looked to.
    pub(crate) depth: u32,
    /// Every legal move, best first.
    pub(crate) moves: Vec<Chosen>,
}

fn limits(turn: &Turn, stop: &StopFlag, time: Duration) -> Limits {
    // Only with a time does a search look at the clock, which is what lets others through.
    Limits { time: Some(time), stop: stop.clone(), clock: turn.clock(), ..Limits::default() }
}

/// Stops a search whose asker has gone.
struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub(crate) enum ThinkError {
    /// Too many searches have been begun.
    #[error("too many searches are going on; try again in a moment")]
    Busy,
    /// The search broke.
    #[error("the search broke off")]
    Broken,
    /// The player has no analysis.
    #[error("this player cannot analyse; turncoat can")]
    CannotAnalyse,
    /// The player failed.
    #[error(transparent)]
    Player(#[from] Fault),
}
