//! The referee: plays one game between two players, holds the clocks, and lets nothing illegal through.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Game, Position};
use turncoat_players::{Fault, Foul, Limits, MoveInfo, Player, StopFlag, Turn, guarded, play_game};
use turncoat_search::{Budget, Clock, SystemClock, work_clock};

use crate::efforts::Effort;
use crate::played::Ending;

/// A shorter move is never marked as made under pressure: to be woken up takes its share of one on any machine.
const NOTICEABLE: Duration = Duration::from_millis(50);

/// How long players may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// For a move.
    pub move_time: Option<Duration>,
    /// For all moves of a game, each player for itself.
    pub game_time: Option<Duration>,
    /// What the clock of a game is given after each move of its player.
    pub increment: Duration,
    /// How far either may be exceeded before the game is lost. A player stops when its time is up and
    /// not before, and then the machine may be slow to hand its answer on: that much is forgiven.
    pub grace: Duration,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

impl Control {
    /// The usual grace: above the hiccups of a busy machine, far below what a stuck player needs.
    pub const GRACE: Duration = Duration::from_millis(100);

    /// All the time that a player's clock has been given when it thinks about its move of this number,
    /// counted from 0.
    fn given(&self, number: u32) -> Option<Duration> {
        let increments = self.increment.saturating_mul(number);
        self.game_time.map(|time| time.saturating_add(increments))
    }

    /// Whether a move of this length, or all moves up to the one of this number together, took too long. The
    /// grace is given once on each: a clock that has run down gives no new one with every move.
    fn is_exceeded(&self, one: Duration, all: Duration, number: u32) -> bool {
        let beyond = |time: Duration, limit: Option<Duration>| {
            limit.is_some_and(|limit| time > limit.saturating_add(self.grace))
        };
        beyond(one, self.move_time) || beyond(all, self.given(number))
    }
}

impl Default for Control {
    fn default() -> Self {
        Self { move_time: None, game_time: None, increment: Duration::ZERO, grace: Self::GRACE, depth: None }
    }
}

/// What became of a game.
#[derive(Debug)]
pub struct Verdict {
    /// The game with its moves.
    pub game: Game,
    /// How it ended.
    pub ending: Ending,
    /// How long black and white thought.
    pub thinking: [Duration; 2],
    /// What each of their moves took.
    pub efforts: Vec<Effort>,
    /// Whether the game was lost by a timeout that the player's own work does not explain: the machine was busy elsewhere
    /// or asleep, or a built-in player waited for something.
    pub held_up: bool,
}

/// Plays games under one time control.
#[derive(Debug, Clone)]
pub struct Referee {
    control: Control,
    clock: Arc<dyn Clock>,
    /// How long the calling thread has worked.
    work: Arc<dyn Clock>,
    stop: StopFlag,
}

impl Referee {
    /// A referee with the machine's clock. When the flag is raised, games are abandoned.
    pub fn new(control: Control, stop: StopFlag) -> Self {
        let clock = Arc::new(SystemClock::default());
        Self::with_clocks(control, stop, clock.clone(), work_clock(clock))
    }

    /// A referee with other clocks, for tests: the one on the wall, and the one that runs only while
    /// the calling thread works.
    pub fn with_clocks(control: Control, stop: StopFlag, clock: Arc<dyn Clock>, work: Arc<dyn Clock>) -> Self {
        Self { control, clock, work, stop }
    }

