//! A program as a player: started when it is needed, asked in its protocol, ended with its game or its fault.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::{Fault, Limits, MoveInfo, Player, Setting, StopFlag, Turn};

use crate::hosting::{HANDSHAKE, Hosting, PATIENCE};
use crate::log::Log;
use crate::process::Process;
use crate::sandbox::{self, Launch};

use super::dialogue::{Dialogue, Query};

/// The fault of a program whose start takes longer than this, with its last words.
pub(crate) fn late_start(limit: Duration, process: &Process) -> Fault {
    Fault::Crash(format!("it did not start within {} s{}", limit.as_secs(), process.last_words()))
}

/// A program as a player.
pub(crate) struct ForeignPlayer<D> {
    name: String,
    setting: Setting,
    hosting: Hosting,
    launch: Launch,
    dialogue: D,
    process: Option<Process>,
    log: Log,
    /// The number of the game.
    number: u64,
    /// What starts have taken in this game.
    starting: Duration,
    fresh: bool,
    /// The game that was shown last, with its clock.
    shown: Option<Shown>,
    /// How long it took to be ready for the question: charged to the answer, since it may have thought meanwhile.
    debt: Duration,
    /// How long the last answer took.
    took: Option<Duration>,
    /// Whether the machine withheld the CPU meanwhile.
    held_up: bool,
    /// The most memory beyond its start that it held meanwhile.
    memory: Option<u64>,
}

#[derive(Clone)]
struct Shown {
    game: Game,
    move_time: Option<Duration>,
    game_time: Option<Duration>,
    grace: Duration,
    stop: StopFlag,
}

impl<D: Dialogue> ForeignPlayer<D> {
    pub(crate) fn new(name: String, setting: Setting, hosting: Hosting, launch: Launch, dialogue: D) -> Self {
        Self {
            name,
            setting,
            hosting,
            launch,
            dialogue,
            process: None,
            log: Log::default(),
            number: 0,
            starting: Duration::ZERO,
            fresh: true,
            shown: None,
            debt: Duration::ZERO,
            took: None,
            held_up: false,
            memory: None,
        }
    }

    /// Makes the program ready for the question; a failure ends it.
    fn ready(&mut self, shown: Shown) -> Result<(), Fault> {
        let done = self.try_ready(&shown);
        self.shown = Some(shown);
        if done.is_err() {
            self.process = None;
        }
        done
    }

    fn try_ready(&mut self, shown: &Shown) -> Result<(), Fault> {
        self.debt = Duration::ZERO;
        if self.process.is_some() && !self.fresh {
            let began = Instant::now();
            if self.exchange(shown, None, D::is_ready)? {
                self.debt = began.elapsed();
            } else {
                self.log.add(b"[turncoat: it did not finish and was restarted]\n");
                self.process = None;
            }
        }
        if self.process.is_none() {
            if let Some(fault) = self.hosting.starts.hopeless(&self.name) {
                return Err(fault);
            }
            let began = Instant::now();
            let started = self.start(shown);
            self.starting += began.elapsed();
            // A start that was stopped has not failed.
            if started.is_ok() || !shown.stop.is_raised() {
                let fault = started.as_ref().err();
                self.hosting.starts.note(&self.name, fault, began.elapsed());
            }
            return started;
        }
        if self.fresh {
            let path = self.log_path(shown.game.position().side());
            let _ = self.log.begin(path.as_deref());
        }
        self.begin(shown)
    }

    /// Starts the program anew.
    fn start(&mut self, shown: &Shown) -> Result<(), Fault> {
        if self.fresh {
            let path = self.log_path(shown.game.position().side());
            let _ = self.log.begin(path.as_deref());
        }
        let process = Process::start(&self.launch, &self.hosting, self.log.clone())?;
        self.process = Some(process);
        self.exchange(shown, None, D::open)?;
        self.fresh = true;
        self.begin(shown)
    }

    /// Begins a game, if that is due.
    fn begin(&mut self, shown: &Shown) -> Result<(), Fault> {
        if self.fresh {
            self.exchange(shown, None, D::begin)?;
            self.fresh = false;
            if let Some(process) = &self.process {
                process.has_started();
            }
        }
        Ok(())
    }

