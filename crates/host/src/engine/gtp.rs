//! `engine gtp`: GTP 2 for Othello and the reversed game. Our extension `stop` makes `genmove` answer at once.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use turncoat_board::{Color, Game, Geometry, Move, Position, VariantKind};
use turncoat_players::{Limits, Player, Setting, Turn};
use turncoat_protocol::gtp::{self, Command};

use super::inbox::Inbox;
use super::{Input, NAME, Session};

/// All commands, in the order in which they are listed.
const COMMANDS: [&str; 22] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "list_games",
    "set_game",
    "final_score",
    "level",
    "position",
    "stop",
];

/// The games by the names that they have in this protocol.
const GAMES: [(&str, VariantKind); 2] =
    [("Othello", VariantKind::Reversi), ("Reversed Othello", VariantKind::Reversed)];

/// Answers until `quit` or the end of the input. Searches report their end through `own`.
///
/// # Errors
/// If nothing can be written.
pub fn gtp(session: &Session<'_>, own: &Sender<Input>, input: &Receiver<Input>, out: &mut dyn Write) -> io::Result<()> {
    let is_stop = |text: &str| gtp::parse_command(text).is_some_and(|said| said.name == "stop");
    let mut state = GtpSession::new(session, Inbox::new(own, input, is_stop));
    while let Some(text) = state.inbox.next() {
        let (id, answer, over) = match text {
            Err(fault) => (None, Err(fault), false),
            Ok(text) => match gtp::parse_command(&text) {
                None => continue,
                Some(command) => {
                    let over = command.name == "quit";
                    (command.id, state.obey(&command), over)
                }
            },
        };
        out.write_all(gtp::write_answer(id, &answer).as_bytes())?;
        out.flush()?;
        if over {
            break;
        }
    }
    Ok(())
}

/// A side's clock.
#[derive(Debug, Clone, Copy, Default)]
struct SideClock {
    /// What is left, if it has a limit.
    left: Option<Duration>,
    /// Moves to be made within that; all of them if 0.
    stones: u32,
}

struct GtpSession<'a> {
    session: &'a Session<'a>,
    inbox: Inbox<'a>,
    setting: Setting,
    level: Option<u8>,
    /// Built when it is first needed.
    player: Option<Box<dyn Player>>,
    game: Game,
    clocks: [SideClock; 2],
}

type Answer = Result<String, String>;

impl<'a> GtpSession<'a> {
    fn new(session: &'a Session<'a>, inbox: Inbox<'a>) -> Self {
        let Setting { variant, geometry, .. } = session.setting;
        Self {
            session,
            inbox,
            setting: session.setting,
            level: None,
            player: None,
            game: Game::new(variant, geometry),
            clocks: [SideClock::default(); 2],
        }
    }