    /// Plays the game with this number from an opening to its end. `see` is shown the game at its
    /// beginning and after each move, with how long black and white have thought so far; the time it takes is charged
    /// to neither player.
    ///
    /// A player that panics, exceeds its time, or answers with something illegal loses. `None` if the
    /// game was abandoned because the flag was raised.
    pub fn play(
        &self,
        number: u64,
        opening: &Game,
        players: [&mut dyn Player; 2],
        see: &mut dyn FnMut(&Game, [Duration; 2]),
    ) -> Option<Verdict> {
        let thought = Cell::new([Duration::ZERO; 2]);
        let taken = Cell::new(None);
        let mut efforts = Vec::new();
        let mut clocks = Clocks {
            referee: self,
            thinking: [Duration::ZERO; 2],
            working: [Duration::ZERO; 2],
            moves: [0; 2],
            last: None,
            held_up: false,
        };
        let mut game = opening.clone();
        let ask = |game: &Game, player: &mut dyn Player| {
            let answer = clocks.ask(game, player);
            thought.set(clocks.thinking);
            taken.set(clocks.last.take());
            answer
        };
        let played = play_game(&mut game, number, players, ask, |game| {
            // Only what was asked for, and played.
            efforts.extend(taken.take());
            see(game, thought.get());
            !self.stop.is_raised()
        });
        if self.stop.is_raised() {
            return None;
        }
        let ending = match played {
            Ok(outcome) => Ending::Finished { score: outcome?.score },
            Err(Foul { by, fault }) => Ending::Fault { by, fault },
        };
        Some(Verdict { game, ending, thinking: clocks.thinking, efforts, held_up: clocks.held_up })
    }
}

/// The clocks of a game under way.
struct Clocks<'a> {
    referee: &'a Referee,
    thinking: [Duration; 2],
    working: [Duration; 2],
    /// Moves that black and white have been asked for.
    moves: [u32; 2],
    /// What the last move took.
    last: Option<Effort>,
    held_up: bool,
}

impl Clocks<'_> {
    /// Asks a player for a move and charges its clock.
    fn ask(&mut self, game: &Game, player: &mut dyn Player) -> Result<Option<MoveInfo>, Fault> {
        let position = game.position();
        let side = position.side();
        let control = self.referee.control;
        let number = self.moves[side as usize];
        let given = control.given(number);
        let turn = Turn {
            game,
            move_time: control.move_time,
            game_time: given.map(|given| given.saturating_sub(self.thinking[side as usize])),
            grace: control.grace,
            stop: &self.referee.stop,
        };
        guarded(|| player.prepare(&turn))??;
        let limits = self.limits(position);
        let (started, begun) = (self.referee.clock.now(), self.referee.work.now());
        let answer = guarded(|| player.choose(position, &limits, &mut |_| {}));
        let used = self.referee.clock.now().saturating_sub(started);
        let used = player.took().unwrap_or(used);
        let worked = self.referee.work.now().saturating_sub(begun);
        self.thinking[side as usize] += used;
        self.working[side as usize] += worked;
        self.moves[side as usize] += 1;
        let unexplained = !control.is_exceeded(worked, self.working[side as usize], number);
        let held_up = player.was_held_up();
        let withheld = held_up.unwrap_or(used.saturating_sub(worked) >= used / 10);
        let pressed = withheld && used >= NOTICEABLE;
        self.last = Some(Effort { time: used, memory: player.memory(), pressed });
        let answer = answer?;
        self.held_up = held_up == Some(true) && matches!(answer, Err(Fault::Timeout(_)));
        let thought = answer?;
        if control.is_exceeded(used, self.thinking[side as usize], number) {
            self.held_up = held_up.unwrap_or(unexplained);
            let (used, all) = (used.as_secs_f64(), self.thinking[side as usize].as_secs_f64());
            return Err(Fault::Timeout(format!("it took {used:.3} s for this move, {all:.3} s for all")));
        }
        Ok(thought)
    }

    /// What a player is told: its clock, and what it may use of it if it does not divide it itself, which is the
    /// time for a move, but no more than an even share of what its clock has left.
    fn limits(&self, position: Position) -> Limits {
        let side = position.side();
        let Referee { control, clock, work, stop } = self.referee;
        let limits = Limits {
            time: control.move_time,
            depth: control.depth,
            stop: stop.clone(),
            clock: Arc::clone(clock),
            work: Arc::clone(work),
            ..Limits::default()
        };
        let Some(given) = control.given(self.moves[side as usize]) else {
            return limits;
        };
        let budget = Budget {
            remaining: given.saturating_sub(self.thinking[side as usize]),
            increment: control.increment,
            moves_to_go: None,
            move_limit: control.move_time,
        };
        limits.with_game(budget, position.empties())
    }
}
