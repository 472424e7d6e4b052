//! The exact solver with the best evaluation that there is: the trained one of the game and size, else the hand-made one.

use std::sync::Arc;

use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_eval::HandMade;
use turncoat_eval::patterns::Patterns;
use turncoat_search::Limits;
use turncoat_search::endgame::{EveryMove, Goal, Progress, Solution, Solver};
use turncoat_search::transposition::{TableTooLarge, TranspositionTable};

use super::evaluations::trained;

/// A solver for one game and size.
#[derive(Debug)]
pub struct BestSolver {
    variant: VariantKind,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    HandMade(Solver<HandMade>),
    Patterns(Solver<Arc<Patterns>>),
}

impl BestSolver {
    /// A solver with a table of this many mebibytes.
    ///
    /// # Errors
    /// [`TableTooLarge`] if there is not that much memory.
    pub fn new(
        mebibytes: usize,
        threads: usize,
        variant: VariantKind,
        geometry: Geometry,
    ) -> Result<Self, TableTooLarge> {
        let table = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(Self::with_table(table, threads, variant, geometry))
    }

    /// A solver that shares this table with other searches.
    pub fn with_table(
        table: Arc<TranspositionTable>,
        threads: usize,
        variant: VariantKind,
        geometry: Geometry,
    ) -> Self {
        let patterns = trained(variant, geometry);
        Self {
            variant,
            inner: match patterns {
                Some(patterns) => Inner::Patterns(Solver::with_table(table, threads, patterns)),
                None => Inner::HandMade(Solver::with_table(table, threads, HandMade::new(variant, geometry))),
            },
        }
    }

    /// Forgets everything that earlier solves have found out.
    pub fn forget(&self) {
        match &self.inner {
            Inner::HandMade(solver) => solver.forget(),
            Inner::Patterns(solver) => solver.forget(),
        }
    }

    /// Solves a position; see [`Solver::solve`].
    pub fn solve(
        &self,
        position: Position,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> Solution {
        match &self.inner {
            Inner::HandMade(solver) => solver.solve(position, self.variant, goal, limits, observe),
            Inner::Patterns(solver) => solver.solve(position, self.variant, goal, limits, observe),
        }
    }

    /// Solves a position as far as the limits allow; see [`Solver::settle`].
    pub(super) fn settle(&self, position: Position, guess: i32, limits: &Limits) -> Solution {
        match &self.inner {
            Inner::HandMade(solver) => solver.settle(position, self.variant, guess, limits),
            Inner::Patterns(solver) => solver.settle(position, self.variant, guess, limits),
        }
    }

    /// Solves a position and each of its moves; see [`Solver::solve_moves`].
    pub fn solve_moves(
        &self,
        position: Position,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> EveryMove {
        match &self.inner {
            Inner::HandMade(solver) => solver.solve_moves(position, self.variant, goal, limits, observe),
            Inner::Patterns(solver) => solver.solve_moves(position, self.variant, goal, limits, observe),
        }
    }
}
