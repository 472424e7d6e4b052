//! What a midgame search carries through the tree.

use std::marker::PhantomData;
use std::time::Duration;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Move, Square, Variant};
use turncoat_eval::Estimator;

use super::history::History;
use super::probcut::{Fit, Level};
use crate::Watch;
use crate::table::{Key, Salt, Table};

/// What the search does beyond plain alpha-beta. Each can be left out, to measure what it brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // A list of switches is what it is.
pub struct Techniques {
    /// Takes values from the table, not only moves.
    pub table_values: bool,
    /// Tries the move that the table knows first.
    pub table_moves: bool,
    /// Looks the children up before any is searched.
    pub child_lookup: bool,
    /// Searches principal nodes without a known move less deeply first.
    pub inner_deepening: bool,
    /// Orders moves by an estimate of the board after them, and one ply further far from the leaves.
    pub estimated_order: bool,
    /// Orders moves by the number of replies.
    pub mobility_order: bool,
    /// Orders moves by what their squares achieved elsewhere.
    pub history: bool,
    /// Begins an iteration with a narrow window.
    pub aspiration: bool,
}

impl Techniques {
    /// Everything.
    pub const ALL: Self = Self {
        table_values: true,
        table_moves: true,
        child_lookup: true,
        inner_deepening: true,
        estimated_order: true,
        mobility_order: true,
        history: true,
        aspiration: true,
    };
}

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<S> {
    /// The board after it, seen from the opponent.
    pub(super) board: Board,
    pub(super) state: S,
    pub(super) key: Key,
    pub(super) square: Square,
    /// Higher is tried earlier.
    pub(super) rank: i32,
}

/// One search of one position.
pub struct Thinker<'a, V, E: Estimator> {
    variant: PhantomData<V>,
    pub(super) estimator: &'a E,
    pub(super) table: &'a Table,
    pub(super) fit: Option<&'a Fit>,
    pub(super) salt: Salt,
    pub(super) geometry: Geometry,
    pub(super) level: Level,
    pub(super) techniques: Techniques,
    pub(super) watch: &'a mut Watch,
    pub(super) history: History,
    /// The moves of all nodes on the path, each node's behind its parent's.
    pub(super) moves: Vec<Candidate<E::State>>,
    /// The expected line from each ply of the path on.
    pub(super) lines: Vec<Vec<Move>>,
}

impl<'a, V: Variant, E: Estimator> Thinker<'a, V, E> {
    /// A search with this estimator and table. Without a fit no move is cut by probability.
    pub fn new(
        _variant: V,
        geometry: Geometry,
        estimator: &'a E,
        table: &'a Table,
        fit: Option<&'a Fit>,
        watch: &'a mut Watch,
    ) -> Self {
        Self {
            variant: PhantomData,
            estimator,
            table,
            fit,
            salt: Salt::of(V::KIND, geometry).for_estimates(estimator.checksum()),
            geometry,
            level: Level::FULL,
            techniques: Techniques::ALL,
            watch,
            history: History::new(),
            moves: Vec::with_capacity(1024),
            lines: (0..130).map(|_| Vec::with_capacity(64)).collect(),
        }
    }

    /// The same search with other techniques.
    #[must_use]
    pub fn with(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// Positions entered since the decision began.
    pub const fn nodes(&self) -> u64 {
        self.watch.nodes()
    }

    /// Time since the decision began.
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    #[inline(always)]
    pub(super) fn empties(&self, board: Board) -> Bitboard {
        board.empties(self.geometry)
    }

    #[inline(always)]
    pub(super) fn key(&self, board: Board) -> Key {
        Key::of(board, self.salt)
    }

    /// Adds the moves of a board to the list and returns where they begin.
    #[inline(always)]
    pub(super) fn list_moves<I: Isa>(&mut self, isa: I, board: Board, state: &E::State, moves: Bitboard) -> usize {
        let start = self.moves.len();
        for square in moves {
            let flips = isa.flips(board, square);
            let next = board.after(square, flips);
            let state = self.estimator.after(isa, state, square, flips);
            self.moves.push(Candidate { board: next, state, key: self.key(next), square, rank: 0 });
        }
        start
    }

    /// Exchanges the move at `place` for the one of the highest rank from there on.
    #[inline(always)]
    pub(super) fn bring_forward(&mut self, place: usize) {
        let rest = &mut self.moves[place..];
        let mut pick = 0;
        for i in 1..rest.len() {
            if rest[i].rank > rest[pick].rank {
                pick = i;
            }
        }
        rest.swap(0, pick);
    }

    /// Sets the line of a ply: this move, then the line of the next ply.
    pub(super) fn set_line(&mut self, ply: usize, played: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut before[ply], &after[0]);
        line.clear();
        line.push(played);
        line.extend_from_slice(rest);
    }
}
