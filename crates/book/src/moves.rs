//! What a book says about the moves of a position.

use std::collections::HashSet;

use turncoat_board::{Board, Position, Square};

use crate::book::{Book, Next};
use crate::entry::discs;
use crate::games::Tally;

/// A move that a book knows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// Its value in discs for the mover; `None` where games were played and nothing was searched.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub is_proven: bool,
    /// How deep the position after it was searched, the move included.
    pub depth: u32,
    /// Games with this move, from the mover's view.
    pub games: Tally,
}

impl Book {
    /// No more positions than this are counted behind a move.
    pub const MOST_COUNTED: usize = 100_000;

    /// The moves of a position that the book knows, best first; those without a value last.
    pub fn moves(&self, position: Position) -> Vec<BookMove> {
        if position.geometry() != self.geometry {
            return Vec::new();
        }
        let board = position.board();
        let own = self.find(position);
        let symmetry = Self::oriented(position).1.inverse();
        let own_best = own.and_then(|entry| Some((symmetry.square(entry.best?), entry)));
        let known = |square: Square| {
            let next = self.next(board, square)?;
            let (mut value, games) = (self.next_value(board, square), self.tally(next));
            let mut depth = match next {
                Next::Over(_) => position.empties(),
                Next::Turn { board, .. } => self.get(board).map_or(0, |entry| entry.depth() + 1),
            };
            // Where the book does not have all moves, its own search may know more of the best one.
            if let Some((best, entry)) = own_best
                && best == square
                && (value.is_none() || !entry.is_complete() && entry.depth() > depth)
            {
                (value, depth) = (Some((entry.score, entry.is_exact())), entry.depth());
            }
            if value.is_none() && games.games() == 0 {
                return None;
            }
            Some(BookMove {
                square,
                value: value.map(|(value, _)| discs(value)),
                is_proven: value.is_some_and(|(_, is_proven)| is_proven),
                depth,
                games,
            })
        };
        let mut moves: Vec<BookMove> = position.legal_moves().into_iter().filter_map(known).collect();
        let order = |one: &BookMove| one.value.unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|one, other| {
            order(other).total_cmp(&order(one)).then(other.games.games().cmp(&one.games.games()))
        });
        moves
    }

    /// Positions of the book from a position on, itself included, at most [`Self::MOST_COUNTED`].
    pub fn behind(&self, position: Position) -> usize {
        if position.geometry() == self.geometry { self.count_behind(position.board().canonical().0) } else { 0 }
    }

    /// Positions of the book behind a move, at most [`Self::MOST_COUNTED`].
    pub fn behind_move(&self, position: Position, square: Square) -> usize {
        match self.next(position.board(), square) {
            Some(Next::Turn { board, .. }) if position.geometry() == self.geometry => self.count_behind(board),
            _ => 0,
        }
    }

    /// The positions of the book that can be reached from a board, itself included.
    pub(crate) fn count_behind(&self, board: Board) -> usize {
        if self.get(board).is_none() {
            return 0;
        }
        let mut seen = HashSet::from([board]);
        let mut open = vec![board];
        while let Some(board) = open.pop() {
            if seen.len() >= Self::MOST_COUNTED {
                break;
            }
            for next in self.nexts(board) {
                if self.get(next).is_some() && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen.len()
    }
}
