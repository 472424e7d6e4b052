//! A position of a book and what is known of it.

use std::cmp::Ordering;

use turncoat_board::{Board, Square};

/// Scores are kept in so many parts of a disc.
pub const UNITS: i32 = 64;

/// The own score is exact.
pub(crate) const EXACT: u8 = 1;
/// The value is exact.
pub(crate) const PROVEN: u8 = 2;
/// The own score is another evaluation's.
pub(crate) const STALE: u8 = 4;
/// The book has every move of the position.
pub(crate) const COMPLETE: u8 = 8;
/// All of them.
pub(crate) const FLAGS: u8 = EXACT | PROVEN | STALE | COMPLETE;

/// A position in its canonical orientation, whose mover has a legal move.
///
/// Its *score* is that of its own search. Its *value* is negamaxed: where the book has all of its moves, the best of
/// theirs; the score elsewhere, and where that is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub(crate) board: Board,
    pub(crate) score: i16,
    pub(crate) value: i16,
    pub(crate) depth: u8,
    pub(crate) best: Option<Square>,
    pub(crate) flags: u8,
}

/// What a search has found about a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The score in discs for the mover.
    pub score: f64,
    /// Plies searched.
    pub depth: u32,
    /// Whether the score is proven.
    pub is_exact: bool,
    /// The best move, in the orientation of the position that was searched.
    pub best: Option<Square>,
    /// Positions entered.
    pub nodes: u64,
}

impl Entry {
    pub(crate) fn new(board: Board, found: &Found) -> Self {
        let (board, symmetry) = board.canonical();
        let score = units(found.score);
        Self {
            board,
            score,
            value: score,
            depth: found.depth.min(u32::from(u8::MAX)) as u8,
            best: found.best.map(|square| symmetry.square(square)),
            flags: if found.is_exact { EXACT | PROVEN } else { 0 },
        }
    }

    /// The discs, in the canonical orientation.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The score of its own search, in discs for the mover.
    pub fn score(&self) -> f64 {
        discs(self.score)
    }

    /// The negamaxed score, in discs for the mover.
    pub fn value(&self) -> f64 {
        discs(self.value)
    }

    /// How deep it was searched.
    pub fn depth(&self) -> u32 {
        u32::from(self.depth)
    }

    /// The best move of its own search, in the canonical orientation.
    pub const fn best(&self) -> Option<Square> {
        self.best
    }

    /// Whether its own score is exact.
    pub const fn is_exact(&self) -> bool {
        self.flags & EXACT != 0
    }

    /// Whether its value is exact.
    pub const fn is_proven(&self) -> bool {
        self.flags & PROVEN != 0
    }

    /// Whether its score is that of another evaluation than the book's.
    pub const fn is_stale(&self) -> bool {
        self.flags & STALE != 0
    }

    /// Whether the book has every one of its moves.
    pub const fn is_complete(&self) -> bool {
        self.flags & COMPLETE != 0
    }

    pub(crate) const fn set(&mut self, flag: u8, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }
}

/// The order of positions in a book: by discs, so that every move leads to a later one.
pub(crate) fn in_order(one: Board, other: Board) -> Ordering {
    let discs = |board: Board| board.discs().count();
    discs(one).cmp(&discs(other)).then(one.cmp(&other))
}

/// A score in parts of a disc.
pub(crate) fn units(discs: f64) -> i16 {
    (discs.clamp(-64.0, 64.0) * f64::from(UNITS)).round() as i16
}

/// A score in discs.
pub(crate) fn discs(units: i16) -> f64 {
    f64::from(units) / f64::from(UNITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_as_small_as_in_the_file() {
        assert_eq!(size_of::<Entry>(), crate::file::ENTRY);
    }

    #[test]
    fn scores_keep_their_units() {
        for units_given in [-4096, -65, -1, 0, 1, 63, 64, 4096] {
            assert_eq!(units(discs(units_given)), units_given);
        }
        assert_eq!(units(1000.0), 64 * 64);
    }
}
