//! `gtp:`: a GTP engine. It is sent every move that it does not know, and its clock before each question; the result of
//! the game is ours to count.

use std::time::Duration;

use turncoat_board::{Game, Move, Position, VariantKind};
use turncoat_players::Fault;
use turncoat_protocol::gtp;

use super::dialogue::{Dialogue, Query};

#[derive(Default)]
pub(crate) struct Gtp {
    /// The commands that it knows.
    commands: Vec<String>,
    /// The moves that it knows of.
    told: Vec<Move>,
    /// The level that it plays at.
    level: Option<u32>,
}

fn protocol(error: impl Into<String>) -> Fault {
    Fault::Protocol(error.into())
}

/// Sends a command and receives its answer.
fn order(query: &mut Query<'_>, command: &str) -> Result<String, Fault> {
    try_order(query, command)?.map_err(|error| protocol(format!("{command}: {error}")))
}

/// The same where a refusal is not a fault.
fn try_order(query: &mut Query<'_>, command: &str) -> Result<Result<String, gtp::GtpError>, Fault> {
    query.send(command)?;
    let mut answer = String::new();
    loop {
        let line = query.receive()?;
        if line.trim().is_empty() {
            // What comes before an answer is not part of it.
            if answer.is_empty() {
                continue;
            }
            return Ok(gtp::parse_answer(&answer));
        }
        if !answer.is_empty() || line.starts_with(['=', '?']) {
            answer.push_str(&line);
            answer.push('\n');
        } else {
            return Err(protocol(format!(
                "{command}: {:?} is not an answer",
                line.chars().take(60).collect::<String>()
            )));
        }
    }
}

impl Gtp {
    pub(crate) fn new(level: Option<u32>) -> Self {
        Self { level, ..Self::default() }
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Sends it the moves that it does not know, from the start if they are of another game.
    fn tell(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        let game: &Game = query.game;
        if !game.moves().starts_with(&self.told) {
            order(query, "clear_board")?;
            self.told.clear();
        }
        let known = self.told.len();
        let new = game.positions().iter().zip(game.moves()).skip(known);
        for (position, &played) in new {
            let color = gtp::write_color(position.side());
            let vertex = gtp::write_vertex(played, game.geometry());
            let command = format!("play {color} {vertex}");
            if played == Move::Pass {
                // The rules imply it; some engines want to be told, others refuse.
                let _ = try_order(query, &command)?;
            } else {
                order(query, &command)?;
            }
            self.told.push(played);
        }
        Ok(())
    }
}

impl Dialogue for Gtp {
    const ONE_GAME: bool = false;

    fn open(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        self.told.clear();
        let commands = order(query, "list_commands")?;
        self.commands = commands.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    fn begin(&mut self, query: &mut Query<'_>) -> Result<(), Fault> {
        let variant = query.setting.variant;
        let name = match variant {
            VariantKind::Reversi => "Othello",
            VariantKind::Reversed => "Reversed Othello",
        };
        if self.knows("set_game") {
            let set = try_order(query, &format!("set_game {name}"))?;
            if variant == VariantKind::Reversed {
                set.map_err(|error| protocol(format!("set_game {name}: {error}")))?;
            }
        } else if variant == VariantKind::Reversed {
            return Err(protocol(format!("the program has no set_game, so it does not play {}", variant.title())));
        }
        if query.game.start() != Position::start(query.game.geometry()) {
            return Err(protocol("GTP has only games from the usual start"));
        }
        order(query, &format!("boardsize {}", query.game.geometry().side()))?;
        order(query, "clear_board")?;
        self.told.clear();
        if let Some(level) = self.level {
            order(query, &format!("level {level}"))?;
        }
        if self.knows("time_settings") {
            let seconds = |time: Duration| time.as_secs().max(1);
            let settings = match (query.game_time, query.move_time) {
                (Some(all), _) => Some(format!("time_settings {} 0 0", seconds(all))),
                (None, Some(one)) => Some(format!("time_settings 0 {} 1", seconds(one))),
                (None, None) => None,
            };
            if let Some(settings) = settings {
                let _ = try_order(query, &settings)?;
            }
        }
        Ok(())
    }

    /// The moves are sent while the clock runs: a program could think about them before it confirms them.
    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        self.tell(query)?;
        let position = query.game.position();
        let color = gtp::write_color(position.side());
        if self.knows("time_left") {
            let (time, stones) = match (query.game_time, query.move_time) {
                (Some(left), _) => (left, 0),
                (None, Some(one)) => (one, 1),
                (None, None) => (Duration::ZERO, 0),
            };
            if !time.is_zero() {
                let seconds = time.as_secs().max(1);
                let _ = try_order(query, &format!("time_left {color} {seconds} {stones}"))?;
            }
        }
        let answer = order(query, &format!("genmove {color}"))?;
        let word = answer.split_whitespace().next().unwrap_or_default();
        let played = gtp::parse_vertex(word, position.geometry()).ok_or_else(|| {
            protocol(format!("genmove: {:?} is not a move", word.chars().take(40).collect::<String>()))
        })?;
        self.told.push(played);
        Ok(played)
    }
}
