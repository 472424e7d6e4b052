//! From a position and limits to a move: iterations of the midgame search, then the solver.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Geometry, Move, Position, Variant};
use turncoat_eval::{Evaluation, UNITS};
use turncoat_search::endgame::{Goal, Solution};
use turncoat_search::pvs::{Constants, ErrorModel, RootMove, Searcher, Selectivity};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{Limits, Watch};

use super::solver::BestSolver;
use super::time::{self, TimeManager, Trouble, affordable};
use crate::{Explanation, MoveInfo};

/// Who hears of a search on the way, and so what it has to find out.
pub(super) enum Listener<'a> {
    /// The best move: every better one as it is found.
    Best(&'a mut dyn FnMut(&MoveInfo)),
    /// Every move with its own value: all of them after each depth.
    All(&'a mut dyn FnMut(&[MoveInfo])),
}

impl Listener<'_> {
    /// Whether every move needs a value of its own.
    const fn wants_all(&self) -> bool {
        matches!(self, Self::All(_))
    }

    fn best(&mut self, info: &MoveInfo) {
        if let Self::Best(report) = self {
            report(info);
        }
    }

    fn all(&mut self, thoughts: &[MoveInfo]) {
        if let Self::All(report) = self {
            report(thoughts);
        }
    }
}

/// An engine for one game and one size, with any evaluation.
pub(super) trait Engine: Send {
    /// The legal moves, best first. Their values are comparable only if the listener wants all of them.
    fn think(&mut self, position: Position, limits: &Limits, listener: Listener<'_>) -> Vec<MoveInfo>;

    /// The static evaluation of a position, part by part.
    fn explain(&self, position: Position) -> Explanation;

    /// Forgets what belongs to the last game.
    fn forget(&mut self);
}

/// How an engine searches.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchSettings {
    /// How bold cuts by probability are; by the limits if not given.
    pub(super) selectivity: Option<Selectivity>,
    /// Perfect play from this many empties on; by the limits if not given.
    pub(super) solve: Option<u32>,
    /// How the midgame search divides its work.
    pub(super) constants: Constants,
}

/// How far the iterations of a search go.
#[derive(Debug, Clone, Copy)]
struct Deepening {
    deepest: u32,
    /// After this time no iteration is begun.
    soft: Option<Duration>,
    /// Whether that is a share of the clock of a game: less for a clear move, more in trouble.
    is_share: bool,
    hard: Option<Duration>,
    /// After this many positions no iteration is begun.
    most: Option<u64>,
}

/// What the solver does after the midgame search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Nothing: the end is too far away.
    Open,
    /// It gets as far as the limits allow: a likely answer if there is no proof.
    Settle,
    /// It proves the score.
    Prove,
}

/// An iteration takes at least this many times as long as the one before.
const GROWTH: u32 = 2;
/// Up to this many positions a search has no helpers: waking them takes as long, and short searches are repeatable.
const ALONE: u64 = 100_000;
/// Searches up to this time or this many positions are short.
const SHORT: (Duration, u64) = (Duration::from_secs(1), 10_000_000);
/// With this many fewer empties than could just be solved, a solve does not fail.
const SURE: u32 = 4;
/// With this many more empties a likely answer of the solver is still better than that of the midgame search.
const LIKELY: u32 = 5;
/// The part of the time, and of the positions, that the midgame search may have before the solver.
const BEFORE_SOLVER: (u32, u64) = (4, 8);
/// Solving every move costs about as much as solving a position with this many more empties.
const ALL_MOVES: u32 = 3;

impl Deepening {
    /// Whether an iteration should be begun at this time, after one that took so long.
    fn begins_another(&self, elapsed: Duration, last: Duration, nodes: u64, trouble: &Trouble) -> bool {
        let ends = elapsed.saturating_add(last.saturating_mul(GROWTH));
        let soft = self.soft.map(|soft| if self.is_share { trouble.share_of(soft) } else { soft });
        self.most.is_none_or(|most| nodes < most)
            && soft.is_none_or(|soft| elapsed < soft && self.hard.is_none_or(|hard| ends <= hard))
    }
}

/// The engine of one game: the midgame search, the solver, and the table that they share.
pub(super) struct SearchEngine<V, E> {
    variant: V,
    geometry: Geometry,
    evaluation: E,
    error_model: Option<ErrorModel>,
    settings: SearchSettings,
    table: Arc<TranspositionTable>,
    solver: BestSolver,
    time: TimeManager,
}

impl<V: Variant, E: Evaluation> SearchEngine<V, E> {
    pub(super) fn new(
        variant: V,
        geometry: Geometry,
        evaluation: E,
        error_model: Option<ErrorModel>,
        settings: SearchSettings,
        table: Arc<TranspositionTable>,
    ) -> Self {
        let solver = BestSolver::with_table(Arc::clone(&table), 1, V::KIND, geometry);
        Self { variant, geometry, evaluation, error_model, settings, table, solver, time: TimeManager::default() }
    }

