//! The public face of the solver: limits, progress, solutions.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use turncoat_board::{Move, Position, Score, Square, VariantKind};

use super::pool::Pool;
use super::run::{Scope, SolverRun};
use super::tuning::SolverTuning;
use super::worker::SolveContext;
use crate::Limits;
use crate::transposition::{Salt, TableTooLarge, TranspositionTable};

/// What is asked about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal {
    /// The score.
    #[default]
    Score,
    /// Who wins.
    Result,
}

/// The progress of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The move that is being solved, where every move is; the numbers below are for the side that makes it.
    pub played: Option<Move>,
    /// The lower bound of the score at the present certainty.
    pub lower: i32,
    /// The upper bound.
    pub upper: i32,
    /// The bar in question: is the score above it?
    pub bar: i32,
    /// The answer, once there is one.
    pub above: Option<bool>,
    /// How sure single cuts are, in per cent; 100 is a proof.
    pub certainty: u32,
    /// Positions entered so far.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
}

impl Progress {
    /// Nothing is known yet.
    pub(super) fn new(area: i32) -> Self {
        Self {
            played: None,
            lower: -area,
            upper: area,
            bar: 0,
            above: None,
            certainty: 0,
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}

/// The result of a solve; bounds only if it was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The mover's score is at least this.
    pub lower: Score,
    /// The mover's score is at most this.
    pub upper: Score,
    /// Perfect play of both sides from here on, as far as it is known if the solve was stopped. Its first move has
    /// at least the lower bound.
    pub line: Vec<Move>,
    /// Positions entered, those of all threads together.
    pub nodes: u64,
    /// How often a move that one thread offered was searched by another.
    pub handed_over: u64,
    /// Whether the question was answered.
    pub complete: bool,
    /// What selective searches found before it was, or instead.
    pub likely: Option<Likely>,
}

/// The best move of a selective search of the whole tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likely {
    /// The move.
    pub best: Square,
    /// The score that it has at least, unless a cut was wrong.
    pub score: Score,
    /// How sure single cuts were, in per cent.
    pub certainty: u32,
}

impl Solution {
    /// The score, if it is known.
    pub fn score(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The best move, if there is one.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// A position whose every move was solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EveryMove {
    /// The position itself.
    pub whole: Solution,
    /// Each of its moves with the line that it begins, the best one first by what is proven; a pass if there is no
    /// other move, nothing if the game is over. The scores are those of the side that moves, nodes those of the
    /// whole solve.
    pub each: Vec<Solution>,
}

/// The exact solver: a table, an evaluation that orders moves, and a number of threads.
///
/// ```
/// use turncoat_board::{Geometry, Position, VariantKind};
/// use turncoat_eval::HandMade;
/// use turncoat_search::Limits;
/// use turncoat_search::endgame::{Goal, Solver};
///
/// let (variant, geometry) = (VariantKind::Reversed, Geometry::FOUR);
/// let solver = Solver::new(1, 1, HandMade::new(variant, geometry)).unwrap();
/// let solution = solver.solve(Position::start(geometry), variant, Goal::Score, &Limits::default(), &|_| {});
/// assert_eq!(solution.score().unwrap().discs(), 4);
/// ```
#[derive(Debug)]
pub struct Solver<E> {
    table: Arc<TranspositionTable>,
    threads: usize,
    evaluation: E,
}

impl<E: SolverTuning> Solver<E> {
    /// A solver with a table of this many mebibytes.
    ///
    /// # Errors
    /// [`TableTooLarge`] if there is not that much memory.
    pub fn new(mebibytes: usize, threads: usize, evaluation: E) -> Result<Self, TableTooLarge> {
        Ok(Self::with_table(Arc::new(TranspositionTable::new(mebibytes)?), threads, evaluation))
    }

    /// A solver that shares this table with other searches.
    pub fn with_table(table: Arc<TranspositionTable>, threads: usize, evaluation: E) -> Self {
        Self { table, threads: threads.max(1), evaluation }
    }

    /// Forgets everything that earlier solves have found out.
    pub fn forget(&self) {
        self.table.clear();
    }

    /// Solves a position. With one thread, the same questions in the same order give the same answers and
    /// counts; what an earlier solve left in the table is used.
    pub fn solve(
        &self,
        position: Position,
        variant: VariantKind,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> Solution {
        let scope = Scope::Position(goal, None);
        self.run(position, variant, scope, limits, observe).whole
    }

    /// Solves a position within limits that may be too tight for a proof, beginning with the score that another search
    /// expects: selective searches of the whole tree come first, ever surer.
    pub fn settle(&self, position: Position, variant: VariantKind, guess: i32, limits: &Limits) -> Solution {
        self.run(position, variant, Scope::Position(Goal::Score, Some(guess)), limits, &|_| {}).whole
    }

    /// Solves a position and then each of its moves, so that a solve that is stopped knows the best move as well
    /// as one of the position alone.
    pub fn solve_moves(
        &self,
        position: Position,
        variant: VariantKind,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> EveryMove {
        self.run(position, variant, Scope::EveryMove(goal), limits, observe)
    }

    fn run(
        &self,
        position: Position,
        variant: VariantKind,
        scope: Scope,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> EveryMove {
        self.table.new_search();
        let state = Mutex::new(Progress::new(i32::from(position.geometry().area())));
        let tick = |nodes, time| {
            let state = *state.lock().unwrap_or_else(PoisonError::into_inner);
            observe(&Progress { nodes, time, ..state });
        };
        let context = SolveContext {
            table: &self.table,
            evaluation: &self.evaluation,
            salt: Salt::new(variant, position.geometry()),
            geometry: position.geometry(),
            limits,
            pool: Pool::new(),
            nodes: AtomicU64::new(0),
            handed_over: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            tick: &tick,
        };
        // Small trees are done before another thread has started.
        let threads = limits.threads.unwrap_or(self.threads);
        let helpers = if position.empties() < FEWEST_FOR_THREADS { 0 } else { threads.max(1) - 1 };
        variant.run(SolverRun { context: &context, helpers, position, scope, state: &state })
    }
}

/// With fewer empties one thread is enough.
const FEWEST_FOR_THREADS: u32 = 17;
