//! A game move by move in the terminal.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use turncoat_arena::{Fixture, Results};
use turncoat_board::{Color, Game};
use turncoat_players::StopFlag;

use super::board::BoardView;
use crate::output;

/// The pause after a move on a terminal; a file or a pipe needs none.
const PACE: Duration = Duration::from_millis(300);

/// How often a pause looks whether the run is stopped.
const GLANCE: Duration = Duration::from_millis(20);

/// Shows boards on standard error.
pub(crate) struct GameViewer {
    names: Vec<String>,
    pace: Duration,
    terminal: bool,
    stop: StopFlag,
    /// How the run stands.
    score: Mutex<String>,
}

impl GameViewer {
    pub(crate) fn new(names: Vec<String>, pace: Option<Duration>, stop: StopFlag) -> Self {
        let terminal = io::stderr().is_terminal();
        let usual = if terminal { PACE } else { Duration::ZERO };
        Self { names, pace: pace.unwrap_or(usual), terminal, stop, score: Mutex::default() }
    }

    /// A game was counted.
    pub(crate) fn count(&self, results: &Results) {
        let (total, names) = (results.total(0), &self.names);
        let line = format!(
            "Games counted: {}. {} has won {}, drawn {} and lost {}.",
            results.games().len(),
            names[0],
            total.wins,
            total.draws,
            total.losses
        );
        *self.score.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    /// Shows a game as it stands, and waits.
    pub(crate) fn show(&self, fixture: &Fixture, game: &Game) {
        // The game may continue to its end, but the last words should be how to resume.
        if self.stop.is_raised() {
            return;
        }
        let last = game.moves().iter().rev().find_map(|m| m.square());
        let view = BoardView { legal: true, colours: self.terminal };
        let state = match game.outcome() {
            None => {
                let played = game
                    .moves()
                    .last()
                    .map_or_else(|| "the beginning".to_owned(), |played| played.label(game.geometry()));
                format!("{played}; {} to move", game.position().side())
            }
            Some(outcome) => match outcome.winner {
                None => "a draw".to_owned(),
                Some(winner) => format!("{winner} wins by {}", outcome.score.discs().abs()),
            },
        };
        let name = |color| match color {
            Color::Black => &self.names[fixture.black],
            Color::White => &self.names[fixture.white],
        };
        // The whole screen anew, so that the board stays in its place.
        let clear = if self.terminal { "\x1b[2J\x1b[H" } else { "" };
        output::note(format_args!(
            "{clear}{}\nGame {}: {} (X) – {} (O)\n{}\n   {state}\n",
            self.score.lock().unwrap_or_else(PoisonError::into_inner),
            fixture.number + 1,
            name(Color::Black),
            name(Color::White),
            view.draw(game.position(), last)
        ));
        let rest = if game.outcome().is_some() { 4 } else { 1 };
        self.wait(self.pace.saturating_mul(rest));
    }

    /// Waits, unless the run is stopped meanwhile.
    fn wait(&self, time: Duration) {
        let began = Instant::now();
        while !self.stop.is_raised()
            && let Some(left) = time.checked_sub(began.elapsed())
            && !left.is_zero()
        {
            thread::sleep(left.min(GLANCE));
        }
    }
}
