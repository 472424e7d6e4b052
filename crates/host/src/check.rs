//! The usability test: does a program know the rules, answer in time, and keep its limits?
//!
//! Ten fixed positions and any number of random ones, with both colours, some of them without a move. The course's class
//! is checked by its whole candidate list, every other program by its move.

mod positions;
mod words;

use std::fmt;
use std::time::{Duration, Instant};

use turncoat_board::{Game, Move, Position, VariantKind};
use turncoat_players::{BuildError, Fault, Limits, Player, Program as _, Setting, Spec, StopFlag, Turn};
use turncoat_protocol::course::{judge, point};

use crate::hosting::{HANDSHAKE, Hosting};
use crate::log::Log;
use crate::process::Process;
use crate::programs::course::{Course, Listed};
use crate::programs::dialogue::{Dialogue, Query};
use crate::programs::player::late_start;
use crate::programs::{Program, Protocol};
use crate::sandbox;

use positions::games;

/// What is tested, and how long a move may take.
#[derive(Debug, Clone)]
pub struct Test {
    /// Random positions besides the fixed ones.
    pub random: u64,
    /// Where they come from.
    pub seed: u64,
    /// The time for a move.
    pub limit: Duration,
    /// Whether to look for imports that the course forbids.
    pub forbids_os: bool,
    /// Whether to continue after a fault that is likely to repeat in every case.
    pub all: bool,
    /// Ends the test when it is raised.
    pub stop: StopFlag,
}

impl Test {
    /// How many positions there are at most.
    pub fn positions(&self) -> u64 {
        self.random.saturating_add(positions::FIXED.len() as u64)
    }
}

/// One position and what came of it.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its number, from 1.
    pub number: usize,
    /// The position.
    pub position: Position,
    /// The moves that are legal, as the program writes them.
    pub expected: String,
    /// What the program answered.
    pub came: String,
    /// How long it took.
    pub took: Duration,
    /// Whether it was interrupted at the limit.
    pub interrupted: bool,
    /// Whether the machine withheld the CPU meanwhile.
    pub held_up: bool,
    /// Why there was no answer, if there was none.
    pub fault: Option<Fault>,
    /// What is wrong with the answer.
    pub complaints: Vec<String>,
}

impl Case {
    fn fail(&mut self, fault: Fault) {
        self.complaints.push(fault.to_string());
        self.fault = Some(fault);
    }

    /// Whether it failed for want of time.
    fn is_late(&self) -> bool {
        self.interrupted && !self.complaints.is_empty() || matches!(self.fault, Some(Fault::Timeout(_)))
    }

    /// Whether the other cases are likely to end like this one, each after as long a wait: out of time, out of memory.
    fn is_hopeless(&self) -> bool {
        self.is_late() || matches!(self.fault, Some(Fault::OutOfMemory(_)))
    }
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All positions were tried.
    Complete,
    /// The program did not come through its start.
    NotStarted,
    /// A fault made the rest pointless.
    Hopeless,
    /// The test was interrupted.
    Interrupted,
}

/// The whole test.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// How it ended.
    pub end: End,
    /// Cases that were tried.
    pub cases: usize,
    /// Cases that were left out: without a move only the course's class is asked.
    pub left_out: usize,
    /// Cases without complaint.
    pub passed: usize,
    /// How long the program took to start.
    pub start_up: Duration,
    /// The longest answer.
    pub slowest: Duration,
    /// The most memory beyond that of its start, in bytes.
    pub memory: u64,
    /// Lines of the source that import what the course forbids.
    pub forbidden: Vec<usize>,
}

impl Verdict {
    /// Whether the test was interrupted before anything was found wrong, so that nothing is known.
    pub const fn is_open(&self) -> bool {
        matches!(self.end, End::Interrupted) && self.passed == self.cases && self.forbidden.is_empty()
    }

    /// Whether the program has passed.
    pub const fn is_good(&self) -> bool {
        matches!(self.end, End::Complete) && self.passed == self.cases && self.forbidden.is_empty()
    }
}

/// Who is tested.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A program.
    Program(Box<Program>),
    /// A built-in player.
    BuiltIn(Spec),
}

