//! Balanced openings from an opening book.

use turncoat_board::Game;
use turncoat_book::Book;
use turncoat_players::seed;

use crate::plan::purpose;

/// The openings of a book that leave neither side more than so many discs ahead: of the last ply of which it has every
/// position, in an order by the seed.
pub(crate) fn balanced(book: &Book, within: f64, seed: u64) -> Vec<Game> {
    let Some(plies) = whole_plies(book) else { return Vec::new() };
    let is_balanced = |at: &turncoat_book::Walk| {
        Book::placed(at.position) == plies && book.find(at.position).is_some_and(|entry| entry.value().abs() <= within)
    };
    let mut found: Vec<_> = book.walk(plies).into_iter().filter(is_balanced).collect();
    found.sort_by_cached_key(|at| {
        let board = at.position.board().canonical().0;
        (seed::derive(seed, &[purpose::OPENINGS, board.salted_hash(0)]), board)
    });
    let game = |at: turncoat_book::Walk| {
        let mut game = Game::new(book.variant(), book.geometry());
        // Legal: the book was walked by the rules.
        at.moves.into_iter().all(|played| game.play(played).is_ok()).then_some(game)
    };
    found.into_iter().filter_map(game).collect()
}

/// The most plies after which a book has every position.
fn whole_plies(book: &Book) -> Option<u32> {
    let ply = |entry: &turncoat_book::Entry| entry.board().discs().count().saturating_sub(4);
    book.entries().first().filter(|first| ply(first) == 0)?;
    // Positions are sorted by their discs.
    let first_open = book.entries().iter().find(|entry| !entry.is_complete()).map(ply);
    Some(first_open.unwrap_or_else(|| book.entries().last().map_or(0, ply)))
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, Position, VariantKind};
    use turncoat_book::{Evaluation, Found};

    use super::*;

    #[test]
    fn openings_are_those_of_the_last_whole_ply_within_the_scale() {
        let evaluation = Evaluation { name: "none".to_owned(), checksum: 0 };
        let mut book = Book::new(VariantKind::Reversi, Geometry::EIGHT, evaluation);
        assert!(balanced(&book, 64.0, 1).is_empty());
        let start = Position::start(Geometry::EIGHT);
        let mut insert = |position: Position, score| {
            let best = position.legal_moves().first();
            book.insert(position.board(), Found { score, depth: 1, is_exact: false, best, nodes: 0 });
        };
        insert(start, 0.0);
        let after = start.play(start.legal_moves().first().unwrap()).unwrap();
        insert(after, 0.0);
        for (reply, score) in after.legal_moves().into_iter().zip([0.25, -0.75, 3.0]) {
            insert(after.play(reply).unwrap(), score);
        }
        book.settle();
        for (within, count) in [(0.1, 0), (0.25, 1), (0.75, 2), (3.0, 3)] {
            let games = balanced(&book, within, 1);
            assert_eq!(games.len(), count, "{within}");
            assert!(games.iter().all(|game| game.placed() == 2));
        }
        let order = |seed| balanced(&book, 3.0, seed).iter().map(|game| game.moves().to_vec()).collect::<Vec<_>>();
        assert_eq!(order(1), order(1));
        assert!((2..20).any(|seed| order(seed) != order(1)));
    }
}
