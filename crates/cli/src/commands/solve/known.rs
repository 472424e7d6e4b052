//! What the book that comes with the program has proven already.

use anyhow::Result;
use turncoat_board::{Game, Move, Position};
use turncoat_book::Book;
use turncoat_players::book::{exact_solution, known_solution, shipped_book};
use turncoat_search::endgame::{Goal, Solution};

use super::SolveArgs;
use super::answer::{Answer, Found};
use crate::failure::misuse;

/// The answer about a position that the book has proven, with all of its moves if those are asked for.
pub(super) fn known(game: &Game, args: &SolveArgs) -> Result<Option<Answer>> {
    if args.no_book {
        return Ok(None);
    }
    let book = shipped_book(game.variant(), game.geometry()).map_err(misuse)?;
    Ok(book.and_then(|book| answer(&book, game.position(), args)))
}

fn answer(book: &Book, position: Position, args: &SolveArgs) -> Option<Answer> {
    let goal = if args.wld { Goal::Result } else { Goal::Score };
    let found = |solution: &Solution| Found::new(solution, goal, position.geometry());
    let whole = found(&known_solution(book, position)?);
    let mut each = Vec::new();
    if args.all_moves {
        let moves = book.moves(position);
        if moves.len() != position.legal_moves().count() as usize || !moves.iter().all(|known| known.is_proven) {
            return None;
        }
        for known in moves {
            let after = position.play(known.square).map(|after| book.line(after)).unwrap_or_default();
            let line = std::iter::once(Move::Place(known.square)).chain(after).collect();
            each.push(found(&exact_solution(known.value?, line)?));
        }
    }
    Some(Answer { position, whole, each, nodes: 0, seconds: 0.0, is_known: true })
}
