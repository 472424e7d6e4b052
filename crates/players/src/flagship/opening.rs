//! The opening book of the player.

use std::path::Path;
use std::sync::Arc;

use rand::RngExt;
use turncoat_board::{Move, Position, Square};
use turncoat_book::{Book, BookMove, Entry};

use crate::MoveInfo;
use crate::book::{check_kind, read_book, shipped_book};
use crate::registry::Setting;
use crate::seed::Stream;

/// Moves within so many discs of the best are as good, where the player is not told otherwise.
const VARIETY: f64 = 0.2;
/// Where a line of the book ends, the move of a search so deep is played: no level looks further ahead so early.
const DEEP: u32 = 20;

/// A book and how it is used.
#[derive(Clone)]
pub(super) struct Opening {
    book: Arc<Book>,
    /// Whether only what is proven counts.
    only_exact: bool,
    /// How many discs a move may lose to be played.
    variety: f64,
}

impl Opening {
    /// The book of the option's text; none if it is off, or none comes with the program.
    pub(super) fn from_option(
        text: Option<&str>,
        variety: Option<f64>,
        setting: Setting,
    ) -> Result<Option<Self>, String> {
        let Setting { variant, geometry, .. } = setting;
        let (book, only_exact) = match text {
            None | Some("off") => return Ok(None),
            Some("on") => (shipped_book(variant, geometry)?, false),
            Some("exact") => (shipped_book(variant, geometry)?, true),
            Some(path) => {
                let book = read_book(Path::new(path)).map_err(|error| error.to_string())?;
                check_kind(&book, variant, geometry).map_err(|fault| format!("{path}: {fault}"))?;
                (Some(Arc::new(book)), false)
            }
        };
        Ok(book.map(|book| Self { book, only_exact, variety: variety.unwrap_or(VARIETY) }))
    }

    /// Whether the scores are exact from the start on.
    pub(super) fn is_exact(&self) -> bool {
        self.book.find(Position::start(self.book.geometry())).is_some_and(Entry::is_proven)
    }

    /// The move of the book: any of the best, as the dice fall, but of proven ones that which the book goes on from, in any
    /// orientation. Where the book has not seen every move, that of its own search if it was deep; none if it was not, or if the
    /// moves were searched less deep than itself, since a deeper search knows more.
    pub(super) fn choose(&self, position: Position, dice: impl FnOnce() -> Stream) -> Option<MoveInfo> {
        let entry = self.book.find(position).filter(|entry| !entry.is_stale())?;
        if entry.is_proven() {
            let best = self.book.best_move(position)?;
            let after = |square: Square| position.play(square).map(|after| after.board().canonical().0);
            let same: Vec<Square> =
                position.legal_moves().into_iter().filter(|&square| after(square) == after(best)).collect();
            let square = pick(&same, dice)?;
            return Some(self.info(position, square, entry.value(), position.empties(), true));
        }
        if self.only_exact {
            return None;
        }
        let best = self.book.best_move(position)?;
        let moves = self.book.moves(position);
        let best = moves.iter().find(|known| known.square == best)?;
        let is_deep =
            if entry.is_complete() { best.depth >= DEEP || best.depth > entry.depth() } else { entry.depth() >= DEEP };
        if !is_deep {
            return None;
        }
        // A shallow score that is as good may only be a worse guess.
        let near = |known: &&BookMove| {
            let is_near = known.value.is_some_and(|value| value >= entry.value() - self.variety);
            known.square == best.square || entry.is_complete() && known.depth >= best.depth && is_near
        };
        let good: Vec<&BookMove> = moves.iter().filter(near).collect();
        let squares: Vec<Square> = good.iter().map(|known| known.square).collect();
        let square = pick(&squares, dice)?;
        let known = good.into_iter().find(|known| known.square == square)?;
        Some(self.info(position, square, known.value?, known.depth, known.is_proven))
    }

    /// Every move with its score, if all of them are proven.
    pub(super) fn analyze(&self, position: Position) -> Option<Vec<MoveInfo>> {
        let mut moves: Vec<BookMove> = self.book.moves(position).into_iter().filter(|known| known.is_proven).collect();
        if moves.is_empty() || moves.len() != position.legal_moves().count() as usize {
            return None;
        }
        moves.sort_by(|one, other| other.value.unwrap_or_default().total_cmp(&one.value.unwrap_or_default()));
        let info = |known: BookMove| Some(self.info(position, known.square, known.value?, position.empties(), true));
        moves.into_iter().map(info).collect()
    }

    fn info(&self, position: Position, best: Square, score: f64, depth: u32, exact: bool) -> MoveInfo {
        let after = position.play(best).map(|after| self.book.line(after)).unwrap_or_default();
        let line = std::iter::once(Move::Place(best)).chain(after).collect();
        MoveInfo { best, score: Some(score), depth, exact, nodes: 0, line }
    }
}

/// One of the squares, by the dice if there are several.
fn pick(squares: &[Square], dice: impl FnOnce() -> Stream) -> Option<Square> {
    match squares {
        [] => None,
        [only] => Some(*only),
        several => Some(several[dice().random_range(0..several.len())]),
    }
}
