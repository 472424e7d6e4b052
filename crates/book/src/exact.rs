//! Exact books of small boards: every position of the first plies with its score.

use std::collections::BTreeSet;

use turncoat_board::{Board, Square};

use crate::book::{Book, Next};
use crate::entry::{Entry, Found, discs};
use crate::grow::Task;

/// The positions after so many plies that a book does not have an exact score of.
pub(crate) fn exact_tasks(book: &Book, plies: u32) -> Vec<Task> {
    let open = |board: &Board| book.get(*board).is_none_or(|entry| !entry.is_exact());
    let empties = |board: Board| board.empties(book.geometry).count();
    let last = layers(book, plies).pop().unwrap_or_default();
    last.into_iter().filter(open).map(|board| Task { board, depth: empties(board) }).collect()
}

/// The positions after each number of plies up to this one, in canonical orientation.
pub(crate) fn layers(book: &Book, plies: u32) -> Vec<BTreeSet<Board>> {
    let mut layers = vec![BTreeSet::from([book.root()])];
    for _ in 0..plies {
        let next = layers.last().into_iter().flatten().flat_map(|&board| book.nexts(board)).collect();
        layers.push(next);
    }
    layers
}

impl Book {
    /// What is to be solved next: the positions after so many plies, then a perfect side's answers for so many. Nothing is
    /// left when the book is done.
    pub fn next_exact(&mut self, plies: u32, answers: Option<u32>) -> Vec<Task> {
        self.settle();
        let tasks = exact_tasks(self, plies);
        if !tasks.is_empty() {
            return tasks;
        }
        self.conclude(plies);
        answers.map_or_else(Vec::new, |plies| self.follow_answers(plies))
    }

    /// Adds the exact score of every position of the first plies whose moves all have one, the latest positions first.
    pub fn conclude(&mut self, plies: u32) {
        self.settle();
        for board in layers(self, plies).into_iter().rev().flatten() {
            if self.get(board).is_some_and(Entry::is_exact) {
                continue;
            }
            if let Some(found) = self.concluded(board) {
                self.insert(board, found);
            }
        }
        self.settle();
    }

    /// Follows perfect play of either side against anything that the other does, up to so many plies. Returns the positions
    /// to be solved next: a perfect side is to move there, and the book has no answer. What follows from an exact score is
    /// added: the position after a best move has the same.
    pub fn follow_answers(&mut self, plies: u32) -> Vec<Task> {
        let mut open = BTreeSet::new();
        for begins in [true, false] {
            let mut layer = BTreeSet::from([(self.root(), begins)]);
            for _ in 0..=plies {
                let mut next = BTreeSet::new();
                for (board, is_perfect) in layer {
                    if !is_perfect {
                        let all = board.legal_moves(self.geometry).into_iter();
                        next.extend(all.filter_map(|square| self.turn(board, square, is_perfect)));
                    } else if let Some(best) = self.answer(board) {
                        next.extend(self.turn(board, best, is_perfect));
                    } else {
                        open.insert(board);
                    }
                }
                layer = next;
            }
        }
        let empties = |board: Board| board.empties(self.geometry).count();
        open.into_iter().map(|board| Task { board, depth: empties(board) }).collect()
    }

    /// The best move of an exact position, if the book has one; where it leads is added.
    fn answer(&mut self, board: Board) -> Option<Square> {
        let Entry { score, best, .. } = *self.get(board).filter(|entry| entry.is_exact())?;
        let best = best?;
        if let Next::Turn { board: after, sign } = self.next(board, best)?
            && self.get(after).is_none()
        {
            let depth = after.empties(self.geometry).count();
            let found = Found { score: discs(sign * score), depth, is_exact: true, best: None, nodes: 0 };
            self.insert(after, found);
        }
        Some(best)
    }

    /// The position after a move, and whether the perfect side is to move there.
    fn turn(&self, board: Board, square: Square, is_perfect: bool) -> Option<(Board, bool)> {
        match self.next(board, square)? {
            Next::Over(_) => None,
            Next::Turn { board, sign } => Some((board, if sign < 0 { !is_perfect } else { is_perfect })),
        }
    }

    /// The score of a board that follows from exact ones of all of its moves.
    fn concluded(&self, board: Board) -> Option<Found> {
        let mut best = None;
        for square in board.legal_moves(self.geometry) {
            let value = match self.next(board, square)? {
                Next::Over(score) => score,
                Next::Turn { board, sign } => sign * self.get(board).filter(|entry| entry.is_exact())?.score,
            };
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, square));
            }
        }
        let (value, square) = best?;
        let depth = board.empties(self.geometry).count();
        Some(Found { score: discs(value), depth, is_exact: true, best: Some(square), nodes: 0 })
    }
}
