//! `engine nboard`: the protocol of NBoard and other Othello front ends.
//!
//! Whatever is said while it thinks stops it: the front end is about to change the board, or wants something
//! else. A stopped search says nothing more, so that nothing old is taken for news.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Instant;

use turncoat_board::{Game, Move, Position};
use turncoat_players::{Limits, MoveInfo, Player, Setting, StopFlag};
use turncoat_protocol::nboard::{self, Command, Depth, Line, Reply};
use turncoat_record::ggf::Note;

use super::inbox::Ended;
use super::{Input, NAME, Session, choose, say};

/// Answers until `quit` or the end of the input. Searches report through `own`.
///
/// # Errors
/// If nothing can be written.
pub fn nboard(
    session: &Session<'_>,
    own: &Sender<Input>,
    input: &Receiver<Input>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Setting { variant, geometry, .. } = session.setting;
    let mut state = NboardSession {
        session,
        setting: session.setting,
        player: None,
        game: Game::new(variant, geometry),
        depth: None,
        own,
        input,
        waiting: VecDeque::new(),
        over: false,
        out,
    };
    while let Some(heard) = state.next() {
        let obeyed = match heard {
            Err(fault) => state.complain(&fault)?,
            Ok(text) => match nboard::parse_command(&text, state.game.geometry()) {
                Ok(None) => true,
                Ok(Some(command)) => state.obey(command)?,
                Err(error) => state.complain(&error.to_string())?,
            },
        };
        if !obeyed {
            break;
        }
    }
    Ok(())
}

/// What the front end wants thought about.
#[derive(Debug, Clone, Copy)]
enum Wish {
    Go,
    Hint(usize),
    Analyze,
}

struct NboardSession<'a, 'o> {
    session: &'a Session<'a>,
    setting: Setting,
    player: Option<Box<dyn Player>>,
    game: Game,
    depth: Option<u32>,
    own: &'a Sender<Input>,
    input: &'a Receiver<Input>,
    /// Heard while thinking.
    waiting: VecDeque<Result<String, String>>,
    /// The input has ended while thinking.
    over: bool,
    out: &'o mut dyn Write,
}

impl NboardSession<'_, '_> {
    fn next(&mut self) -> Option<Result<String, String>> {
        if self.over {
            return self.waiting.pop_front();
        }
        self.waiting.pop_front().or_else(|| super::next_line(self.input))
    }

    /// The protocol has no errors; what is wrong is shown as the status. Always goes on.
    fn complain(&mut self, fault: &str) -> io::Result<bool> {
        self.reply(&Reply::Status(format!("error: {fault}")))?;
        Ok(true)
    }

    fn reply(&mut self, reply: &Reply) -> io::Result<()> {
        say(self.out, &nboard::write_reply(reply, self.game.geometry()))
    }

    /// `false` on `quit`.
    fn obey(&mut self, command: Command) -> io::Result<bool> {
        match command {
            Command::NBoard(_) => self.reply(&Reply::MyName(NAME.to_owned()))?,
            Command::SetDepth(depth) => self.depth = Some(depth.clamp(1, 60)),
            Command::SetContempt(_) => {}
            Command::SetGame(ggf) => self.set_game(ggf.record.game),
            Command::Move(played, _) => {
                if self.game.position().must_pass() && played != Move::Pass {
                    // Some front ends leave passes out.
                    let _ = self.game.play(Move::Pass);
                }
                if let Err(illegal) = self.game.play(played) {
                    return self.complain(&illegal.to_string());
                }
            }
            Command::Hint(count) => return self.think(Wish::Hint(count as usize)),
            Command::Go => return self.think(Wish::Go),
            Command::Ping(number) => self.reply(&Reply::Pong(number))?,
            Command::Learn => self.reply(&Reply::Learned)?,
            Command::Analyze => return self.think(Wish::Analyze),
            Command::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn set_game(&mut self, game: Game) {
        let setting = Setting { variant: game.variant(), geometry: game.geometry(), ..self.setting };
        let same = setting.variant == self.setting.variant && setting.geometry == self.setting.geometry;
        if !same {
            self.player = None;
        }
        // A game that does not continue the one before is a new one.
        let goes_on = game.start() == self.game.start() && game.moves().starts_with(self.game.moves());
        if let Some(player) = self.player.as_mut().filter(|_| !goes_on) {
            player.new_game(0);
        }
        self.setting = setting;
        self.game = game;
    }

    /// Thinks on another thread and listens meanwhile.
    fn think(&mut self, wish: Wish) -> io::Result<bool> {
        let made = match self.player.take() {
            Some(player) => Ok(player),
            None => (self.session.make)(self.setting, None),
        };
        let mut player = match made {
            Ok(player) => player,
            Err(fault) => return self.complain(&fault),
        };
        self.reply(&Reply::Status("thinking".to_owned()))?;
        let stop = StopFlag::default();
        let limits = Limits {
            depth: self.depth.or(self.session.limits.depth),
            stop: stop.clone(),
            ..self.session.limits.clone()
        };
        let mut written = Ok(());
        thread::scope(|scope| {
            let job = Job { game: &self.game, limits, own: self.own };
            let thinker = &mut player;
            scope.spawn(move || {
                let _end = Ended(job.own);
                if let Err(fault) = job.run(thinker.as_mut(), wish) {
                    job.tell(&Reply::Status(format!("error: {fault}")));
                }
            });
            loop {
                match self.input.recv() {
                    Ok(Input::Found(text)) if !stop.is_raised() && written.is_ok() => {
                        written = say(self.out, &text);
                    }
                    Ok(Input::Found(_)) => {}
                    Ok(Input::Line(text)) => {
                        stop.raise();
                        self.waiting.push_back(Ok(text));
                    }
                    // The front end is gone.
                    Ok(Input::End) => {
                        stop.raise();
                        self.over = true;
                    }
                    Ok(Input::Bad(fault)) => self.waiting.push_back(Err(fault)),
                    Ok(Input::SearchEnded) | Err(_) => break,
                }
            }
        });
        written?;
        self.player = Some(player);
        self.reply(&Reply::Status(String::new()))?;
        Ok(true)
    }
}

/// A search under way.
struct Job<'a> {
    game: &'a Game,
    limits: Limits,
    own: &'a Sender<Input>,
}

impl Job<'_> {
    /// Sends a reply, unless it is no longer wanted.
    fn tell(&self, reply: &Reply) {
        if !self.limits.stop.is_raised() {
            let text = nboard::write_reply(reply, self.game.geometry());
            let _ = self.own.send(Input::Found(text));
        }
    }

