//! The usability test: does a program understand the game, answer in time, and keep its limits?
//!
//! Ten fixed positions and any number of random ones, with both colours, some of them without a move. The course's
//! class is judged by its whole candidate list, every other program by its move.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::RngExt;
use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::seed::stream;
use turncoat_players::{Fault, Limits, Setting, Spec, StopFlag, Turn};
use turncoat_protocol::course::{judge, point};
use turncoat_record::transcript;

use crate::hosting::Hosting;
use crate::log::Log;
use crate::players::course::{Course, Listed, launch};
use crate::players::guest::{Desk, Dialogue};
use crate::players::{HostError, build, forbidden_imports, is_foreign};
use crate::process::Process;
use crate::sandbox;

/// The fixed positions: games that lead to them. In the last two the side to move has no move.
const FIXED: [&str; 10] = [
    "",
    "e6f4g3d6e3f6c7d7g7",
    "f5f6c4c5c6b5b6f3e6d6d7d3f7b7",
    "e6f6c4e7f7d6f5g5g7h7h5d3c7h4c5b5b4c6a6a5f4e3b6",
    "c4c3c2d6c6b2f5f6f7c5e6c7c8b3a3d7a2b4e7b5a4f4f3d8d3g3e8g6h6e3",
    "e6f4d3c6g3f5g6h2f3f7d6g2c5h5b6g4g5c4c3b5h4d7c8b7a4f6c7b4e7g7f2b2a3b3c2a2a7a5h7",
    "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1c3d1f7b2b3a2g5c2a3b5d6d2c1b1a4d7f2h6h8f8a1h1d8h4e7h3",
    "d3e3f2e2f1e1f6c3c4b4c5g3f3f4h4h3g2g7e6f7e7f5b5d6f8g5d7c7a3d2c2h1h6b2d1a6b6a4c1a5g1b3b8e8h2g4b7h7h8d8h5c8a7",
    "c4c5c6b5d6e7a6d3e2c7e6a4c3c2b7d7f7f1b6f6e3d8f5a5d2g5e8f8g6a7h4d1b3f2c8b8f3g4g8h7g3h3c1h8a8a3g2e1h6g7h2f4g1h1a2h5b4b2",
    "f5d6c7f4f3g4d3c4b5d7e3f2e7b4c5c6b3g6g3f6c3c2e2b6d1d2g5b1a5h3g1a6a4f7f8e6b2a1a2a3h5e8g7h7h8g2c1c8h6e1b8b7d8g8a7a8h4",
];

/// What is tested, and how long a move may take.
#[derive(Debug, Clone)]
pub struct Test {
    /// Random positions beside the fixed ones.
    pub random: u64,
    /// Where they come from.
    pub seed: u64,
    /// The time for a move.
    pub limit: Duration,
    /// Whether to look for imports that the course forbids.
    pub forbids_os: bool,
    /// Ends the test when it is raised.
    pub stop: StopFlag,
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
    /// What is wrong with the answer.
    pub complaints: Vec<String>,
}

/// The whole test.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Whether the program came through its start; if not, one case was tried.
    pub starts: bool,
    /// Whether the test was stopped before its end.
    pub stopped: bool,
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
    /// Whether the program has passed.
    pub const fn is_good(&self) -> bool {
        !self.stopped && self.passed == self.cases && self.forbidden.is_empty()
    }
}

