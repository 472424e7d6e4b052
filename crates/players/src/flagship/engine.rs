//! From a position and limits to a move: iterations of the midgame search, then the solver.

use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Geometry, Move, Position, Variant};
use turncoat_eval::{Estimator, UNITS};
use turncoat_search::endgame::{Goal, HandMade, Solver};
use turncoat_search::pvs::{Fit, Level, Line, Thinker};
use turncoat_search::table::Table;
use turncoat_search::{Limits, Watch};

use crate::Thought;

/// An engine for one game and one size, whatever its estimator.
pub(super) trait Engine: Send {
    /// Chooses a move; `None` without a legal one.
    fn think(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Thought),
    ) -> Option<Thought>;

    /// Forgets what belongs to the last game.
    fn forget(&mut self);
}

pub(super) struct Mind<V, E> {
    variant: V,
    geometry: Geometry,
    estimator: E,
    fit: Option<Fit>,
    level: Level,
    table: Arc<Table>,
    solver: Solver,
    /// Perfect play from this many empties on; by the time if not given.
    solve: Option<u32>,
}

impl<V: Variant, E: Estimator> Mind<V, E> {
    #[allow(clippy::too_many_arguments)] // All of it is what a mind is made of.
    pub(super) fn new(
        variant: V,
        geometry: Geometry,
        estimator: E,
        fit: Option<Fit>,
        level: Level,
        table: Arc<Table>,
        threads: usize,
        solve: Option<u32>,
    ) -> Self {
        let solver = Solver::with_table(Arc::clone(&table), threads, HandMade);
        Self {
            variant,
            geometry,
            estimator,
            fit,
            level,
            table,
            solver,
            solve,
        }
    }

    /// From how many empties on the solver takes over: about what it solves in the time.
    fn solve_from(&self, time: Option<Duration>) -> u32 {
        self.solve
            .unwrap_or_else(|| match time.map(|time| time.as_millis()) {
                None => 14,
                Some(millis) => 12 + u32::try_from(millis.max(1).ilog2()).unwrap_or(0) * 5 / 6,
            })
    }
}

impl<V: Variant, E: Estimator> Engine for Mind<V, E> {
    fn think(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Thought),
    ) -> Option<Thought> {
        let mut lines = Thinker::<V, E>::lines(position);
        let mut best = Thought::at_sight(lines.first()?.square);
        report(&best);
        if lines.len() == 1 {
            return Some(best);
        }
        self.table.grow_older();
        let empties = position.empties();
        let solving = empties <= self.solve_from(limits.time);
        let mut watch = Watch::start(limits);
        let deepest = limits.depth.unwrap_or(60).min(empties);
        // Before a solve a short look gives a move in hand and an order to the moves.
        let last = if solving {
            deepest.min(empties.saturating_sub(8).clamp(1, 8))
        } else {
            deepest
        };
        {
            let mut thinker = Thinker::new(
                self.variant,
                self.geometry,
                &self.estimator,
                &self.table,
                self.fit.as_ref(),
                &mut watch,
            );
            for depth in 1..=last {
                let whole = thinker.iterate(
                    position,
                    depth,
                    self.level,
                    1,
                    &mut lines,
                    &mut |line, nodes| {
                        best = thought(line, nodes);
                        report(&best);
                    },
                );
                if !whole {
                    break;
                }
            }
        }
        best.nodes = watch.nodes();
        if solving && !watch.check() {
            let left = limits.time.map(|time| time.saturating_sub(watch.elapsed()));
            let limits = Limits {
                time: left,
                depth: None,
                ..limits.clone()
            };
            let solution = self
                .solver
                .solve(position, V::KIND, Goal::Score, &limits, &|_| {});
            if let (Some(score), Some(Move::Place(square))) = (solution.score(), solution.best()) {
                best = Thought {
                    best: square,
                    score: Some(f64::from(score.discs())),
                    depth: empties,
                    exact: true,
                    nodes: best.nodes + solution.nodes,
                    line: solution.line,
                };
                report(&best);
            }
        }
        Some(best)
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}

fn thought(line: &Line, nodes: u64) -> Thought {
    Thought {
        best: line.square,
        score: Some(f64::from(line.value) / f64::from(UNITS)),
        depth: line.depth,
        exact: line.exact,
        nodes,
        line: line.moves.clone(),
    }
}
