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

/// What is wanted of a search, and who hears of it on the way.
pub(super) enum Report<'a> {
    /// The best move: every better one as it is found.
    Best(&'a mut dyn FnMut(&Thought)),
    /// Every move with its own value: all of them after each depth.
    All(&'a mut dyn FnMut(&[Thought])),
}

impl Report<'_> {
    /// Whether every move needs a value of its own.
    const fn wants_all(&self) -> bool {
        matches!(self, Self::All(_))
    }

    fn best(&mut self, thought: &Thought) {
        if let Self::Best(report) = self {
            report(thought);
        }
    }

    fn all(&mut self, thoughts: &[Thought]) {
        if let Self::All(report) = self {
            report(thoughts);
        }
    }
}

/// An engine for one game and one size, with any evaluation.
pub(super) trait Engine: Send {
    /// The legal moves, best first. Values are comparable only if the report wants all of them.
    fn think(&mut self, position: Position, limits: &Limits, report: Report<'_>) -> Vec<Thought>;

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
    fn plan(&self, position: Position, limits: &Limits, all: bool) -> (Look, bool) {
        let empties = position.empties();
        let mut look = Look { deepest: limits.depth.unwrap_or(60).min(empties), soft: limits.soft, hard: limits.time };
        // On the clock of a game nothing is gained by thinking about the only move.
        if limits.game.is_some() && position.legal_moves().count() == 1 {
            look.deepest = 1;
            return (look, false);
        }
        let mut from = self.style.solve.unwrap_or_else(|| affordable(limits));
        if all && self.style.solve.is_none() && limits.depth.is_none() {
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
    fn deepen(&self, position: Position, look: Look, watch: &mut Watch, report: &mut Report<'_>) -> Vec<Thought> {
        let mut lines = Thinker::<V, E>::lines(position);
        let count = if report.wants_all() { lines.len() } else { 1 };
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
            // Values of different depths cannot be compared: of all moves the last whole iteration counts.
            let before = report.wants_all().then(|| lines.clone());
            let level = self.style.level;
            let mut better = |line: &Line, nodes| report.best(&thought(line, nodes));
            if !thinker.iterate(position, depth, level, count, &mut lines, &mut better) {
                lines = before.unwrap_or(lines);
                break;
            }
            if report.wants_all() {
                report.all(&thoughts(&lines, thinker.nodes()));
            }
        }
        thoughts(&lines, watch.nodes())
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
    fn think(&mut self, position: Position, limits: &Limits, mut report: Report<'_>) -> Vec<Thought> {
        let Some(first) = position.legal_moves().first() else {
            return Vec::new();
        };
        report.best(&Thought::at_sight(first));
        self.table.grow_older();
        let limits = &self.pace.divide(position.empties(), limits);
        let worked = limits.work.now();
        let mut watch = Watch::start(limits);
        let (look, solving) = self.plan(position, limits, report.wants_all());
        let mut found = self.deepen(position, look, &mut watch, &mut report);
        // A bold look to the end of the game may be wrong all the same: what time is left can prove it.
        let unproven = |best: &Thought| !best.exact && best.depth >= position.empties();
        let at_end = self.style.solve.is_none() && limits.soft.is_none() && found.first().is_some_and(unproven);
        if (solving || at_end) && !watch.check() {
            let left = Limits {
                time: limits.time.map(|time| time.saturating_sub(watch.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(watch.nodes())),
                ..limits.clone()
            };
            if let Some(solved) = self.solve(position, &left, report.wants_all()) {
                found = solved;
                // The count of all positions, those of the look before included.
                found[0].nodes += watch.nodes();
                report.all(&found);
            }
        }
        self.pace.note(limits, &watch, worked);
        // The last report is the answer.
        if let Some(best) = found.first() {
            report.best(best);
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

fn thoughts(lines: &[Line], nodes: u64) -> Vec<Thought> {
    lines.iter().map(|line| thought(line, nodes)).collect()
}