/// Puts a program to the test; `report` hears of every case.
///
/// # Errors
/// If there is no such program, or it cannot be run here.
pub fn check(
    spec: &Spec,
    setting: Setting,
    hosting: &Hosting,
    test: &Test,
    report: &mut dyn FnMut(&Case),
) -> Result<Verdict, HostError> {
    // What cannot be run at all is found out first.
    build(spec, setting, hosting)?;
    let mut verdict = Verdict {
        starts: true,
        stopped: false,
        cases: 0,
        left_out: 0,
        passed: 0,
        start_up: Duration::ZERO,
        slowest: Duration::ZERO,
        memory: 0,
        forbidden: Vec::new(),
    };
    let is_course = spec.name() == "py";
    let mut bot: Box<dyn Bot> = if is_course {
        let path = Path::new(spec.rest().unwrap_or_default().trim());
        if test.forbids_os {
            let source = fs::read(path).unwrap_or_default();
            verdict.forbidden = forbidden_imports(&String::from_utf8_lossy(&source));
        }
        Box::new(Class {
            path,
            hosting,
            setting,
            process: None,
            dialogue: Course::default(),
            start_up: Duration::ZERO,
        })
    } else {
        Box::new(Mover {
            player: build(spec, setting, hosting)?,
            start_up: Duration::ZERO,
        })
    };
    for (number, game) in (1..).zip(games(setting, test)) {
        let position = game.position();
        // Other programs are not asked where there is nothing to choose.
        if !is_course && position.legal_moves().is_empty() {
            verdict.left_out += 1;
            continue;
        }
        let mut case = Case {
            number,
            position,
            expected: expected(position, is_course),
            came: String::new(),
            took: Duration::ZERO,
            interrupted: false,
            complaints: Vec::new(),
        };
        bot.answer(&game, test, &mut case);
        // What an end by force looks like is no answer.
        if test.stop.is_raised() {
            verdict.stopped = true;
            break;
        }
        verdict.cases += 1;
        verdict.passed += usize::from(case.complaints.is_empty());
        verdict.slowest = verdict.slowest.max(case.took);
        report(&case);
        // What does not even start need not be asked again.
        if bot.start_up().is_zero() && !case.complaints.is_empty() {
            verdict.starts = false;
            break;
        }
    }
    verdict.start_up = bot.start_up();
    verdict.memory = hosting.meter.peak();
    Ok(verdict)
}

/// The legal moves as the course or everybody else writes them.
fn expected(position: Position, is_course: bool) -> String {
    let geometry = position.geometry();
    let label = |square| {
        if is_course {
            point(square, geometry)
        } else {
            geometry.label(square)
        }
    };
    let labels: Vec<String> = position.legal_moves().into_iter().map(label).collect();
    if labels.is_empty() {
        "no move".to_owned()
    } else {
        labels.join(" ")
    }
}

/// The games whose last positions are asked about.
fn games(setting: Setting, test: &Test) -> Vec<Game> {
    let start = Position::start(setting.geometry);
    let fixed = FIXED
        .iter()
        .filter_map(|text| transcript::parse(text, setting.variant, start).ok());
    let random = (0..test.random).map(|number| random_game(setting, test.seed, number));
    fixed.chain(random).collect()
}

/// A game by lot. Every fourth ends where there is no move, if one can be found; colours alternate otherwise.
fn random_game(setting: Setting, seed: u64, number: u64) -> Game {
    let mut lots = stream(seed, &[number]);
    let wanted = if number.is_multiple_of(2) {
        Color::Black
    } else {
        Color::White
    };
    let without_move = number % 4 == 3;
    let mut found = Game::new(setting.variant, setting.geometry);
    for _ in 0..200 {
        let plies = lots.random_range(0..u32::from(setting.geometry.area()) - 4);
        let mut game = Game::new(setting.variant, setting.geometry);
        let fits = |game: &Game| {
            let position = game.position();
            if without_move {
                position.must_pass()
            } else {
                !position.legal_moves().is_empty() && position.side() == wanted
            }
        };
        while game.outcome().is_none() {
            let enough = game.moves().len() >= plies as usize || without_move;
            if enough && fits(&game) {
                return game;
            }
            let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
            let played = if moves.is_empty() {
                Move::Pass
            } else {
                Move::Place(moves[lots.random_range(0..moves.len())])
            };
            if game.play(played).is_err() {
                break;
            }
        }
        found = game;
    }
    found.undo();
    found
}

/// Somebody who is tested.
trait Bot {
    /// Lets it answer, and fills in what came.
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case);

    /// How long its start took.
    fn start_up(&self) -> Duration;
}

/// The course's class.
struct Class<'a> {
    path: &'a Path,
    hosting: &'a Hosting,
    setting: Setting,
    process: Option<Process>,
    dialogue: Course,
    start_up: Duration,
}