impl Subject {
    /// Parses a player's text.
    ///
    /// # Errors
    /// If it is neither a program nor a built-in player.
    pub fn parse(text: &str, hosting: &Hosting) -> Result<Self, BuildError> {
        Program::parse(text, hosting)
            .map_or_else(|| text.parse().map(Self::BuiltIn), |program| Ok(Self::Program(Box::new(program))))
    }

    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        match self {
            Self::Program(program) => program.build(setting),
            Self::BuiltIn(spec) => spec.build(setting),
        }
    }

    /// How long the test waits for its start; `None` if the start is charged to the first move.
    pub fn start_limit(&self) -> Option<Duration> {
        let Self::Program(program) = self else {
            return None;
        };
        match program.protocol() {
            Protocol::Course => Some(program.hosting().start_up),
            Protocol::Gtp | Protocol::Nboard => Some(program.hosting().start_up.min(HANDSHAKE)),
            Protocol::Line | Protocol::Botzone => None,
        }
    }

    /// A note for people where nobody knows whether it plays this variant.
    pub fn assumption(&self, variant: VariantKind) -> Option<String> {
        match self {
            Self::Program(program) => program.assumption(variant),
            Self::BuiltIn(_) => None,
        }
    }

    /// How it is run, for people.
    pub fn confinement(&self) -> &'static str {
        match self {
            Self::BuiltIn(_) => "as part of this program",
            Self::Program(program) if program.hosting().trust || sandbox::check().is_err() => "without a sandbox",
            Self::Program(_) => "in a sandbox",
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => program.fmt(f),
            Self::BuiltIn(spec) => spec.fmt(f),
        }
    }
}

/// Tests a program and reports every case.
///
/// # Errors
/// If there is no such program, or it cannot be run here.
pub fn check(
    subject: &Subject,
    setting: Setting,
    test: &Test,
    report: &mut dyn FnMut(&Case),
) -> Result<Verdict, BuildError> {
    // Fail first if it cannot be run at all.
    let player = subject.build(setting)?;
    let mut verdict = Verdict {
        end: End::Complete,
        cases: 0,
        left_out: 0,
        passed: 0,
        start_up: Duration::ZERO,
        slowest: Duration::ZERO,
        memory: 0,
        forbidden: Vec::new(),
    };
    let mut is_course = false;
    let mut bot: Box<dyn Bot> = match subject {
        Subject::Program(program) if program.protocol() == Protocol::Course => {
            is_course = true;
            if test.forbids_os {
                verdict.forbidden = program.forbidden_imports();
            }
            let (dialogue, start_up) = (Course::default(), Duration::ZERO);
            Box::new(Class { program, setting, process: None, dialogue, start_up, held_up: false })
        }
        _ => Box::new(Mover { player, start_up: Duration::ZERO }),
    };
    let mut crashes = 0;
    for (number, game) in (1..).zip(games(setting, test)) {
        let position = game.position();
        // Other programs are not asked where there is nothing to choose.
        if !is_course && position.legal_moves().is_empty() {
            verdict.left_out += 1;
            continue;
        }
        let asked = Case {
            number,
            position,
            expected: expected(position, is_course),
            came: String::new(),
            took: Duration::ZERO,
            interrupted: false,
            held_up: false,
            fault: None,
            complaints: Vec::new(),
        };
        let case = ask(&mut *bot, &game, test, &asked);
        // What comes after an interruption is not an answer.
        if test.stop.is_raised() {
            verdict.end = End::Interrupted;
            break;
        }
        verdict.cases += 1;
        verdict.passed += usize::from(case.complaints.is_empty());
        verdict.slowest = verdict.slowest.max(case.took);
        report(&case);
        // A program that does not start is not asked again.
        if bot.start_up().is_zero() && !case.complaints.is_empty() {
            verdict.end = End::NotStarted;
            break;
        }
        let broke = matches!(case.fault, Some(Fault::Crash(_) | Fault::Protocol(_)));
        crashes = if broke { crashes + 1 } else { 0 };
        if !test.all && (case.is_hopeless() || crashes == MOST_CRASHES) {
            verdict.end = End::Hopeless;
            break;
        }
    }
    verdict.start_up = bot.start_up();
    if let Subject::Program(program) = subject {
        verdict.memory = program.hosting().meter.peak();
    }
    Ok(verdict)
}

/// Asks until the answer counts: one that was late because the machine was busy elsewhere does not, as in a game.
fn ask(bot: &mut dyn Bot, game: &Game, test: &Test, asked: &Case) -> Case {
    for _ in 1..ATTEMPTS {
        let mut case = asked.clone();
        bot.answer(game, test, &mut case);
        if !case.is_late() || !case.held_up || test.stop.is_raised() {
            return case;
        }
    }
    let mut case = asked.clone();
    bot.answer(game, test, &mut case);
    case
}

/// The legal moves as the course or everybody else writes them.
fn expected(position: Position, is_course: bool) -> String {
    let geometry = position.geometry();
    let label = |square| {
        if is_course { point(square, geometry) } else { geometry.label(square) }
    };
    let labels: Vec<String> = position.legal_moves().into_iter().map(label).collect();
    if labels.is_empty() { "no move".to_owned() } else { labels.join(" ") }
}