    fn run(&self, player: &mut dyn Player, wish: Wish) -> Result<(), String> {
        match wish {
            Wish::Go => self.go(player),
            Wish::Hint(count) => self.hint(player, count),
            Wish::Analyze => self.analyze(player),
        }
    }

    fn go(&self, player: &mut dyn Player) -> Result<(), String> {
        let started = Instant::now();
        let (played, thought) = choose(player, self.game.position(), &self.limits)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(thought) = &thought {
            self.tell(&Reply::NodeStats(thought.nodes, seconds));
        }
        let note = Note { eval: thought.and_then(|thought| thought.score), seconds: Some(seconds) };
        self.tell(&Reply::Chosen(played, note));
        Ok(())
    }

    /// The best moves, ever deeper.
    fn hint(&self, player: &mut dyn Player, count: usize) -> Result<(), String> {
        let position = self.game.position();
        if position.legal_moves().is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let deepest = self.limits.depth.unwrap_or(HINT_DEPTH).min(position.empties());
        for depth in 1..=deepest {
            let limits = Limits { depth: Some(depth), ..self.limits.clone() };
            let Some(moves) = player.analyze(position, &limits, &mut |_| {}) else {
                let (_, thought) = choose(player, position, &self.limits)?;
                if let Some(thought) = thought {
                    self.tell(&Reply::Search(line_of(&thought)));
                }
                return Ok(());
            };
            if self.limits.stop.is_raised() {
                return Ok(());
            }
            for thought in moves.iter().take(count.max(1)) {
                self.tell(&Reply::Search(line_of(thought)));
            }
            let nodes = moves.first().map_or(0, |thought| thought.nodes);
            self.tell(&Reply::NodeStats(nodes, started.elapsed().as_secs_f64()));
            let late = self.limits.time.is_some_and(|time| started.elapsed() >= time);
            if late || moves.first().is_some_and(|thought| thought.exact) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Every position of the game, the last one first, since it helps with those before.
    fn analyze(&self, player: &mut dyn Player) -> Result<(), String> {
        for (made, &position) in self.game.positions().iter().enumerate().rev() {
            let value = self.value(player, position)?;
            if self.limits.stop.is_raised() {
                return Ok(());
            }
            self.tell(&Reply::Analysis(made, value));
        }
        Ok(())
    }

    fn value(&self, player: &mut dyn Player, position: Position) -> Result<f64, String> {
        if let Some(score) = position.final_score(self.game.variant(), position.side()) {
            return Ok(f64::from(score.discs()));
        }
        if position.must_pass() {
            return Ok(-self.value(player, position.pass())?);
        }
        let (_, thought) = choose(player, position, &self.limits)?;
        Ok(thought.and_then(|thought| thought.score).unwrap_or(0.0))
    }
}

/// The depth of hints without `set depth`.
const HINT_DEPTH: u32 = 18;

fn line_of(thought: &MoveInfo) -> Line {
    Line {
        moves: thought.line.clone(),
        eval: thought.score.unwrap_or(0.0),
        depth: if thought.exact { Depth::Exact } else { Depth::Plies(thought.depth) },
    }
}
