//! From a position and limits to a move: iterations of the midgame search, then the solver.

use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Geometry, Move, Position, Variant};
use turncoat_eval::{Estimator, UNITS};
use turncoat_search::endgame::{Goal, HandMade, Solution, Solver};
use turncoat_search::pvs::{Fit, Level, Line, Thinker};
use turncoat_search::table::Table;
use turncoat_search::{Limits, Watch};

use crate::Thought;

/// An engine for one game and one size, whatever its estimator.
pub(super) trait Engine: Send {
    /// The best `count` moves, best first; more are worse known. Empty without a legal move. `report` hears
    /// of every better best move.
    fn think(
        &mut self,
        position: Position,
        limits: &Limits,
        count: usize,
        report: &mut dyn FnMut(&Thought),
    ) -> Vec<Thought>;

    /// Forgets what belongs to the last game.
    fn forget(&mut self);
}

/// How an engine searches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// How bold cuts by probability are.
    pub(super) level: Level,
    /// Perfect play from this many empties on; by the time if not given.
    pub(super) solve: Option<u32>,
}

pub(super) struct Mind<V, E> {
    variant: V,
    geometry: Geometry,
    estimator: E,
    fit: Option<Fit>,
    style: Style,
    table: Arc<Table>,
    solver: Solver,
}

impl<V: Variant, E: Estimator> Mind<V, E> {
    pub(super) fn new(
        variant: V,
        geometry: Geometry,
        estimator: E,
        fit: Option<Fit>,
        style: Style,
        table: Arc<Table>,
        threads: usize,
    ) -> Self {
        let solver = Solver::with_table(Arc::clone(&table), threads, HandMade);
        Self {
            variant,
            geometry,
            estimator,
            fit,
            style,
            table,
            solver,
        }
    }

    /// From how many empties on the solver takes over: about what it solves in the time.
    fn solve_from(&self, time: Option<Duration>) -> u32 {
        self.style
            .solve
            .unwrap_or_else(|| match time.map(|time| time.as_millis()) {
                None => 14,
                Some(millis) => 12 + millis.max(1).ilog2() * 5 / 6,
            })
    }

    /// Iterations up to this depth, or as long as the watch allows.
    fn deepen(
        &self,
        position: Position,
        deepest: u32,
        count: usize,
        watch: &mut Watch,
        report: &mut dyn FnMut(&Thought),
    ) -> Vec<Thought> {
        let mut lines = Thinker::<V, E>::lines(position);
        let (estimator, fit) = (&self.estimator, self.fit.as_ref());
        let mut thinker = Thinker::new(
            self.variant,
            self.geometry,
            estimator,
            &self.table,
            fit,
            watch,
        );
        for depth in 1..=deepest {
            let mut first = true;
            let whole = thinker.iterate(
                position,
                depth,
                self.style.level,
                count,
                &mut lines,
                &mut |line, nodes| {
                    // Only the best line is news; the next ones of an iteration are worse.
                    if count == 1 || first {
                        report(&thought(line, nodes));
                    }
                    first = false;
                },
            );
            if !whole {
                break;
            }
        }
        let nodes = watch.nodes();
        lines.iter().map(|line| thought(line, nodes)).collect()
    }

    /// Perfect play, if the limits allow it.
    fn solve(&self, position: Position, limits: &Limits, all: bool) -> Option<Vec<Thought>> {
        let limits = Limits {
            depth: None,
            ..limits.clone()
        };
        let solutions = if all {
            self.solver
                .solve_moves(position, V::KIND, Goal::Score, &limits, &|_| {})
                .each
        } else {
            vec![
                self.solver
                    .solve(position, V::KIND, Goal::Score, &limits, &|_| {}),
            ]
        };
        solutions
            .iter()
            .map(|solution| proven(solution, position.empties()))
            .collect()
    }
}

impl<V: Variant, E: Estimator> Engine for Mind<V, E> {
    fn think(
        &mut self,
        position: Position,
        limits: &Limits,
        count: usize,
        report: &mut dyn FnMut(&Thought),
    ) -> Vec<Thought> {
        let Some(first) = position.legal_moves().first() else {
            return Vec::new();
        };
        report(&Thought::at_sight(first));
        self.table.grow_older();
        let empties = position.empties();
        let solving = empties <= self.solve_from(limits.time)
            && limits.depth.is_none_or(|depth| depth >= empties);
        let mut watch = Watch::start(limits);
        let deepest = limits.depth.unwrap_or(60).min(empties);
        // Before a solve a short look gives a move in hand and an order to the moves.
        let deepest = if solving {
            deepest.min(empties.saturating_sub(8).clamp(1, 8))
        } else {
            deepest
        };
        let mut found = self.deepen(position, deepest, count, &mut watch, report);
        if solving && !watch.check() {
            let left = Limits {
                time: limits.time.map(|time| time.saturating_sub(watch.elapsed())),
                nodes: limits
                    .nodes
                    .map(|nodes| nodes.saturating_sub(watch.nodes())),
                ..limits.clone()
            };
            if let Some(solved) = self.solve(position, &left, count > 1) {
                found = solved;
                // The count of all positions, those of the look before included.
                found[0].nodes += watch.nodes();
            }
        }
        // The last report is the answer.
        if let Some(best) = found.first() {
            report(best);
        }
        found
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}

/// What a solution says, if it is one and not a pass.
fn proven(solution: &Solution, empties: u32) -> Option<Thought> {
    let Some(Move::Place(square)) = solution.best() else {
        return None;
    };
    Some(Thought {
        best: square,
        score: Some(f64::from(solution.score()?.discs())),
        depth: empties,
        exact: true,
        nodes: solution.nodes,
        line: solution.line.clone(),
    })
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
