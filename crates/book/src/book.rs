//! The list of positions: look-up, insertion, negamax.

use turncoat_board::{Board, Geometry, Position, Setup, Square, Symmetry, VariantKind};

use crate::entry::{COMPLETE, EXACT, Entry, Found, PROVEN, STALE, in_order};
use crate::games::GameCount;

/// Which evaluation scored a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// As a player's text names it: `patterns`, or a file.
    pub name: String,
    /// Tells it from all others.
    pub checksum: u64,
}

/// An opening book of one game on one size of board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    pub(crate) variant: VariantKind,
    pub(crate) geometry: Geometry,
    pub(crate) evaluation: Evaluation,
    /// In the order of [`in_order`], each once.
    pub(crate) entries: Vec<Entry>,
    /// Games that reached a position, in the same order.
    pub(crate) games: Vec<GameCount>,
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The end of the game, with this score of the side that moved.
    Over(i16),
    /// A position in canonical orientation; the side that moved has `sign` times its value.
    Turn { board: Board, sign: i16 },
}

impl Book {
    /// A book without positions.
    pub const fn new(variant: VariantKind, geometry: Geometry, evaluation: Evaluation) -> Self {
        Self { variant, geometry, evaluation, entries: Vec::new(), games: Vec::new() }
    }

    /// The game.
    pub const fn variant(&self) -> VariantKind {
        self.variant
    }

    /// The size.
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// What scored it.
    pub const fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Its positions, those with few discs first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry of a position, in whatever orientation; none if it is of another size.
    pub fn find(&self, position: Position) -> Option<&Entry> {
        (position.geometry() == self.geometry).then(|| self.get(position.board().canonical().0))?
    }

    /// The entry of a board in canonical orientation.
    pub(crate) fn get(&self, board: Board) -> Option<&Entry> {
        self.place(board).ok().map(|index| &self.entries[index])
    }

    fn place(&self, board: Board) -> Result<usize, usize> {
        self.entries.binary_search_by(|entry| in_order(entry.board, board))
    }

    /// Adds a position, or replaces what was known of it. Values hold after [`settle`](Self::settle).
    pub fn insert(&mut self, board: Board, found: Found) {
        let entry = Entry::new(board, &found);
        match self.place(entry.board) {
            Ok(index) => {
                self.entries[index] = Entry { flags: entry.flags | self.entries[index].flags & COMPLETE, ..entry }
            }
            Err(index) => self.entries.insert(index, entry),
        }
    }

    /// Negamaxes all values, the latest positions first.
    pub fn settle(&mut self) {
        for index in (0..self.entries.len()).rev() {
            let (value, flags) = self.worth(&self.entries[index]);
            let entry = &mut self.entries[index];
            entry.value = value;
            entry.set(COMPLETE, flags & COMPLETE != 0);
            entry.set(PROVEN, flags & PROVEN != 0);
        }
    }

    /// The value that follows from the moves of a position, and whether all are known and proven.
    pub(crate) fn worth(&self, entry: &Entry) -> (i16, u8) {
        let mut flags = COMPLETE | PROVEN;
        let mut best = i16::MIN;
        for square in entry.board.legal_moves(self.geometry) {
            match self.next_value(entry.board, square) {
                Some((value, is_proven)) => {
                    best = best.max(value);
                    flags &= if is_proven { COMPLETE | PROVEN } else { COMPLETE };
                }
                None => flags = 0,
            }
            if flags == 0 {
                break;
            }
        }
        match (entry.flags & EXACT != 0, flags & COMPLETE != 0) {
            (true, _) => (entry.score, flags | PROVEN),
            (false, true) => (best, flags),
            (false, false) => (entry.score, 0),
        }
    }

    /// What a move is worth to the side that makes it, and whether that is proven; `None` if the book does not know.
    pub(crate) fn next_value(&self, board: Board, square: Square) -> Option<(i16, bool)> {
        match self.next(board, square)? {
            Next::Over(score) => Some((score, true)),
            Next::Turn { board, sign } => {
                let entry = self.get(board)?;
                Some((sign * entry.value, entry.is_proven()))
            }
        }
    }

    /// What a legal move leads to; a side that must pass has passed.
    pub(crate) fn next(&self, board: Board, square: Square) -> Option<Next> {
        let after = board.play(square, self.geometry)?;
        if !after.legal_moves(self.geometry).is_empty() {
            return Some(Next::Turn { board: after.canonical().0, sign: -1 });
        }
        if !after.pass().legal_moves(self.geometry).is_empty() {
            return Some(Next::Turn { board: after.pass().canonical().0, sign: 1 });
        }
        let score = after.final_score_of(self.variant, self.geometry);
        Some(Next::Over((-score.discs() * crate::UNITS) as i16))
    }

    /// The boards that the moves of a board lead to, in canonical orientation, each once.
    pub(crate) fn nexts(&self, board: Board) -> Vec<Board> {
        let mut boards: Vec<Board> = self.turns(board).map(|(next, _)| next).collect();
        boards.sort_unstable();
        boards.dedup();
        boards
    }

    /// The board after each move, in canonical orientation, and the sign with which the side that moved has its value. Moves
    /// that end the game are left out.
    pub(crate) fn turns(&self, board: Board) -> impl Iterator<Item = (Board, i16)> {
        board.legal_moves(self.geometry).into_iter().filter_map(move |square| match self.next(board, square)? {
            Next::Over(_) => None,
            Next::Turn { board, sign } => Some((board, sign)),
        })
    }

    /// The boards after each move, and what they are worth to the side that moves if the book has them.
    pub(crate) fn worths(&self, board: Board) -> impl Iterator<Item = (Board, Option<i32>)> {
        self.turns(board).map(|(next, sign)| (next, self.get(next).map(|entry| i32::from(sign * entry.value))))
    }

    /// The board of the start in canonical orientation.
    pub(crate) fn root(&self) -> Board {
        Board::start(self.geometry).canonical().0
    }

    /// How many discs were placed to reach a position.
    pub fn placed(position: Position) -> u32 {
        Self::ply(position.board())
    }

    /// How many discs were placed to reach a board.
    pub(crate) fn ply(board: Board) -> u32 {
        board.discs().count().saturating_sub(4)
    }

    /// A board of the book as a position, its mover black.
    pub fn position(&self, board: Board) -> Option<Position> {
        let setup = Setup {
            geometry: self.geometry,
            black: board.mover(),
            white: board.other(),
            side: turncoat_board::Color::Black,
        };
        setup.check().ok()
    }

    /// The same board as the book has it, and the symmetry that leads there.
    pub(crate) fn oriented(position: Position) -> (Board, Symmetry) {
        position.board().canonical()
    }

    /// Takes another evaluation: what is not exact has to be searched again.
    pub fn take_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation.checksum != self.evaluation.checksum {
            for entry in &mut self.entries {
                entry.set(STALE, !entry.is_exact());
            }
        }
        self.evaluation = evaluation;
    }
}