    /// How far the midgame search goes, and what the solver does after it. Before it, the search finds a move in hand: by
    /// a short search, or a longer one where the solver may not get far.
    fn plan(&self, position: Position, limits: &Limits, all: bool) -> (Deepening, Ending) {
        let empties = position.empties();
        let deepest = limits.depth.unwrap_or(60).min(empties);
        let is_share = limits.game.is_some();
        let mut plan = Deepening { deepest, soft: limits.soft, is_share, hard: limits.time, most: None };
        // On the clock of a game nothing is gained by thinking about the only move.
        if limits.game.is_some() && position.legal_moves().count() == 1 {
            plan.deepest = 1;
            return (plan, Ending::Open);
        }
        let is_chosen = self.settings.solve.is_some() || limits.depth.is_some();
        let mut from = self.settings.solve.unwrap_or_else(|| affordable(limits));
        if all && !is_chosen {
            from = from.saturating_sub(ALL_MOVES);
        }
        let in_passing = in_passing(limits);
        let reach = affordable(&in_passing) + LIKELY;
        let is_sure = empties + SURE <= from;
        let ending = match () {
            () if !is_chosen && !all && !is_sure && empties <= from.max(reach) => Ending::Settle,
            () if empties <= from => Ending::Prove,
            () => Ending::Open,
        };
        let before = |plies: u32| empties.saturating_sub(plies).max(1);
        match (ending, limits.time) {
            (Ending::Open, _) => {}
            (Ending::Settle, _) => {
                plan.deepest = plan.deepest.min(before(8));
                plan.soft = in_passing.time.map(|time| time / BEFORE_SOLVER.0);
                plan.is_share = false;
                plan.most = limits.nodes.map(|nodes| nodes / BEFORE_SOLVER.1);
            }
            // A limit of depth has no need of time: one beside it is for emergencies, and must not change the answer.
            (Ending::Prove, Some(time)) if !is_sure && limits.depth.is_none() => {
                plan.deepest = plan.deepest.min(before(4));
                plan.soft = Some(time / 8);
                plan.is_share = false;
            }
            // A solve from afar takes long: the iterations on the way are worth seeing.
            (Ending::Prove, _) if empties > time::SOLVED_IN_SECONDS => {}
            (Ending::Prove, _) => plan.deepest = plan.deepest.min(before(8).min(8)),
        }
        (plan, ending)
    }

    /// Iterations as deep as planned, or as long as the watch allows.
    fn deepen(
        &self,
        position: Position,
        plan: Deepening,
        limits: &Limits,
        watch: &mut Watch,
        listener: &mut Listener<'_>,
    ) -> Vec<MoveInfo> {
        let mut moves = Searcher::<V, E>::root_moves(position);
        let count = if listener.wants_all() { moves.len() } else { 1 };
        let (evaluation, error_model) = (&self.evaluation, self.error_model.as_ref());
        let searcher = Searcher::new(self.variant, self.geometry, evaluation, &self.table, error_model, watch);
        let mut searcher = searcher.tuned(self.settings.constants);
        let selectivity = self.settings.selectivity.unwrap_or_else(|| bold_enough(limits));
        let (mut ended, mut last, mut trouble) = (Duration::ZERO, Duration::ZERO, Trouble::default());
        // Whether the search goes on after an iteration to this depth.
        let mut iterate = |searcher: &mut Searcher<'_, V, E>, depth: u32| {
            if depth > 1 && plan.soft.is_some() {
                let elapsed = searcher.elapsed();
                last = elapsed.saturating_sub(ended);
                ended = elapsed;
            }
            if !plan.begins_another(ended, last, searcher.nodes(), &trouble) {
                return false;
            }
            // Values of different depths cannot be compared: of all moves the last whole iteration counts.
            let before = listener.wants_all().then(|| moves.clone());
            let mut better = |found: &RootMove, nodes| listener.best(&info(found, nodes));
            if !searcher.iterate(position, depth, selectivity, count, &mut moves, &mut better) {
                moves = before.unwrap_or(mem::take(&mut moves));
                return false;
            }
            trouble.note(moves[0].square, moves[0].value);
            if listener.wants_all() {
                listener.all(&thoughts(&moves, searcher.nodes()));
            }
            true
        };
        let mut depths = 1..=plan.deepest;
        let mut goes_on = true;
        while goes_on
            && searcher.nodes() < ALONE
            && let Some(depth) = depths.next()
        {
            goes_on = iterate(&mut searcher, depth);
        }
        if goes_on {
            searcher.with_helpers(limits.threads.unwrap_or(1), |searcher| depths.all(|depth| iterate(searcher, depth)));
        }
        thoughts(&moves, watch.nodes())
    }

    /// What the solver finds within the limits, beginning with the score that is expected.
    fn solve(
        &self,
        position: Position,
        ending: Ending,
        guess: f64,
        limits: &Limits,
        all: bool,
    ) -> Option<Vec<MoveInfo>> {
        let limits = Limits { depth: None, ..limits.clone() };
        let empties = position.empties();
        if all {
            let each = self.solver.solve_moves(position, Goal::Score, &limits, &|_| {}).each;
            return each.iter().map(|solution| proven(solution, empties)).collect();
        }
        if ending == Ending::Settle {
            let solution = self.solver.settle(position, 2 * (guess / 2.0).round() as i32, &limits);
            return Some(vec![proven(&solution, empties).or_else(|| likely(&solution, empties))?]);
        }
        let solution = self.solver.solve(position, Goal::Score, &limits, &|_| {});
        Some(vec![proven(&solution, empties)?])
    }
}

