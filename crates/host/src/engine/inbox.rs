//! The lines that a session receives while it searches: `stop` ends the search, everything else waits.
//!
//! Lines that follow a question at once, as scripts write them, must not cut its answer short; so nothing else ends a
//! search, not even the end of the input.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use turncoat_board::{Move, Position};
use turncoat_players::{Limits, Player, StopFlag};

use super::{Input, choose, next_line};

pub(super) struct Inbox<'a> {
    own: &'a Sender<Input>,
    input: &'a Receiver<Input>,
    /// Received during a search.
    waiting: VecDeque<Result<String, String>>,
    /// The input has ended during a search.
    over: bool,
    /// Whether a line asks to end the search.
    is_stop: fn(&str) -> bool,
}

impl<'a> Inbox<'a> {
    /// An inbox for lines from `input`, to which searches report their end through `own`.
    pub(super) fn new(own: &'a Sender<Input>, input: &'a Receiver<Input>, is_stop: fn(&str) -> bool) -> Self {
        Self { own, input, waiting: VecDeque::new(), over: false, is_stop }
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Result<String, String>> {
        if self.over {
            return self.waiting.pop_front();
        }
        self.waiting.pop_front().or_else(|| next_line(self.input))
    }

    /// The move of a player in a position; `stop` makes it answer at once.
    pub(super) fn choose(
        &mut self,
        player: &mut dyn Player,
        position: Position,
        limits: &Limits,
    ) -> Result<Move, String> {
        let stop = StopFlag::default();
        let limits = Limits { stop: stop.clone(), ..limits.clone() };
        let is_stop = self.is_stop;
        let said = |line: &Result<String, String>| line.as_deref().is_ok_and(is_stop);
        if self.waiting.iter().any(said) {
            stop.raise();
        }
        thread::scope(|scope| {
            let own = self.own;
            let search = scope.spawn(move || {
                let _end = Ended(own);
                choose(player, position, &limits)
            });
            loop {
                let line = match self.input.recv() {
                    Ok(Input::Line(text)) => Ok(text),
                    Ok(Input::Bad(fault)) => Err(fault),
                    Ok(Input::Found(_)) => continue,
                    Ok(Input::End) => {
                        self.over = true;
                        continue;
                    }
                    Ok(Input::SearchEnded) | Err(_) => break,
                };
                if said(&line) {
                    stop.raise();
                }
                self.waiting.push_back(line);
            }
            let found = search.join();
            found.map_err(|_| "the search crashed".to_owned())?
        })
        .map(|(played, _)| played)
    }
}

/// Reports on drop that a search has ended, even if it panicked.
pub(super) struct Ended<'a>(pub(super) &'a Sender<Input>);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Input::SearchEnded);
    }
}
