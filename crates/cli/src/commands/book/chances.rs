//! How games go on from random first moves, where a book has proven it.

use std::collections::HashMap;

use turncoat_board::{Board, Color, Position};
use turncoat_book::Book;

/// Shares of random beginnings that are won by the first player, drawn, and lost, both sides playing perfectly after them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Chances {
    pub(super) won: f64,
    pub(super) drawn: f64,
    pub(super) lost: f64,
}

/// The chances after each number of random plies, as far as the book has proven all of them. Every legal move is as likely.
pub(super) fn chances(book: &Book) -> Vec<Chances> {
    let start = Position::start(book.geometry());
    let mut layer = HashMap::from([(key(start), (start, 1.0))]);
    let mut all = Vec::new();
    while let Some(chances) = proven(book, &layer) {
        all.push(chances);
        let mut next = HashMap::new();
        for (position, share) in layer.into_values() {
            let moves = position.legal_moves();
            let share = share / f64::from(moves.count());
            for after in moves.into_iter().filter_map(|square| position.play(square)) {
                let after = if after.must_pass() { after.pass() } else { after };
                next.entry(key(after)).or_insert((after, 0.0)).1 += share;
            }
        }
        layer = next;
    }
    all
}

/// Positions that are one by symmetry are one; whose turn it is matters.
fn key(position: Position) -> (Board, Color) {
    (position.board().canonical().0, position.side())
}

fn proven(book: &Book, layer: &HashMap<(Board, Color), (Position, f64)>) -> Option<Chances> {
    let mut chances = Chances::default();
    for (position, share) in layer.values() {
        let entry = book.find(*position).filter(|entry| entry.is_proven())?;
        let score = if position.side() == Color::Black { entry.value() } else { -entry.value() };
        let part = match score {
            score if score > 0.0 => &mut chances.won,
            score if score < 0.0 => &mut chances.lost,
            _ => &mut chances.drawn,
        };
        *part += share;
    }
    Some(chances)
}
