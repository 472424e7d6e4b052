//! A thread of the arena: takes games and plays them with players of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;

use turncoat_board::{Game, Position};
use turncoat_players::{Player, StopFlag};
use turncoat_record::transcript;
use turncoat_util::panic_message;

use super::collect::PlayedOrError;
use super::{Arena, RunError, Watch};
use crate::efforts::Efforts;
use crate::played::{Ending, Finished, Played};
use crate::referee::{Referee, Verdict};
use crate::schedule::Fixture;

/// How often a game is played before the arena gives up on it.
const ATTEMPTS: u32 = 3;

/// How a thread ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// There was nothing left to take.
    Done,
    /// It left a game that it had taken.
    Abandoned,
}

/// One thread with its own players.
pub(super) struct Worker<'a> {
    arena: &'a Arena,
    referee: Referee,
    halt: &'a StopFlag,
    watcher: Option<&'a dyn Watch>,
    /// How often the game at hand was void.
    voided: u32,
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(arena: &'a Arena, halt: &'a StopFlag, watcher: Option<&'a dyn Watch>) -> Self {
        Self {
            arena,
            referee: Referee::new(arena.control, halt.clone()),
            halt,
            watcher,
            voided: 0,
            players: arena.entrants.iter().map(|_| None).collect(),
        }
    }

    pub(super) fn work(mut self, next: &dyn Fn() -> Option<Fixture>, sender: &SyncSender<PlayedOrError>) -> Work {
        while !self.halt.is_raised()
            && let Some(fixture) = next()
        {
            let Some(report) = self.play_again_if_broken(fixture) else {
                return Work::Abandoned;
            };
            let failed = report.is_err();
            // Sending fails only when the run is over.
            if sender.send(report).is_err() || failed {
                return Work::Abandoned;
            }
        }
        Work::Done
    }

    /// Plays a game; where the arena itself breaks, or the machine holds a player up beyond its time, it is
    /// played again with new players. `None` if it was abandoned.
    fn play_again_if_broken(&mut self, fixture: Fixture) -> Option<PlayedOrError> {
        let mut fault = String::new();
        self.voided = 0;
        for attempt in 1..=ATTEMPTS {
            // Who is late every time is charged in the end: a player may also wait instead of working.
            let forgiving = attempt < ATTEMPTS;
            let attempt = catch_unwind(AssertUnwindSafe(|| self.play(fixture, forgiving)));
            fault = match attempt {
                Ok(Ok(finished)) => return finished.map(Ok),
                Ok(Err(fault)) => fault,
                Err(panic) => panic_message(&*panic),
            };
            self.players.fill_with(|| None);
        }
        let number = fixture.number;
        Some(Err(RunError::Broken { number, fault }))
    }

    /// Plays a game; `Ok(None)` if it was abandoned, an error if it could not be played.
    fn play(&mut self, fixture: Fixture, forgiving: bool) -> Result<Option<Finished>, String> {
        self.dismiss_others(&fixture);
        let opening = self.arena.openings.get(fixture.opening);
        let (mut black, mut white) = (self.take_player(fixture.black)?, self.take_player(fixture.white)?);
        let watcher = self.watcher;
        let mut see = |game: &Game, thinking| {
            if let Some(watcher) = watcher {
                watcher.see(&fixture, game, thinking);
            }
        };
        let players: [&mut dyn Player; 2] = [&mut *black, &mut *white];
        let verdict = self.referee.play(fixture.number, &opening, players, &mut see);
        let Some(verdict) = verdict else {
            return Ok(None);
        };
        if verdict.held_up && forgiving {
            self.voided += 1;
            return Err("the machine held a player up".to_owned());
        }
        // After a fault a player may be in any state: a new one is made.
        if !matches!(verdict.ending, Ending::Fault { .. }) {
            self.players[fixture.black] = Some(black);
            self.players[fixture.white] = Some(white);
        }
        let finished = record(fixture, &opening, verdict, self.voided);
        if let Some(watcher) = watcher {
            watcher.finished(&finished);
        }
        Ok(Some(finished))
    }

    /// Ends the programs that do not play now: in a large field every thread would soon run all of them.
    fn dismiss_others(&mut self, fixture: &Fixture) {
        for (index, place) in self.players.iter_mut().enumerate() {
            // Players that work on this thread hold no processes.
            let is_program = place.as_ref().is_some_and(|player| player.was_held_up().is_some());
            if is_program && ![fixture.black, fixture.white].contains(&index) {
                *place = None;
            }
        }
    }

    fn take_player(&mut self, index: usize) -> Result<Box<dyn Player>, String> {
        match self.players[index].take() {
            Some(player) => Ok(player),
            None => self.arena.entrants[index]
                .make()
                .map_err(|error| format!("{}: {error}", self.arena.entrants[index].name())),
        }
    }
}

fn record(fixture: Fixture, opening: &Game, verdict: Verdict, voided: u32) -> Finished {
    let start = opening.start();
    let played = Played {
        fixture,
        start: (start != Position::start(start.geometry())).then(|| start.to_string()),
        moves: transcript::write(&verdict.game),
        ending: verdict.ending,
        thinking: verdict.thinking,
    };
    Finished { played, efforts: Efforts { moves: verdict.efforts, voided } }
}
