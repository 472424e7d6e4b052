//! From a position and limits to a move: iterations of the midgame search, then the solver.

use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Geometry, Move, Position, Variant};
use turncoat_eval::{Estimator, UNITS};
use turncoat_search::endgame::{Goal, Solution};
use turncoat_search::pvs::{Fit, Level, Line, Thinker};
use turncoat_search::table::Table;
use turncoat_search::{Limits, Watch};

use super::pace::{self, Pace, affordable};
use super::solver::BestSolver;
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
    /// Perfect play from this many empties on; by the limits if not given.
    pub(super) solve: Option<u32>,
}

/// How far the iterations of a search go.
#[derive(Debug, Clone, Copy)]
struct Look {
    deepest: u32,
    /// After this time no iteration is begun.
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// An iteration takes at least so many times as long as the one before.
const GROWTH: u32 = 2;
/// With so many fewer empties than could just be solved, a solve does not fail.
const SURE: u32 = 4;
/// Every move costs about as much to solve as the position with so many more empties.
const ALL_MOVES: u32 = 3;

impl Look {
    /// Whether an iteration should be begun at this time, after one that took so long.
    fn goes_on(&self, elapsed: Duration, last: Duration) -> bool {
        let ends = elapsed.saturating_add(last.saturating_mul(GROWTH));
        self.soft.is_none_or(|soft| elapsed < soft && self.hard.is_none_or(|hard| ends <= hard))
    }
}

pub(super) struct Mind<V, E> {
    variant: V,
    geometry: Geometry,
    estimator: E,
    fit: Option<Fit>,
    style: Style,
    table: Arc<Table>,
    solver: BestSolver,
    pace: Pace,
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
        let solver = BestSolver::with_table(Arc::clone(&table), threads, V::KIND, geometry);
        Self { variant, geometry, estimator, fit, style, table, solver, pace: Pace::default() }
    }

    /// How far to look in the middle game, and whether the solver comes after that. Before a solve a look
    /// gives a move in hand: a short one, but a longer one where the solve may fail.
    fn plan(&self, position: Position, limits: &Limits, count: usize) -> (Look, bool) {
        let empties = position.empties();
        let mut look = Look { deepest: limits.depth.unwrap_or(60).min(empties), soft: limits.soft, hard: limits.time };
        // On the clock of a game nothing is gained by thinking about the only move.
        if limits.game.is_some() && position.legal_moves().count() == 1 {
            look.deepest = 1;
            return (look, false);
        }
        let mut from = self.style.solve.unwrap_or_else(|| affordable(limits));
        if count > 1 && self.style.solve.is_none() && limits.depth.is_none() {
            from = from.saturating_sub(ALL_MOVES);
        }
        if empties > from {
            return (look, false);
        }
        match limits.time {
            Some(time) if empties + SURE > from => {
                look.deepest = look.deepest.min(empties.saturating_sub(4).max(1));
                look.soft = Some(time / 8);
            }
            // Whoever wants to see the end from afar sees the iterations on the way.
            _ if empties > pace::SOLVED_IN_SECONDS => {}
            _ => look.deepest = look.deepest.min(empties.saturating_sub(8).clamp(1, 8)),
        }
        (look, true)
    }

    /// Iterations as far as the look goes, or as long as the watch allows.
    fn deepen(
        &self,
        position: Position,
        look: Look,
        count: usize,
        watch: &mut Watch,
        report: &mut dyn FnMut(&Thought),
    ) -> Vec<Thought> {
        let mut lines = Thinker::<V, E>::lines(position);
        let (estimator, fit) = (&self.estimator, self.fit.as_ref());
        let mut thinker = Thinker::new(self.variant, self.geometry, estimator, &self.table, fit, watch);
        let (mut ended, mut last) = (Duration::ZERO, Duration::ZERO);
        for depth in 1..=look.deepest {
            if depth > 1 && look.soft.is_some() {
                let elapsed = thinker.elapsed();
                last = elapsed.saturating_sub(ended);
                ended = elapsed;
            }
            if !look.goes_on(ended, last) {
                break;
            }
            // Values of different depths cannot be compared: of several moves the last whole iteration counts.
            let before = (count > 1).then(|| lines.clone());
            let mut first = true;
            let whole = thinker.iterate(position, depth, self.style.level, count, &mut lines, &mut |line, nodes| {
                // Only the best line is news; the next ones of an iteration are worse.
                if count == 1 || first {
                    report(&thought(line, nodes));
                }
                first = false;
            });
            if !whole {
                lines = before.unwrap_or(lines);
                break;
            }
        }
        let nodes = watch.nodes();
        lines.iter().map(|line| thought(line, nodes)).collect()
    }

    /// Perfect play, if the limits allow it.
    fn solve(&self, position: Position, limits: &Limits, all: bool) -> Option<Vec<Thought>> {
        let limits = Limits { depth: None, ..limits.clone() };
        let solutions = if all {
            self.solver.solve_moves(position, Goal::Score, &limits, &|_| {}).each
        } else {
            vec![self.solver.solve(position, Goal::Score, &limits, &|_| {})]
        };
        solutions.iter().map(|solution| proven(solution, position.empties())).collect()
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
        let limits = &self.pace.divide(position.empties(), limits);
        let worked = limits.work.now();
        let mut watch = Watch::start(limits);
        let (look, solving) = self.plan(position, limits, count);
        let mut found = self.deepen(position, look, count, &mut watch, report);
        // A bold look to the end of the game may be wrong all the same: what time is left can prove it.
        let unproven = |best: &Thought| !best.exact && best.depth >= position.empties();
        let at_end = self.style.solve.is_none() && limits.soft.is_none() && found.first().is_some_and(unproven);
        if (solving || at_end) && !watch.check() {
            let left = Limits {
                time: limits.time.map(|time| time.saturating_sub(watch.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(watch.nodes())),
                ..limits.clone()
            };
            if let Some(solved) = self.solve(position, &left, count > 1) {
                found = solved;
                // The count of all positions, those of the look before included.
                found[0].nodes += watch.nodes();
            }
        }
        self.pace.note(limits, &watch, worked);
        // The last report is the answer.
        if let Some(best) = found.first() {
            report(best);
        }
        found
    }

    fn forget(&mut self) {
        self.table.clear();
        self.pace = Pace::default();
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
