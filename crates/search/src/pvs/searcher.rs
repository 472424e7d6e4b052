//! The state of a midgame search.

use std::marker::PhantomData;
use std::time::Duration;

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Move, Variant};
use turncoat_eval::Evaluation;

use super::constants::Constants;
use super::error_model::ErrorModel;
use super::history::History;
use super::probcut::Selectivity;
use super::shallow::SHALLOW;
use super::team::{Asked, Membership, SHARED};
use crate::Watch;
use crate::candidate::Candidate;
use crate::transposition::{Key, Salt, TranspositionTable};

/// The techniques beyond plain alpha-beta. Each can be switched off, to measure what it gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // A list of switches is what it is.
pub struct Techniques {
    /// Takes values from the table, not only moves.
    pub table_values: bool,
    /// Tries the move that the table knows first.
    pub table_moves: bool,
    /// Looks up all children before searching any (enhanced transposition cut-offs).
    pub child_lookup: bool,
    /// Searches principal nodes without a table move less deeply first (internal iterative deepening).
    pub inner_deepening: bool,
    /// Orders moves by the value of the board after them.
    pub estimated_order: bool,
    /// Orders moves by the number of replies.
    pub mobility_order: bool,
    /// Orders moves by how often their squares caused cut-offs.
    pub history: bool,
    /// Begins an iteration with a narrow window around the last value.
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

/// One search of one position.
pub struct Searcher<'a, V, E: Evaluation> {
    variant: PhantomData<V>,
    pub(super) evaluation: &'a E,
    pub(super) table: &'a TranspositionTable,
    pub(super) error_model: Option<&'a ErrorModel>,
    pub(super) salt: Salt,
    pub(super) geometry: Geometry,
    pub(super) selectivity: Selectivity,
    pub(super) techniques: Techniques,
    pub(super) constants: Constants,
    pub(super) watch: &'a mut Watch,
    pub(super) history: History,
    /// By depth near the leaves: the square of the last move that caused a cut-off.
    pub(super) refutations: [Bitboard; SHALLOW as usize + 1],
    /// The moves of all nodes on the path, each node's behind its parent's.
    pub(super) moves: Vec<Candidate<E::State>>,
    /// The principal variation from each ply of the path on.
    pub(super) variations: Vec<Vec<Move>>,
    /// The team that it belongs to, if several threads search.
    pub(super) member: Option<Membership<'a>>,
    /// The least depth of nodes whose moves threads share.
    pub(super) shared_from: u32,
    /// Whether results are void because another thread has decided the node above.
    pub(super) abandoned: bool,
    /// The node count at which the team is looked at.
    pub(super) next_look: u64,
    /// The nodes above that other threads may settle, from the root down.
    pub(super) path: Vec<Asked>,
    /// The place in the path of a node that another thread has settled: results below it are void.
    pub(super) settled: Option<usize>,
    /// The node count at which the path is looked at.
    pub(super) next_path: u64,
}

impl<'a, V: Variant, E: Evaluation> Searcher<'a, V, E> {
    /// A search with this evaluation and table. Without an error model nothing is pruned.
    pub fn new(
        _variant: V,
        geometry: Geometry,
        evaluation: &'a E,
        table: &'a TranspositionTable,
        error_model: Option<&'a ErrorModel>,
        watch: &'a mut Watch,
    ) -> Self {
        Self::bare(geometry, evaluation, table, error_model, watch)
    }

    /// The same for the variant of the type.
    pub(super) fn bare(
        geometry: Geometry,
        evaluation: &'a E,
        table: &'a TranspositionTable,
        error_model: Option<&'a ErrorModel>,
        watch: &'a mut Watch,
    ) -> Self {
        Self {
            variant: PhantomData,
            evaluation,
            table,
            error_model,
            salt: Salt::new(V::KIND, geometry).for_evaluation(evaluation.checksum()),
            geometry,
            selectivity: Selectivity::FULL_WIDTH,
            techniques: Techniques::ALL,
            constants: Constants::USUAL,
            watch,
            history: History::new(),
            refutations: [Bitboard::EMPTY; SHALLOW as usize + 1],
            moves: Vec::with_capacity(1024),
            variations: (0..130).map(|_| Vec::with_capacity(64)).collect(),
            member: None,
            shared_from: SHARED,
            abandoned: false,
            next_look: u64::MAX,
            path: Vec::new(),
            settled: None,
            next_path: 0,
        }
    }

    /// The same search as a member of a team.
    #[must_use]
    pub(super) fn in_team(self, member: Membership<'a>) -> Self {
        Self { member: Some(member), next_look: 0, ..self }
    }

    /// Counts a node; `false` when the search must end.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.watch.nodes() >= self.next_look {
            self.look();
        }
        self.watch.enter() && !self.is_void()
    }

    /// Whether results are void because the search must end, or this part of it.
    #[inline(always)]
    pub(super) const fn is_over(&self) -> bool {
        self.watch.is_over() || self.is_void()
    }

    /// Whether another thread has made results void, here or in the whole search.
    #[inline(always)]
    const fn is_void(&self) -> bool {
        self.abandoned || self.settled.is_some()
    }

    /// The same search with other techniques.
    #[must_use]
    pub fn with(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// The same search with other constants.
    #[must_use]
    pub fn tuned(self, constants: Constants) -> Self {
        Self { constants, ..self }
    }

    /// The same search, whose threads share the moves of nodes of this depth and more.
    #[must_use]
    pub fn sharing_from(self, depth: u32) -> Self {
        Self { shared_from: depth, ..self }
    }

    /// Nodes since the search began.
    pub const fn nodes(&self) -> u64 {
        self.watch.nodes()
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    #[inline(always)]
    pub(super) fn empties(&self, board: Board) -> Bitboard {
        board.empties(self.geometry)
    }

    #[inline(always)]
    pub(super) fn key(&self, board: Board) -> Key {
        Key::new(board, self.salt)
    }

    /// Adds the moves of a board to the list and returns where they begin.
    #[inline(always)]
    pub(super) fn list_moves<I: Isa>(&mut self, isa: I, board: Board, state: &E::State, moves: Bitboard) -> usize {
        let start = self.moves.len();
        for square in moves {
            let flips = isa.flips(board, square);
            let next = board.after(square, flips);
            let state = self.evaluation.after(isa, state, square, flips);
            self.moves.push(Candidate { board: next, state, key: self.key(next), square, rank: 0 });
        }
        start
    }

    /// Sets the variation of a ply: this move, then the variation of the next ply.
    pub(super) fn set_variation(&mut self, ply: usize, played: Move) {
        let (before, after) = self.variations.split_at_mut(ply + 1);
        let (variation, rest) = (&mut before[ply], &after[0]);
        variation.clear();
        variation.push(played);
        variation.extend_from_slice(rest);
    }
}
