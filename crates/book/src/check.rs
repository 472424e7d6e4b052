//! Whether a book is what it should be.

use std::collections::HashSet;

use thiserror::Error;
use turncoat_board::{Board, Position};

use crate::book::Book;
use crate::entry::{COMPLETE, Entry, PROVEN, discs};

/// What is wrong with a position of a book.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CheckFault {
    /// Another orientation of it is the canonical one.
    #[error("it is not in its canonical orientation")]
    Orientation,
    /// Its mover has no move.
    #[error("its side to move has no move")]
    NoMove,
    /// Its best move is illegal.
    #[error("its best move is illegal")]
    Best,
    /// Its value does not follow from those of its moves.
    #[error("its value is {found:+.2}, and its moves make it {expected:+.2}")]
    Value {
        /// In the book.
        found: f64,
        /// As it should be.
        expected: f64,
    },
    /// What is said of its moves is not so.
    #[error("it is marked complete or proven, and is not, or the other way round")]
    Marks,
    /// All of its moves are proven, and make another score than its own exact one.
    #[error("its exact score is {found:+.0}, and its moves make it {expected:+.0}")]
    Exact {
        /// Its own.
        found: f64,
        /// That of its moves.
        expected: f64,
    },
}

/// What a check has found.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// Positions with their faults.
    pub faults: Vec<(Position, CheckFault)>,
    /// Positions that no line of the book leads to.
    pub unreached: usize,
    /// Positions whose moves were negamaxed.
    pub complete: usize,
}

impl Book {
    /// Checks every position: its orientation, moves and value, and whether lines of the book lead to it.
    pub fn check(&self) -> CheckReport {
        let reached: HashSet<Board> =
            self.walk(u32::from(self.geometry.area())).iter().map(|at| at.position.board().canonical().0).collect();
        let fault = |entry: &Entry| Some((self.position(entry.board)?, self.fault(entry)?));
        CheckReport {
            faults: self.entries.iter().filter_map(fault).collect(),
            unreached: self.entries.iter().filter(|entry| !reached.contains(&entry.board)).count(),
            complete: self.entries.iter().filter(|entry| entry.is_complete()).count(),
        }
    }

    fn fault(&self, entry: &Entry) -> Option<CheckFault> {
        let moves = entry.board.legal_moves(self.geometry);
        if entry.board.canonical().0 != entry.board {
            return Some(CheckFault::Orientation);
        }
        if moves.is_empty() {
            return Some(CheckFault::NoMove);
        }
        if entry.best.is_some_and(|best| !moves.contains(best)) {
            return Some(CheckFault::Best);
        }
        let (value, flags) = self.worth(entry);
        if value != entry.value {
            return Some(CheckFault::Value { found: entry.value(), expected: discs(value) });
        }
        if flags != entry.flags & (COMPLETE | PROVEN) {
            return Some(CheckFault::Marks);
        }
        let by_moves = self.worth(&Entry { flags: 0, ..*entry });
        if entry.is_exact() && by_moves.1 == COMPLETE | PROVEN && by_moves.0 != entry.score {
            return Some(CheckFault::Exact { found: entry.score(), expected: discs(by_moves.0) });
        }
        None
    }
}