impl<V: Variant, E: Evaluation> Engine for SearchEngine<V, E> {
    fn think(&mut self, position: Position, limits: &Limits, mut listener: Listener<'_>) -> Vec<MoveInfo> {
        let Some(first) = position.legal_moves().first() else {
            return Vec::new();
        };
        listener.best(&MoveInfo::at_sight(first));
        self.table.new_search();
        let limits = &self.time.divide(position.empties(), limits);
        let worked = limits.work.now();
        let mut watch = Watch::start(limits);
        let (plan, mut ending) = self.plan(position, limits, listener.wants_all());
        let mut found = self.deepen(position, plan, limits, &mut watch, &mut listener);
        // A selective search to the end of the game may still be wrong: the time that is left can prove it.
        let unproven = |best: &MoveInfo| !best.exact && best.depth >= position.empties();
        let at_end = self.settings.solve.is_none() && limits.soft.is_none() && found.first().is_some_and(unproven);
        if at_end && ending == Ending::Open {
            ending = Ending::Prove;
        }
        if ending != Ending::Open && !watch.check() {
            // What is not proven is not worth more than its share of a game's time.
            let time = if position.empties() > affordable(limits) { in_passing(limits).time } else { limits.time };
            let left = Limits {
                time: time.map(|time| time.saturating_sub(watch.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(watch.nodes())),
                ..limits.clone()
            };
            let guess = found.first().and_then(|best| best.score).unwrap_or_default();
            if let Some(solved) = self.solve(position, ending, guess, &left, listener.wants_all()) {
                found = solved;
                // The positions of the search before count too.
                found[0].nodes += watch.nodes();
                listener.all(&found);
            }
        }
        self.time.note(limits, &watch, worked);
        // The last report is the answer.
        if let Some(best) = found.first() {
            listener.best(best);
        }
        found
    }

    fn explain(&self, position: Position) -> Explanation {
        let (value, terms) = self.evaluation.explain(position);
        Explanation { value, terms }
    }

    fn forget(&mut self) {
        self.table.clear();
        self.time = TimeManager::default();
    }
}

/// The limits of a move that does not end the thinking of a game: no more than its share of the clock.
fn in_passing(limits: &Limits) -> Limits {
    Limits { time: limits.soft.or(limits.time), ..limits.clone() }
}

/// As bold as pays: a short search gains more depth by it than it loses by wrong cuts.
fn bold_enough(limits: &Limits) -> Selectivity {
    let is_short =
        limits.time.is_some_and(|time| time <= SHORT.0) || limits.nodes.is_some_and(|nodes| nodes <= SHORT.1);
    Selectivity::ALL[usize::from(!is_short)]
}

/// What a solution says, if it is one and not a pass.
fn proven(solution: &Solution, empties: u32) -> Option<MoveInfo> {
    let Some(Move::Place(square)) = solution.best() else {
        return None;
    };
    Some(MoveInfo {
        best: square,
        score: Some(f64::from(solution.score()?.discs())),
        depth: empties,
        exact: true,
        nodes: solution.nodes,
        line: solution.line.clone(),
    })
}

/// What selective searches say of a position that is not solved.
fn likely(solution: &Solution, empties: u32) -> Option<MoveInfo> {
    let likely = solution.likely?;
    Some(MoveInfo {
        best: likely.best,
        score: Some(f64::from(likely.score.discs())),
        depth: empties,
        exact: false,
        nodes: solution.nodes,
        line: vec![Move::Place(likely.best)],
    })
}

fn info(found: &RootMove, nodes: u64) -> MoveInfo {
    MoveInfo {
        best: found.square,
        score: Some(f64::from(found.value) / f64::from(UNITS)),
        depth: found.depth,
        exact: found.exact,
        nodes,
        line: found.line.clone(),
    }
}

fn thoughts(moves: &[RootMove], nodes: u64) -> Vec<MoveInfo> {
    moves.iter().map(|found| info(found, nodes)).collect()
}
