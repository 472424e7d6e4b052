//! Players that misbehave on purpose.
#![allow(dead_code)] // Each test uses some of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use turncoat_board::{Position, Square};
use turncoat_players::{Fault, Limits, MoveInfo, Player};
use turncoat_search::Clock;

/// A clock that goes on only when somebody turns it.
#[derive(Debug, Default)]
pub(crate) struct HandClock(AtomicU64);

impl HandClock {
    pub(crate) fn turn(&self, time: Duration) {
        self.0.fetch_add(time.as_micros() as u64, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// Plays the first legal move.
pub(crate) fn first_move(position: Position) -> Option<MoveInfo> {
    position.legal_moves().into_iter().next().map(MoveInfo::at_sight)
}

/// What a bad player does.
#[derive(Clone)]
pub(crate) enum Habit {
    /// Plays the first legal move.
    Good,
    /// Thinks so long about each move, on this clock.
    Slow(Arc<HandClock>, Duration),
    /// Uses exactly the time it is given.
    Exact(Arc<HandClock>),
    /// Answers nothing.
    Silent,
    /// Plays a corner whether it is legal or not.
    Illegal,
    /// Panics.
    Crashing,
    /// Panics when a game begins.
    CrashingAtStart,
    /// Reports this.
    Failing(Fault),
}

pub(crate) struct Scripted {
    pub(crate) habit: Habit,
    /// The move at which it shows, counted from 0; before that it is good.
    pub(crate) from: u32,
    moves: u32,
    pub(crate) times: Vec<Option<Duration>>,
}

impl Scripted {
    pub(crate) fn new(habit: Habit, from: u32) -> Self {
        Self { habit, from, moves: 0, times: Vec::new() }
    }
}

impl Player for Scripted {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        _report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        assert!(!position.legal_moves().is_empty(), "nobody is asked who must pass");
        self.times.push(limits.time);
        self.moves += 1;
        if self.moves <= self.from {
            return Ok(first_move(position));
        }
        match &self.habit {
            Habit::Good | Habit::CrashingAtStart => Ok(first_move(position)),
            Habit::Slow(clock, time) => {
                clock.turn(*time);
                Ok(first_move(position))
            }
            Habit::Exact(clock) => {
                clock.turn(limits.time.unwrap_or_default());
                Ok(first_move(position))
            }
            Habit::Silent => Ok(None),
            Habit::Illegal => Ok(Some(MoveInfo::at_sight(Square::ALL[0]))),
            Habit::Crashing => panic!("the wheels came off"),
            Habit::Failing(fault) => Err(fault.clone()),
        }
    }

    fn new_game(&mut self, _game: u64) {
        self.moves = 0;
        assert!(!matches!(self.habit, Habit::CrashingAtStart), "no start");
    }
}
