//! What the book that comes with the program has proven already.

use anyhow::Result;
use turncoat_board::{Game, Move, Position, Score};
use turncoat_book::Book;
use turncoat_players::book::shipped_book;
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
    let entry = book.find(position).filter(|entry| entry.is_proven())?;
    let found = |score, line| Some(Found::new(&solution(score, line)?, goal, position.geometry()));
    let mut each = Vec::new();
    if args.all_moves {
        let moves = book.moves(position);
        if moves.len() != position.legal_moves().count() as usize || !moves.iter().all(|known| known.is_proven) {
            return None;
        }
        for known in moves {
            let after = position.play(known.square).map(|after| book.line(after)).unwrap_or_default();
            each.push(found(known.value?, std::iter::once(Move::Place(known.square)).chain(after).collect())?);
        }
    }
    Some(Answer {
        position,
        whole: found(entry.value(), book.line(position))?,
        each,
        nodes: 0,
        seconds: 0.0,
        is_known: true,
    })
}

/// An exact score, and the line as far as the book goes.
fn solution(score: f64, line: Vec<Move>) -> Option<Solution> {
    let score = Score::new(score.round() as i32).ok()?;
    Some(Solution { lower: score, upper: score, line, nodes: 0, handed_over: 0, complete: true })
}