/// A tested program or player.
trait Bot {
    /// Asks it and records the answer in the case.
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case);

    /// How long its start took.
    fn start_up(&self) -> Duration;
}

/// The course's class.
struct Class<'a> {
    program: &'a Program,
    setting: Setting,
    process: Option<Process>,
    dialogue: Course,
    start_up: Duration,
    /// Whether the machine withheld the CPU from the last answer.
    held_up: bool,
}

impl Class<'_> {
    fn list(&mut self, game: &Game, test: &Test) -> Result<Listed, Fault> {
        let (limit, hosting) = (test.limit, self.program.hosting());
        let began = Instant::now();
        let is_new = self.process.is_none();
        if is_new {
            let launch = self.program.launch().map_err(|_| Fault::Crash("it cannot be started".to_owned()))?;
            self.process = Some(Process::start(&launch, hosting, Log::default())?);
        }
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        let mut query = Query {
            process,
            game,
            setting: self.setting,
            limit: hosting.start_up,
            grace: GRACE,
            game_time: None,
            move_time: Some(limit),
            depth: None,
            began,
            stop: &test.stop,
            took: None,
            received: (0, 0),
        };
        let opened = if is_new { self.dialogue.open(&mut query) } else { Ok(()) };
        let begun = opened.and_then(|()| self.dialogue.begin(&mut query));
        begun.map_err(|fault| match fault {
            Fault::Timeout(_) => late_start(hosting.start_up, query.process),
            other => other,
        })?;
        if is_new {
            query.process.has_started();
            self.start_up = began.elapsed();
        }
        let before = query.process.usage();
        query.began = Instant::now();
        query.limit = limit;
        let listed = self.dialogue.list(&mut query);
        self.held_up = query.process.usage().was_withheld_since(&before, query.began.elapsed());
        let listed = listed?;
        if !self.dialogue.is_ready(&mut query)? {
            self.process = None;
        }
        Ok(listed)
    }
}

/// Crashes in a row that make the rest pointless.
pub const MOST_CRASHES: usize = 3;

/// How often a case is tried that the machine holds up.
const ATTEMPTS: usize = 3;

/// How far the limit may be exceeded.
const GRACE: Duration = Duration::from_millis(100);

impl Bot for Class<'_> {
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case) {
        self.held_up = false;
        let listed = self.list(game, test);
        case.held_up = self.held_up;
        match listed {
            Ok(Listed { list, done, took }) => {
                let shown: Vec<String> = list.items().iter().take(80).map(ToString::to_string).collect();
                case.came = format!("[{}]", shown.join(", "));
                case.took = took;
                case.interrupted = !done;
                let complaints = judge(&list, case.position);
                case.complaints = complaints.iter().map(ToString::to_string).collect();
                if case.interrupted && list.is_empty() && !case.complaints.is_empty() {
                    let limit = test.limit.as_secs_f64();
                    case.complaints.clear();
                    case.fail(Fault::Timeout(format!("go was interrupted after {limit} s, and the list was empty")));
                }
            }
            Err(fault) => {
                self.process = None;
                "nothing".clone_into(&mut case.came);
                case.fail(sandbox::explained(fault, self.program.hosting()));
            }
        }
    }

    fn start_up(&self) -> Duration {
        self.start_up
    }
}

/// A program that answers with a move.
struct Mover {
    player: Box<dyn Player>,
    start_up: Duration,
}

impl Bot for Mover {
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case) {
        let limit = test.limit;
        self.player.new_game(case.number as u64);
        let began = Instant::now();
        let turn = Turn { game, move_time: Some(limit), game_time: None, grace: GRACE, stop: &test.stop };
        let ready = self.player.prepare(&turn);
        if ready.is_ok() {
            self.start_up = self.start_up.max(began.elapsed());
        }
        let began = Instant::now();
        let limits = Limits { time: Some(limit), stop: test.stop.clone(), ..Limits::default() };
        let answer = ready.and_then(|()| self.player.choose(case.position, &limits, &mut |_| {}));
        case.took = began.elapsed();
        case.held_up = self.player.was_held_up() == Some(true);
        match answer {
            Ok(thought) => {
                let played = thought.map_or(Move::Pass, |thought| Move::Place(thought.best));
                case.came = played.label(case.position.geometry());
            }
            Err(fault) => {
                "nothing".clone_into(&mut case.came);
                case.fail(fault);
            }
        }
    }

    fn start_up(&self) -> Duration {
        self.start_up
    }
}

#[cfg(test)]
mod tests;