    /// Runs an exchange of the dialogue, within the time of a start or of a move.
    fn exchange<T>(
        &mut self,
        shown: &Shown,
        asked: Option<&Limits>,
        talk: impl FnOnce(&mut D, &mut Query<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        process.thaw();
        let thinking = [shown.move_time, shown.game_time].into_iter().flatten().min();
        let limit = match asked {
            // All starts of a game share the time of one.
            None if D::SLOW_START => self.hosting.start_up.saturating_sub(self.starting),
            None => self.hosting.start_up.min(HANDSHAKE),
            Some(limits) => thinking.or(limits.time).unwrap_or(PATIENCE),
        };
        let now = Instant::now();
        let debt = asked.map_or(Duration::ZERO, |_| self.debt);
        let mut query = Query {
            process,
            game: &shown.game,
            setting: self.setting,
            limit,
            grace: shown.grace,
            game_time: shown.game_time,
            move_time: shown.move_time.or(asked.and_then(|limits| limits.time)),
            depth: asked.and_then(|limits| limits.depth),
            began: now.checked_sub(debt).unwrap_or(now),
            stop: &shown.stop,
            took: None,
            received: (0, 0),
        };
        let said = talk(&mut self.dialogue, &mut query);
        self.took = query.took.or(Some(query.began.elapsed()));
        match said {
            // This was the time of a start, not of a move.
            Err(Fault::Timeout(_)) if asked.is_none() => Err(late_start(limit, query.process)),
            Err(Fault::Timeout(_)) => Err(Fault::Timeout(format!(
                "no answer after {:.3} s (limit {:.3} s){}",
                query.began.elapsed().as_secs_f64(),
                limit.as_secs_f64(),
                query.process.last_words()
            ))),
            other => other.map_err(|fault| sandbox::explained(fault, &self.hosting)),
        }
    }

    /// Where the log of this game goes.
    fn log_path(&self, side: Color) -> Option<PathBuf> {
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = self.name.chars().map(safe).take(60).collect();
        let folder = self.hosting.logs.as_ref()?;
        Some(folder.join(format!("game-{:05}-{side}-{name}.log", self.number + 1)))
    }
}

impl<D: Dialogue> Player for ForeignPlayer<D> {
    fn prepare(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.ready(Shown {
            game: turn.game.clone(),
            move_time: turn.move_time,
            game_time: turn.game_time,
            grace: turn.grace,
            stop: turn.stop.clone(),
        })
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return Ok(None);
        }
        let is_shown = |shown: &Shown| shown.game.position() == position;
        if self.process.is_none() || !self.shown.as_ref().is_some_and(is_shown) {
            // The caller has not shown how the position came about.
            self.ready(Shown {
                game: Game::from_position(self.setting.variant, position),
                move_time: limits.time,
                game_time: None,
                grace: Duration::from_millis(100),
                stop: limits.stop.clone(),
            })?;
        }
        let Some(shown) = self.shown.clone() else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        let Some(process) = &self.process else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        let (before, began) = (process.usage(), Instant::now());
        process.is_asked();
        let discarded = process.discard();
        let answer = discarded.and_then(|()| self.exchange(&shown, Some(limits), D::ask));
        let took = began.elapsed();
        (self.held_up, self.memory) = self
            .process
            .as_ref()
            .map_or((false, None), |process| (process.usage().was_withheld_since(&before, took), process.peak()));
        let square = answer.and_then(|played| match played {
            Move::Place(square) if legal.contains(square) => Ok(square),
            Move::Place(square) => Err(Fault::IllegalMove(position.geometry().label(square))),
            Move::Pass => Err(Fault::IllegalMove("it passes, and there are legal moves".to_owned())),
        });
        match square {
            Ok(square) => {
                // Until it is asked again nobody thinks.
                if let Some(process) = &self.process {
                    process.freeze();
                }
                let thought = MoveInfo::at_sight(square);
                report(&thought);
                Ok(Some(thought))
            }
            Err(fault) => {
                self.process = None;
                Err(fault)
            }
        }
    }

    fn took(&self) -> Option<Duration> {
        self.took
    }

    fn was_held_up(&self) -> Option<bool> {
        Some(self.held_up)
    }

    fn memory(&self) -> Option<u64> {
        self.memory
    }

    fn new_game(&mut self, game: u64) {
        self.number = game;
        self.starting = Duration::ZERO;
        self.fresh = true;
        self.shown = None;
        if D::ONE_GAME {
            self.process = None;
        }
    }
}
