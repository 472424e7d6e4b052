//! A foreign program as a player: started when it is needed, asked in its protocol, ended with its game or its
//! fault.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::{Fault, Limits, Player, Setting, StopFlag, Thought, Turn};

use crate::hosting::{HANDSHAKE, Hosting, PATIENCE};
use crate::log::Log;
use crate::process::Process;
use crate::sandbox::Launch;

/// What a dialogue has before it.
pub(crate) struct Desk<'a> {
    pub(crate) process: &'a mut Process,
    /// The game as it stands.
    pub(crate) game: &'a Game,
    pub(crate) setting: Setting,
    /// How long this question may take.
    pub(crate) limit: Duration,
    /// What is forgiven beyond it.
    pub(crate) grace: Duration,
    /// What is left of the time for the game.
    pub(crate) game_time: Option<Duration>,
    /// The time for a move, if there is one.
    pub(crate) move_time: Option<Duration>,
    /// Plies to look ahead, if that was asked for.
    pub(crate) depth: Option<u32>,
    /// When the question began.
    pub(crate) began: Instant,
    pub(crate) stop: &'a StopFlag,
    /// How long it took, if the dialogue knows better than the clock.
    pub(crate) took: Option<Duration>,
}

impl Desk<'_> {
    /// Who is asked.
    pub(crate) fn side(&self) -> Color {
        self.game.position().side()
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.process.say(line)
    }

    /// Hears a line in time.
    pub(crate) fn hear(&mut self) -> Result<String, Fault> {
        let until = self.began + self.limit + self.grace;
        self.process.hear(until, self.stop)
    }
}

/// How a program is spoken to.
pub(crate) trait Dialogue: Send {
    /// Whether a process serves one game alone.
    const ONE_GAME: bool;
    /// Whether its start may take as long as Python's libraries do.
    const SLOW_START: bool = false;

    /// The first words to a new process.
    fn open(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault>;

    /// A game begins, or a new process goes on with one.
    fn begin(&mut self, desk: &mut Desk<'_>) -> Result<(), Fault>;

    /// Before a question of the same game: whether the process can be asked; if not, a new one is started.
    fn is_ready(&mut self, desk: &mut Desk<'_>) -> Result<bool, Fault> {
        let _ = desk;
        Ok(true)
    }

    /// The question.
    fn ask(&mut self, desk: &mut Desk<'_>) -> Result<Move, Fault>;
}

/// The fault of a program whose start takes longer than this.
pub(crate) fn late_start(limit: Duration) -> Fault {
    Fault::Crash(format!("it did not start within {} s", limit.as_secs()))
}

pub(crate) struct Guest<D> {
    name: String,
    setting: Setting,
    hosting: Hosting,
    launch: Launch,
    dialogue: D,
    process: Option<Process>,
    log: Log,
    /// The number of the game.
    number: u64,
    fresh: bool,
    /// The game that was shown last, with its clock.
    shown: Option<Shown>,
    /// How long the last answer took, if the dialogue knows.
    took: Option<Duration>,
}

#[derive(Clone)]
struct Shown {
    game: Game,
    move_time: Option<Duration>,
    game_time: Option<Duration>,
    grace: Duration,
    stop: StopFlag,
}

impl<D: Dialogue> Guest<D> {
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
            fresh: true,
            shown: None,
            took: None,
        }
    }

    /// Makes the program ready for the question; what fails ends it.
    fn ready(&mut self, shown: Shown) -> Result<(), Fault> {
        let done = self.try_ready(&shown);
        self.shown = Some(shown);
        if done.is_err() {
            self.process = None;
        }
        done
    }

    fn try_ready(&mut self, shown: &Shown) -> Result<(), Fault> {
        if self.process.is_some() && !self.fresh && !self.with_desk(shown, None, D::is_ready)? {
            self.log.add(b"[turncoat: it did not come to its end, and was started again]\n");
            self.process = None;
        }
        if self.process.is_none() {
            if let Some(fault) = self.hosting.starts.hopeless(&self.name) {
                return Err(fault);
            }
            let began = Instant::now();
            let started = self.start(shown);
            // Whoever was stopped has not failed.
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
        let path = self.log_path(shown.game.position().side());
        let _ = self.log.begin(path.as_deref());
        let process = Process::start(&self.launch, &self.hosting, self.log.clone())?;
        self.process = Some(process);
        self.with_desk(shown, None, D::open)?;
        self.fresh = true;
        self.begin(shown)
    }

    /// Begins a game, if that is due.
    fn begin(&mut self, shown: &Shown) -> Result<(), Fault> {
        if self.fresh {
            self.with_desk(shown, None, D::begin)?;
            self.fresh = false;
            if let Some(process) = &self.process {
                process.has_started();
            }
        }
        Ok(())
    }

    /// Lets the dialogue talk, in the time of a start or of a move.
    fn with_desk<T>(
        &mut self,
        shown: &Shown,
        asked: Option<&Limits>,
        talk: impl FnOnce(&mut D, &mut Desk<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        let thinking = [shown.move_time, shown.game_time].into_iter().flatten().min();
        let limit = match asked {
            None if D::SLOW_START => self.hosting.start_up,
            None => self.hosting.start_up.min(HANDSHAKE),
            Some(limits) => thinking.or(limits.time).unwrap_or(PATIENCE),
        };
        let mut desk = Desk {
            process,
            game: &shown.game,
            setting: self.setting,
            limit,
            grace: shown.grace,
            game_time: shown.game_time,
            move_time: shown.move_time.or(asked.and_then(|limits| limits.time)),
            depth: asked.and_then(|limits| limits.depth),
            began: Instant::now(),
            stop: &shown.stop,
            took: None,
        };
        let said = talk(&mut self.dialogue, &mut desk);
        self.took = desk.took;
        match said {
            // It had the time of a start, which is no thinking.
            Err(Fault::Timeout(_)) if asked.is_none() => Err(late_start(limit)),
            Err(Fault::Timeout(_)) => Err(Fault::Timeout(format!(
                "no answer after {:.3} s (limit {:.3} s)",
                desk.began.elapsed().as_secs_f64(),
                limit.as_secs_f64()
            ))),
            other => other,
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

impl<D: Dialogue> Player for Guest<D> {
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
        report: &mut dyn FnMut(&Thought),
    ) -> Result<Option<Thought>, Fault> {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return Ok(None);
        }
        let is_shown = |shown: &Shown| shown.game.position() == position;
        if self.process.is_none() || !self.shown.as_ref().is_some_and(is_shown) {
            // Nobody has shown how the position came about.
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
        let answer = match &self.process {
            Some(process) => process.forget(),
            None => Ok(()),
        };
        let answer = answer.and_then(|()| self.with_desk(&shown, Some(limits), D::ask));
        let square = answer.and_then(|played| match played {
            Move::Place(square) if legal.contains(square) => Ok(square),
            Move::Place(square) => Err(Fault::IllegalMove(position.geometry().label(square))),
            Move::Pass => Err(Fault::IllegalMove("it passes, and there are legal moves".to_owned())),
        });
        match square {
            Ok(square) => {
                let thought = Thought::at_sight(square);
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

    fn new_game(&mut self, game: u64) {
        self.number = game;
        self.fresh = true;
        self.shown = None;
        if D::ONE_GAME {
            self.process = None;
        }
    }
}