impl Class<'_> {
    fn list(&mut self, game: &Game, test: &Test) -> Result<Listed, Fault> {
        let limit = test.limit;
        let began = Instant::now();
        let is_new = self.process.is_none();
        if is_new {
            let launch = launch(self.path, self.hosting, 0)
                .map_err(|_| Fault::Crash("it cannot be started".to_owned()))?;
            self.process = Some(Process::start(&launch, self.hosting, Log::default())?);
        }
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("it is not running".to_owned()));
        };
        let mut desk = Desk {
            process,
            game,
            setting: self.setting,
            limit: self.hosting.start_up,
            grace: GRACE,
            game_time: None,
            move_time: Some(limit),
            depth: None,
            began,
            stop: &test.stop,
            took: None,
        };
        if is_new {
            self.dialogue.open(&mut desk)?;
        }
        self.dialogue.begin(&mut desk)?;
        if is_new {
            desk.process.has_started();
            self.start_up = began.elapsed();
        }
        desk.began = Instant::now();
        desk.limit = limit;
        let listed = self.dialogue.list(&mut desk)?;
        if !self.dialogue.is_ready(&mut desk)? {
            self.process = None;
        }
        Ok(listed)
    }
}

/// What is forgiven beyond the limit.
const GRACE: Duration = Duration::from_millis(100);

impl Bot for Class<'_> {
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case) {
        match self.list(game, test) {
            Ok(Listed { list, done, took }) => {
                let shown: Vec<String> = list.iter().take(80).map(ToString::to_string).collect();
                case.came = format!("[{}]", shown.join(", "));
                case.took = took;
                case.interrupted = !done;
                let complaints = judge(&list, case.position);
                case.complaints = complaints.iter().map(ToString::to_string).collect();
            }
            Err(fault) => {
                self.process = None;
                "nothing".clone_into(&mut case.came);
                case.complaints.push(fault.to_string());
            }
        }
    }

    fn start_up(&self) -> Duration {
        self.start_up
    }
}

/// A program that answers with a move.
struct Mover {
    player: Box<dyn turncoat_players::Player>,
    start_up: Duration,
}

impl Bot for Mover {
    fn answer(&mut self, game: &Game, test: &Test, case: &mut Case) {
        let limit = test.limit;
        self.player.new_game(case.number as u64);
        let began = Instant::now();
        let turn = Turn {
            game,
            move_time: Some(limit),
            game_time: None,
            grace: GRACE,
            stop: &test.stop,
        };
        let ready = self.player.prepare(&turn);
        self.start_up = self.start_up.max(began.elapsed());
        let began = Instant::now();
        let limits = Limits {
            time: Some(limit),
            stop: test.stop.clone(),
            ..Limits::default()
        };
        let answer = ready.and_then(|()| self.player.choose(case.position, &limits, &mut |_| {}));
        case.took = began.elapsed();
        match answer {
            Ok(thought) => {
                let played = thought.map_or(Move::Pass, |thought| Move::Place(thought.best));
                case.came = played.label(case.position.geometry());
            }
            Err(fault) => {
                "nothing".clone_into(&mut case.came);
                case.complaints.push(fault.to_string());
            }
        }
    }

    fn start_up(&self) -> Duration {
        self.start_up
    }
}

/// How a program is run that is treated like this, for people.
pub fn confinement(spec: &Spec, hosting: &Hosting) -> &'static str {
    if !is_foreign(spec) {
        "as a part of this program"
    } else if hosting.trust || sandbox::check().is_err() {
        "without a sandbox"
    } else {
        "in a sandbox"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_board::{Geometry, VariantKind};

    #[test]
    fn the_positions_have_both_colours_and_some_have_no_move() {
        let setting = Setting {
            variant: VariantKind::Reversed,
            geometry: Geometry::EIGHT,
            seed: 0,
        };
        let test = Test {
            random: 40,
            seed: 1,
            limit: Duration::from_secs(5),
            forbids_os: true,
            stop: StopFlag::default(),
        };
        let games = games(setting, &test);
        assert_eq!(games.len(), 50);
        for color in [Color::Black, Color::White] {
            let of_color = |game: &&Game| game.position().side() == color;
            assert!(games[..10].iter().filter(of_color).count() == 5);
            assert!(games[10..].iter().filter(of_color).count() >= 10);
        }
        let without = games
            .iter()
            .filter(|game| game.position().must_pass())
            .count();
        assert!(without >= 10, "{without}");
        assert!(games.iter().all(|game| game.outcome().is_none()));
    }
}
