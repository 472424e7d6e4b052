//! `botzone:`: a program for Botzone, started for every move or kept running, as it asks.

use std::time::{Duration, Instant};

use turncoat_board::{Game, Move};
use turncoat_players::Fault;
use turncoat_protocol::botzone::{self, KEEP_RUNNING};

use super::dialogue::{Dialogue, Query};

/// How long after an answer the request to be kept running may come.
const AFTERTHOUGHT: Duration = Duration::from_millis(300);

#[derive(Default)]
pub(crate) struct Botzone {
    /// How many moves the program knew when it was asked last; none for a new process.
    asked_at: Option<usize>,
}

fn protocol(error: impl Into<String>) -> Fault {
    Fault::Protocol(error.into())
}

impl Botzone {
    /// The other side's only move since the last question, if there was exactly one.
    fn news(&self, game: &Game) -> Option<Move> {
        let since = &game.moves()[self.asked_at?..];
        match since {
            [_, theirs] => Some(*theirs),
            _ => None,
        }
    }
}

impl Dialogue for Botzone {
    const ONE_GAME: bool = true;

    fn open(&mut self, _: &mut Query<'_>) -> Result<(), Fault> {
        self.asked_at = None;
        Ok(())
    }

    fn begin(&mut self, _: &mut Query<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// A program that wants to be kept running says so after its answer; others are restarted.
    fn is_ready(&mut self, query: &mut Query<'_>) -> Result<bool, Fault> {
        if self.news(query.game).is_none() {
            return Ok(false);
        }
        let until = Instant::now() + AFTERTHOUGHT;
        loop {
            match query.process.receive(until, query.stop) {
                Ok((line, _)) if line.trim() == KEEP_RUNNING => return Ok(true),
                Ok(_) => {}
                Err(Fault::Timeout(_) | Fault::Crash(_)) => return Ok(false),
                Err(fault) => return Err(fault),
            }
        }
    }

    fn ask(&mut self, query: &mut Query<'_>) -> Result<Move, Fault> {
        let request = match self.news(query.game) {
            Some(theirs) => botzone::write_next(theirs),
            None => botzone::write_whole(query.game).map_err(|e| protocol(e.to_string()))?,
        };
        self.asked_at = Some(query.game.moves().len());
        query.send(&request)?;
        loop {
            let line = query.receive()?;
            if !line.trim().is_empty() {
                return botzone::parse_answer(&line).map_err(|e| protocol(e.to_string()));
            }
        }
    }
}
