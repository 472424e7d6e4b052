//! Games that were played: how often a position was reached, and how they ended.

use std::collections::HashMap;

use turncoat_board::{Board, Color, Game};

use crate::book::{Book, Next};
use crate::entry::in_order;

/// Results of games for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u32 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The same for the other side.
    const fn turned(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    fn add(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

/// A position in canonical orientation and the results of games for its mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameCount {
    pub(crate) board: Board,
    pub(crate) tally: Tally,
}

impl Book {
    /// Counts finished games: the positions after each of their first moves, so many of them. Returns how many were counted;
    /// those that are not over, or of another game, size or start, are not.
    pub fn add_games<'g>(&mut self, games: impl IntoIterator<Item = &'g Game>, plies: usize) -> usize {
        let mut counts = HashMap::new();
        let counted = games.into_iter().filter(|game| self.count_game(game, plies, &mut counts)).count();
        self.add_counts(counts.into_iter().map(|(board, tally)| GameCount { board, tally }));
        counted
    }

    fn count_game(&self, game: &Game, plies: usize, counts: &mut HashMap<Board, Tally>) -> bool {
        let is_ours = game.variant() == self.variant
            && game.geometry() == self.geometry
            && game.start().board().canonical().0 == self.root();
        let Some(outcome) = game.outcome().filter(|_| is_ours) else { return false };
        let mut placed = 0;
        for (position, played) in game.positions().iter().zip(game.moves()) {
            let Some(square) = played.square() else { continue };
            placed += 1;
            if placed > plies {
                break;
            }
            let Some(Next::Turn { board, sign }) = self.next(position.board(), square) else { break };
            let mover = if sign < 0 { !position.side() } else { position.side() };
            let discs = outcome.score.discs() * if mover == Color::Black { 1 } else { -1 };
            let result = |ended: bool| u32::from(ended);
            counts.entry(board).or_default().add(Tally {
                wins: result(discs > 0),
                draws: result(discs == 0),
                losses: result(discs < 0),
            });
        }
        true
    }

    /// Adds results to those that are known.
    pub(crate) fn add_counts(&mut self, counts: impl IntoIterator<Item = GameCount>) {
        self.games.extend(counts);
        self.games.sort_by(|one, other| in_order(one.board, other.board));
        self.games.dedup_by(|later, kept| {
            let same = later.board == kept.board;
            if same {
                kept.tally.add(later.tally);
            }
            same
        });
    }

    /// The games with a move, for the side that makes it.
    pub(crate) fn tally(&self, next: Next) -> Tally {
        let Next::Turn { board, sign } = next else { return Tally::default() };
        let place = self.games.binary_search_by(|known| in_order(known.board, board));
        place.map_or(Tally::default(), |index| {
            let tally = self.games[index].tally;
            if sign < 0 { tally.turned() } else { tally }
        })
    }

    /// Positions that games have reached.
    pub fn counted(&self) -> usize {
        self.games.len()
    }

    /// Games that were counted: those that made a first move.
    pub fn games_counted(&self) -> u32 {
        let first = |count: &&GameCount| Self::ply(count.board) == 1;
        self.games.iter().filter(first).map(|count| count.tally.games()).fold(0, u32::saturating_add)
    }
}
