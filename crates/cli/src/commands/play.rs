//! `play`: a game in the terminal, line by line.

use std::io::{self, BufRead, BufReader, Write};

use anyhow::{Result, anyhow};
use serde::Serialize;
use turncoat_arena::{Control, signed};
use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::{Fault, Limits, Player, Roster, Setting, Turn};
use turncoat_record::lines::{LineError, Lines};
use turncoat_record::transcript;

use super::read_game;
use super::replay::replay;
use crate::args::{Common, PlayArgs};
use crate::failure::misuse;
use crate::output;
use crate::view::board::{BoardView, capital};

const HELP: &str = "Type a square (f5) to place a disc there. hint suggests a move, moves lists the legal ones, undo and \
                    redo take moves back and replay them, board draws the board, quit leaves, help shows this.";

/// Who is asked for hints.
const ADVISOR: &str = "turncoat";

/// Who plays one side.
enum Seat {
    Human,
    Player { name: String, player: Box<dyn Player> },
}

impl Seat {
    fn new(text: &str, setting: Setting, roster: &Roster, common: &Common) -> Result<Self> {
        match text.trim().split_once(':') {
            None if text.trim() == "human" => return Ok(Self::Human),
            Some(("human", _)) => return Err(misuse("\"human\" has no options")),
            _ => {}
        }
        let spec = common.tuned(roster.parse(text).map_err(misuse)?);
        Ok(Self::Player { name: spec.to_string(), player: spec.build(setting).map_err(misuse)? })
    }

    fn name(&self) -> &str {
        match self {
            Self::Human => "human",
            Self::Player { name, .. } => name,
        }
    }
}

/// The JSON object of a finished or abandoned game.
#[derive(Serialize)]
struct FinishedGame<'a> {
    /// Where the game began, if not at the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    black: &'a str,
    white: &'a str,
    winner: Option<String>,
    /// Black's score; none while the game is not over.
    margin: Option<i32>,
    moves: String,
}

pub(super) fn run(args: &PlayArgs, common: &Common) -> Result<()> {
    if args.position == "-" {
        return Err(misuse("play reads moves from standard input, so the position cannot come from there"));
    }
    let game = read_game(&args.position, &args.from, common)?;
    if args.replay {
        return replay(&game, common);
    }
    let setting = common.setting_of(&game);
    let roster = args.host.roster(None);
    let seats = [Seat::new(&args.black, setting, &roster, common)?, Seat::new(&args.white, setting, &roster, common)?];
    let stdin = io::stdin();
    let view = BoardView::for_terminal();
    let mut terminal = TerminalGame {
        game,
        seats,
        lines: Lines::new(BufReader::new(stdin)),
        view,
        limits: common.limits(),
        common,
        advisor: None,
        talk: !common.quiet && !common.json,
        broken: None,
    };
    terminal.play()?;
    terminal.finish(common)?;
    terminal.broken.map_or(Ok(()), Err)
}

/// A game under way with everything around it.
struct TerminalGame<'a, R> {
    game: Game,
    seats: [Seat; 2],
    lines: Lines<R>,
    view: BoardView,
    limits: Limits,
    common: &'a Common,
    /// Who gives hints, once one was asked for.
    advisor: Option<Box<dyn Player>>,
    talk: bool,
    /// Why the input could not be read on.
    broken: Option<anyhow::Error>,
}

/// What a person's line of input led to.
enum Typed {
    Played,
    Again,
    Quit,
}

