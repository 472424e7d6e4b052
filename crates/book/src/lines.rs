//! Lines of a book: the best one, and all of them.

use std::collections::HashSet;

use turncoat_board::{Board, Move, Position, Square};

use crate::book::Book;

/// A position of a book and the first way to it that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The position.
    pub position: Position,
    /// The moves from the start, passes included.
    pub moves: Vec<Move>,
}

impl Book {
    /// The best line from a position on, as far as the book goes: moves that have a value, passes included.
    pub fn line(&self, position: Position) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = position;
        loop {
            if at.must_pass() && self.find(at.pass()).is_some() {
                line.push(Move::Pass);
                at = at.pass();
            }
            let Some(square) = self.best_move(at) else { return line };
            let Some(next) = at.play(square) else { return line };
            line.push(Move::Place(square));
            at = next;
        }
    }

    /// The best move of a position, if the book has one with a value.
    pub fn best_move(&self, position: Position) -> Option<Square> {
        let entry = self.find(position)?;
        let board = position.board();
        let own = entry.best().map(|best| Self::oriented(position).1.inverse().square(best));
        if !entry.is_complete() {
            // Where the score is exact, a move that is known to keep it will do.
            return own.or_else(|| self.keeping(position));
        }
        let value = |square: Square| self.next_value(board, square).map(|(value, _)| value);
        let best = position.legal_moves().into_iter().map(value).max()??;
        // Of equal moves the one that the search preferred.
        let is_best = |square: &Square| value(*square) == Some(best);
        own.filter(is_best).or_else(|| position.legal_moves().into_iter().find(is_best))
    }

    /// A move that keeps an exact score.
    fn keeping(&self, position: Position) -> Option<Square> {
        let score = self.find(position).filter(|entry| entry.is_exact())?.score;
        let keeps = |square: &Square| self.next_value(position.board(), *square) == Some((score, true));
        position.legal_moves().into_iter().find(keeps)
    }

    /// All positions that lines from the start lead to, ply by ply, each once and with one way to it; at most so many plies.
    pub fn walk(&self, plies: u32) -> Vec<Walk> {
        let start = Walk { position: Position::start(self.geometry), moves: Vec::new() };
        let mut layer: Vec<Walk> = self.find(start.position).map(|_| start).into_iter().collect();
        let mut all = Vec::new();
        let mut seen: HashSet<Board> = HashSet::from([self.root()]);
        for _ in 0..=plies {
            let mut next = Vec::new();
            for at in &layer {
                for square in at.position.legal_moves() {
                    let Some(mut position) = at.position.play(square) else { continue };
                    let mut moves = at.moves.clone();
                    moves.push(Move::Place(square));
                    if position.must_pass() {
                        position = position.pass();
                        moves.push(Move::Pass);
                    }
                    let board = position.board().canonical().0;
                    if self.get(board).is_some() && seen.insert(board) {
                        next.push(Walk { position, moves });
                    }
                }
            }
            all.append(&mut layer);
            layer = next;
        }
        all
    }
}