    fn obey(&mut self, command: &Command) -> Answer {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), arguments.as_slice()) {
            ("protocol_version", []) => Ok("2".to_owned()),
            ("name", []) => Ok(NAME.to_owned()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            ("quit" | "komi" | "stop", _) => Ok(String::new()),
            ("boardsize", [size]) => self.resize(size),
            ("clear_board", []) => Ok(self.restart(self.setting)),
            ("play", [color, vertex]) => self.play(color, vertex),
            ("genmove", [color]) => self.choose(color, true),
            ("reg_genmove", [color]) => self.choose(color, false),
            ("undo", []) => self.undo(),
            ("showboard", []) => Ok(self.show()),
            ("position", []) => Ok(self.game.position().to_string()),
            ("time_settings", [main, byo, stones]) => self.set_time(main, byo, stones),
            ("time_left", [color, time, stones]) => self.set_left(color, time, stones),
            ("list_games", []) => Ok(GAMES.map(|(name, _)| name).join("\n")),
            ("set_game", [_, ..]) => self.set_game(&arguments.join(" ")),
            ("final_score", []) => self.score(),
            ("level", [level]) => self.set_level(level),
            (name, _) if COMMANDS.contains(&name) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Starts a new game, perhaps of another variant or size. The answer is empty.
    fn restart(&mut self, setting: Setting) -> String {
        let same = setting.variant == self.setting.variant && setting.geometry == self.setting.geometry;
        self.setting = setting;
        self.game = Game::new(setting.variant, setting.geometry);
        if !same {
            self.player = None;
        }
        if let Some(player) = &mut self.player {
            player.new_game(0);
        }
        String::new()
    }

    fn resize(&mut self, size: &str) -> Answer {
        let geometry = size.parse().ok().and_then(|side| Geometry::from_side(side).ok());
        let geometry = geometry.ok_or("unacceptable size")?;
        Ok(self.restart(Setting { geometry, ..self.setting }))
    }

    fn set_game(&mut self, name: &str) -> Answer {
        let game = GAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (_, variant) = *game.ok_or("unsupported game")?;
        Ok(self.restart(Setting { variant, ..self.setting }))
    }

    fn set_level(&mut self, level: &str) -> Answer {
        let level = level.parse().ok().filter(|level| (1..=20).contains(level));
        let level = level.ok_or("levels are 1 to 20")?;
        self.player = Some((self.session.make)(self.setting, Some(level))?);
        self.level = Some(level);
        Ok(String::new())
    }

    /// Makes sure that it is this colour's turn: the other one passes if it must.
    fn turn_of(&mut self, color: &str) -> Result<Color, String> {
        let color = gtp::parse_color(color).ok_or("syntax error")?;
        if self.game.position().side() != color && self.game.position().must_pass() {
            self.game.play(Move::Pass).map_err(|illegal| illegal.to_string())?;
        }
        Ok(color)
    }

    fn play(&mut self, color: &str, vertex: &str) -> Answer {
        let played = gtp::parse_vertex(vertex, self.game.geometry()).ok_or("invalid color or coordinate")?;
        let before = self.game.moves().len();
        let color = self.turn_of(color)?;
        // A pass that the rules have just made for this side needs no second one.
        let made = played == Move::Pass && self.game.position().side() != color && before > 0;
        if made && self.game.moves().last() == Some(&Move::Pass) {
            return Ok(String::new());
        }
        if self.game.position().side() != color || self.game.play(played).is_err() {
            while self.game.moves().len() > before {
                self.game.undo();
            }
            return Err("illegal move".to_owned());
        }
        Ok(String::new())
    }

    fn choose(&mut self, color: &str, make: bool) -> Answer {
        let color = self.turn_of(color)?;
        let position = self.game.position();
        if position.is_over() {
            return Ok(gtp::write_vertex(Move::Pass, position.geometry()));
        }
        if position.side() != color {
            return Err(format!("it is {}'s turn", position.side()));
        }
        let limits = self.limits(position);
        let started = Instant::now();
        self.make_player()?;
        let player = self.player.as_mut().ok_or("there is no player")?;
        // One that learns from the opponent's moves sees the game.
        let turn = Turn {
            game: &self.game,
            move_time: limits.time,
            game_time: None,
            grace: Duration::ZERO,
            stop: &limits.stop,
        };
        player.prepare(&turn).map_err(|fault| fault.to_string())?;
        let played = self.inbox.choose(player.as_mut(), position, &limits)?;
        if make {
            self.charge(color, started.elapsed());
            self.game.play(played).map_err(|illegal| illegal.to_string())?;
        }
        Ok(gtp::write_vertex(played, position.geometry()))
    }

    /// Makes the player, if there is none.
    fn make_player(&mut self) -> Result<(), String> {
        if self.player.is_none() {
            self.player = Some((self.session.make)(self.setting, self.level)?);
        }
        Ok(())
    }

    fn undo(&mut self) -> Answer {
        self.game.undo().ok_or("cannot undo")?;
        Ok(String::new())
    }

    /// What this side may use now: an even share of its clock, and no more than the session allows.
    fn limits(&self, position: Position) -> Limits {
        let SideClock { left, stones } = self.clocks[position.side() as usize];
        // Half of the empty squares and one more: so something is left even if the other side passes.
        let own = position.empties() / 2 + 1;
        let moves = if stones == 0 { own } else { stones.min(own) };
        let share = left.map(|left| left / moves.max(1));
        let mut limits = self.session.limits.clone();
        limits.time = match (limits.time, share) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        limits
    }

    /// Charges time to a clock, in case no `time_left` comes.
    fn charge(&mut self, color: Color, used: Duration) {
        let clock = &mut self.clocks[color as usize];
        clock.left = clock.left.map(|left| left.saturating_sub(used));
        clock.stones = clock.stones.saturating_sub(1);
    }

    fn set_time(&mut self, main: &str, byo: &str, stones: &str) -> Answer {
        let (main, byo) = (seconds(main)?, seconds(byo)?);
        let stones: u32 = stones.parse().map_err(|_| "syntax error")?;
        // In GTP, time for no stones means no limit.
        let unlimited = stones == 0 && (!byo.is_zero() || main.is_zero());
        let clock = if unlimited {
            SideClock::default()
        } else if main.is_zero() {
            SideClock { left: Some(byo), stones }
        } else {
            SideClock { left: Some(main), stones: 0 }
        };
        self.clocks = [clock; 2];
        Ok(String::new())
    }

    fn set_left(&mut self, color: &str, time: &str, stones: &str) -> Answer {
        let color = gtp::parse_color(color).ok_or("syntax error")?;
        self.clocks[color as usize] =
            SideClock { left: Some(seconds(time)?), stones: stones.parse().map_err(|_| "syntax error")? };
        Ok(String::new())
    }

    fn show(&self) -> String {
        let position = self.game.position();
        let side = usize::from(position.geometry().side());
        let text = position.to_string();
        let cells: Vec<char> = text.chars().take(side * side).collect();
        let columns: String = ('A'..).take(side).map(|c| format!(" {c}")).collect();
        let rows = cells.chunks(side).zip(1..).map(|(row, number)| {
            let row: String = row.iter().map(|cell| format!(" {cell}")).collect();
            format!("\n{number}{row}")
        });
        format!("\n {columns}{}\n{} to move", rows.collect::<String>(), position.side())
    }

    fn score(&self) -> Answer {
        let outcome = self.game.outcome().ok_or("the game is not over")?;
        let margin = outcome.score.discs().abs();
        Ok(match outcome.winner {
            Some(Color::Black) => format!("B+{margin}"),
            Some(Color::White) => format!("W+{margin}"),
            None => "0".to_owned(),
        })
    }
}

/// A length of time in seconds, perhaps with a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "syntax error")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "syntax error".to_owned())
}