impl<R: BufRead> TerminalGame<'_, R> {
    fn play(&mut self) -> Result<()> {
        let aim = self.game.variant().title();
        let who = if self.game.variant().sign() > 0 { "most" } else { "fewest" };
        self.say(format_args!("{aim} on {}: the {who} discs win.", self.game.geometry()))?;
        self.say(format_args!("Black (X): {}. White (O): {}.", self.seats[0].name(), self.seats[1].name()))?;
        if self.seats.iter().any(|seat| matches!(seat, Seat::Human)) {
            self.say(HELP)?;
        }
        self.show()?;
        while self.game.outcome().is_none() {
            let position = self.game.position();
            if position.must_pass() {
                self.say(format_args!("{} has no legal move and passes.", capital(position.side())))?;
                self.game.play(Move::Pass)?;
                self.show()?;
                continue;
            }
            match &mut self.seats[position.side() as usize] {
                Seat::Player { player, name } => {
                    let side = position.side();
                    let whose = |fault: Fault| anyhow!("{side}, {name}: {fault}");
                    let ready = player.prepare(&Turn {
                        game: &self.game,
                        move_time: self.limits.time,
                        game_time: None,
                        grace: Control::GRACE,
                        stop: &self.limits.stop,
                    });
                    ready.map_err(whose)?;
                    let info = player.choose(position, &self.limits, &mut |_| {});
                    let info = info.map_err(whose)?;
                    let Some(info) = info else {
                        anyhow::bail!("{name} gave no move in a position that has one");
                    };
                    self.place(Move::Place(info.best))?;
                }
                Seat::Human => match self.ask(position)? {
                    Typed::Played | Typed::Again => {}
                    Typed::Quit => return Ok(()),
                },
            }
        }
        Ok(())
    }

    fn place(&mut self, played: Move) -> Result<()> {
        let side = self.game.position().side();
        self.game.play(played)?;
        self.say(format_args!("{} plays {}.", capital(side), played.label(self.game.geometry())))?;
        self.show()
    }

    fn ask(&mut self, position: Position) -> Result<Typed> {
        if self.talk {
            let mut out = io::stdout().lock();
            write!(out, "{} to move> ", position.side())?;
            out.flush()?;
        }
        let text = match self.lines.next() {
            None => {
                self.say("")?;
                return Ok(Typed::Quit);
            }
            Some(Err(error @ LineError::NotText { .. })) => {
                self.complain(error)?;
                return Ok(Typed::Again);
            }
            Some(Err(error)) => {
                // The input is of no more use, but the game so far is.
                self.broken = Some(misuse(error));
                return Ok(Typed::Quit);
            }
            Some(Ok((_, text))) => text,
        };
        self.obey(text.trim(), position)
    }

    fn obey(&mut self, text: &str, position: Position) -> Result<Typed> {
        match text.to_ascii_lowercase().as_str() {
            "" | "board" => self.show()?,
            "quit" | "q" | "exit" => return Ok(Typed::Quit),
            "help" | "h" | "?" => self.say(HELP)?,
            "moves" => {
                let labels: Vec<_> = position.legal_moves().into_iter().map(|s| position.geometry().label(s)).collect();
                self.say(labels.join(" "))?;
            }
            "hint" => self.hint(position)?,
            "undo" | "u" => self.undo()?,
            "redo" | "r" => self.redo()?,
            word => match Move::parse(word, position.geometry()) {
                None => {
                    let shown: String = word.chars().take(20).collect();
                    self.complain(format_args!(
                        "{shown:?} is neither a square of the {} board nor a command; help lists the commands.",
                        position.geometry()
                    ))?;
                }
                Some(played) => {
                    if let Err(error) = self.game.play(played) {
                        self.complain(format_args!("{error}."))?;
                    } else {
                        self.show()?;
                        return Ok(Typed::Played);
                    }
                }
            },
        }
        Ok(Typed::Again)
    }

    /// Suggests a move; there is at least one legal move.
    fn hint(&mut self, position: Position) -> Result<()> {
        let advisor = match &mut self.advisor {
            Some(advisor) => advisor,
            none => {
                let spec = self.common.tuned(ADVISOR.parse()?);
                none.insert(spec.build(self.common.setting_of(&self.game))?)
            }
        };
        let info = advisor.choose(position, &self.limits, &mut |_| {});
        let info = info.map_err(|fault| anyhow!("{ADVISOR}: {fault}"))?;
        let Some(info) = info else {
            return self.complain("There is no move to suggest.");
        };
        let score = info
            .score
            .map_or_else(String::new, |score| format!(", {} discs for {}", signed(score, 1), position.side()));
        self.say(format_args!("Hint: {}{score}.", position.geometry().label(info.best)))
    }

    fn humans_turn(&self) -> bool {
        let position = self.game.position();
        matches!(self.seats[position.side() as usize], Seat::Human) && !position.must_pass()
    }

    /// Back to the last position in which a person had the choice.
    fn undo(&mut self) -> Result<()> {
        let mut taken = 0;
        while self.game.undo().is_some() {
            taken += 1;
            if self.humans_turn() {
                return self.show();
            }
        }
        for _ in 0..taken {
            self.game.redo();
        }
        self.complain("There is no move of yours to take back.")
    }

    fn redo(&mut self) -> Result<()> {
        if self.game.redo().is_none() {
            return self.complain("There is no move to redo.");
        }
        while !self.humans_turn() && self.game.redo().is_some() {}
        self.show()
    }

    /// Says what is wrong with an input: in the talk, or on standard error where there is none.
    fn complain(&self, text: impl std::fmt::Display) -> Result<()> {
        if self.talk {
            return output::line(text);
        }
        let _ = writeln!(io::stderr(), "{text}");
        Ok(())
    }

    fn say(&self, text: impl std::fmt::Display) -> Result<()> {
        if self.talk { output::line(text) } else { Ok(()) }
    }

    fn show(&self) -> Result<()> {
        if !self.talk {
            return Ok(());
        }
        let last = self.game.moves().iter().rev().find_map(|m| m.square());
        output::line(self.view.draw(self.game.position(), last))
    }

    fn finish(&self, common: &Common) -> Result<()> {
        let outcome = self.game.outcome();
        let moves = transcript::write(&self.game);
        let usual = Position::start(self.game.geometry());
        let start = Some(self.game.start()).filter(|&start| start != usual).map(|start| start.to_string());
        if common.json {
            return output::json(&FinishedGame {
                start,
                black: self.seats[0].name(),
                white: self.seats[1].name(),
                winner: outcome.map(|o| o.winner.map_or("draw".to_owned(), |c| c.to_string())),
                margin: outcome.map(|o| o.score.discs()),
                moves,
            });
        }
        match outcome {
            None => output::line("The game is not over.")?,
            Some(outcome) => {
                let position = self.game.position();
                let discs = |color| position.discs(color).count();
                let counts = format!("{} black, {} white", discs(Color::Black), discs(Color::White));
                match outcome.winner {
                    None => output::line(format_args!("A draw: {counts}."))?,
                    Some(winner) => output::line(format_args!(
                        "{} wins by {}: {counts}.",
                        capital(winner),
                        outcome.score.discs().abs()
                    ))?,
                }
            }
        }
        if self.game.moves().is_empty() {
            return Ok(());
        }
        if let Some(start) = start {
            output::line(format_args!("Start: {start}"))?;
        }
        output::line(format_args!("Moves: {moves}"))
    }
}
