//! One solve: its threads, the position, and its moves one after the other.

use std::iter;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Move, Position, Variant, VariantTask};

use super::node::help;
use super::root::{EveryMove, Goal, Progress, Solution};
use super::solve::{Bounds, Solve};
use super::tuning::SolverTuning;
use super::worker::{SolveContext, SolverWorker};
use crate::Watch;
use crate::crew::{Closer, beside};

/// What is to be solved.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// With the score that is expected, where one is.
    Position(Goal, Option<i32>),
    EveryMove(Goal),
}

/// The solve of a position in the variant chosen at run time.
pub(super) struct SolverRun<'s, E> {
    pub(super) context: &'s SolveContext<'s, E>,
    pub(super) helpers: usize,
    pub(super) position: Position,
    pub(super) scope: Scope,
    pub(super) state: &'s Mutex<Progress>,
}

impl<E: SolverTuning> VariantTask for SolverRun<'_, E> {
    type Output = EveryMove;

    fn run<V: Variant>(self, _: V) -> Self::Output {
        let context = self.context;
        let watch = Watch::start(context.limits);
        let clock = watch.clock();
        let help = |watch: Watch| {
            let _closer = Closer::new(&context.pool, &context.stop, watch.clock());
            Backend::best().run(Helper::<V, E>(SolverWorker::new(context, false, watch)));
        };
        let watches: Vec<_> = (0..self.helpers).map(|_| watch.for_helper()).collect();
        beside(watches.into_iter().map(|watch| move || help(watch)), &*clock, || {
            let _closer = Closer::new(&context.pool, &context.stop, watch.clock());
            let worker = SolverWorker::<V, E>::new(context, true, watch);
            let mut root = SolverRoot { worker, position: self.position, state: self.state };
            match self.scope {
                Scope::Position(goal, guess) => EveryMove { whole: root.whole(goal, guess), each: Vec::new() },
                Scope::EveryMove(goal) => root.every_move(goal),
            }
        })
    }
}

/// The root of a solve, and the thread that owns it.
struct SolverRoot<'s, V, E> {
    worker: SolverWorker<'s, V, E>,
    position: Position,
    state: &'s Mutex<Progress>,
}

impl<V: Variant, E: SolverTuning> SolverRoot<'_, V, E> {
    fn solve(&mut self, board: Board, goal: Goal, guess: Option<i32>, known: Bounds, played: Option<Move>) -> Solution {
        let (worker, state) = (&mut self.worker, self.state);
        Backend::best().run(Solve { worker, board, goal, guess, known, played, keeper: None, likely: None, state })
    }

    fn whole(&mut self, goal: Goal, guess: Option<i32>) -> Solution {
        let area = i32::from(self.position.geometry().area());
        self.solve(self.position.board(), goal, guess, Bounds::widest(area), None)
    }

    /// Solves the position and then its moves, the best one first: what is proved of the position bounds them all,
    /// and the best one from below too.
    fn every_move(&mut self, goal: Goal) -> EveryMove {
        let mut whole = self.whole(goal, None);
        let area = i32::from(self.position.geometry().area());
        let mut each: Vec<Solution> = Vec::new();
        let mut moves = moves(self.position);
        moves.sort_by_key(|&(played, _)| whole.best() != Some(played));
        for (played, next) in moves {
            let is_best = whole.best() == Some(played);
            if is_best && whole.complete {
                each.push(whole.clone());
                continue;
            }
            let known = Bounds { lower: if is_best { whole.lower.discs() } else { -area }, upper: whole.upper.discs() };
            let found = self.solve(next.board(), goal, None, known.negated(), Some(played));
            each.push(Solution {
                lower: -found.upper,
                upper: -found.lower,
                line: iter::once(played).chain(found.line).collect(),
                likely: None,
                ..found
            });
        }
        // Where proofs do not tell them apart, the best move of the position comes first.
        let best = whole.best();
        each.sort_by_key(|found| (-found.lower, found.best() != best, -found.upper));
        if let Some(best) = each.first().filter(|best| best.lower > whole.lower) {
            // A proof that the table still knew.
            (whole.lower, whole.line) = (best.lower, best.line.clone());
            let bounds = Bounds { lower: whole.lower.discs(), upper: whole.upper.discs() };
            whole.complete = bounds.answer(goal);
        }
        let (nodes, _) = self.worker.tally();
        for found in each.iter_mut().chain([&mut whole]) {
            found.nodes = nodes;
        }
        EveryMove { whole, each }
    }
}

/// The moves of a position, with what follows them.
fn moves(position: Position) -> Vec<(Move, Position)> {
    if position.is_over() {
        return Vec::new();
    }
    let squares = position.legal_moves();
    if squares.is_empty() {
        return vec![(Move::Pass, position.pass())];
    }
    let after = |square| Some((Move::Place(square), position.play(square)?));
    squares.into_iter().filter_map(after).collect()
}

/// A thread that takes jobs of other threads.
struct Helper<'s, V, E>(SolverWorker<'s, V, E>);

impl<V: Variant, E: SolverTuning> Task for Helper<'_, V, E> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        let clock = self.0.watch.clock();
        clock.resume();
        while let Some(job) = self.0.context.pool.next(&*clock) {
            self.0.context.handed_over.fetch_add(1, Ordering::Relaxed);
            help(isa, &mut self.0, &job);
        }
        clock.rest();
    }
}
