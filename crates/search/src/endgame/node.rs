//! The node of the solver: a position with enough empties for the large table.

use std::sync::Arc;

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Square, Variant};

use super::NO_SCORE;
use super::near::{MOST_NEAR, NearNode};
use super::order;
use super::pool::{Job, Split};
use super::selective::{self, EXACT};
use super::tuning::SolverTuning;
use super::worker::{SolverWork, SolverWorker};
use crate::candidate::{Candidate, bring_best_forward};
use crate::stability;
use crate::transposition::{Entry, Key};

/// With fewer empties the moves are not shared between threads: it would cost more than it saves.
const SPLIT: u32 = 14;

/// Whether the mover's score is above the bar. The board is oriented.
pub(super) struct SolverNode<'w, 's, V, E> {
    pub(super) worker: &'w mut SolverWorker<'s, V, E>,
    pub(super) board: Board,
    pub(super) key: Key,
    /// The mover's legal moves.
    pub(super) moves: Bitboard,
    pub(super) bar: i32,
}

impl<V: Variant, E: SolverTuning> Task for SolverNode<'_, '_, V, E> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, key, moves, bar } = self;
        if worker.enter() {
            return 0;
        }
        let n = worker.empties(board).count();
        if moves.is_empty() {
            return pass(isa, worker, board, n, bar);
        }
        if let Some(bound) = stability::decides::<V>(board, worker.context.geometry, bar) {
            return bound;
        }
        let known = worker.context.table.probe(key);
        if let Some(entry) = known
            && let Some(bound) = decides(entry, worker.level, bar)
        {
            worker.certainty = entry.level;
            return bound;
        }
        if worker.level < EXACT
            && let Some(bound) = selective::decides(isa, worker, board, moves, n, bar)
        {
            worker.certainty = worker.level;
            return bound;
        }
        let start = worker.moves.len();
        if let Some(bound) = list(isa, worker, board, moves, n, bar) {
            worker.moves.truncate(start);
            return bound;
        }
        let remembered = order::remembered(&mut worker.moves[start..], known);
        let (best, square) = best_of(isa, worker, board, start, remembered, n, bar);
        worker.moves.truncate(start);
        if !worker.stopped {
            let entry = learnt(known, n, worker.certainty, bar, best, square);
            worker.context.table.store(key, entry);
        }
        best
    }
}

/// The mover cannot move: it passes, or the game is over.
#[inline(always)]
fn pass<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    n: u32,
    bar: i32,
) -> i32 {
    let board = worker.oriented(board.pass(), n);
    let moves = worker.legal_moves(isa, board);
    if moves.is_empty() {
        return -worker.ending.final_score(board);
    }
    let key = worker.key(board);
    -isa.run(SolverNode { worker, board, key, moves, bar: -bar })
}

/// The bound of an entry, if it is sure enough and decides about the bar.
#[inline(always)]
pub(super) fn decides(entry: Entry, level: u8, bar: i32) -> Option<i32> {
    if entry.level < level {
        None
    } else if i32::from(entry.lower) > bar {
        Some(i32::from(entry.lower))
    } else if i32::from(entry.upper) < bar {
        Some(i32::from(entry.upper))
    } else {
        None
    }
}

/// Lists the moves, and answers at once if the table knows of one that goes above the bar (an enhanced
/// transposition cut-off).
#[inline(always)]
fn list<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    moves: Bitboard,
    n: u32,
    bar: i32,
) -> Option<i32> {
    let start = worker.moves.len();
    for square in moves {
        let next = worker.oriented(board.after(square, isa.flips(board, square)), n - 1);
        let key = worker.key(next);
        if n > MOST_NEAR + 1 {
            worker.context.table.prefetch(isa, key);
        }
        worker.moves.push(Candidate { board: next, state: Bitboard::EMPTY, key, square, rank: 0 });
    }
    for i in start..worker.moves.len() {
        if let Some(entry) = worker.probe(worker.moves[i].key, n - 1)
            && entry.level >= worker.level
            && i32::from(entry.upper) < -bar
        {
            worker.certainty = entry.level;
            return Some(-i32::from(entry.upper));
        }
    }
    None
}

/// The best of a board's moves from `start` on: its score and square. Those that the table remembers come first;
/// the others are ranked only when these have not answered.
#[inline(always)]
fn best_of<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    board: Board,
    start: usize,
    remembered: usize,
    n: u32,
    bar: i32,
) -> (i32, Option<Square>) {
    let (mut best, mut best_square) = (NO_SCORE, None);
    let (mut split, mut certainty) = (None, EXACT);
    for i in start..worker.moves.len() {
        if i == start + remembered {
            // Where the table's moves have failed, most others fail too.
            order::rank(isa, worker, board, i, n, remembered > 0);
        }
        if i < start + remembered {
            worker.moves[i].state = worker.legal_moves(isa, worker.moves[i].board);
        } else {
            bring_best_forward(&mut worker.moves[i..]);
        }
        let candidate = worker.moves[i];
        let is_young = i > start && i + 1 < worker.moves.len();
        if is_young && n >= SPLIT && worker.context.pool.wants_work() {
            offer(worker, &mut split, &candidate, bar);
            continue;
        }
        let score = -after(isa, worker, &candidate, n, -bar);
        if worker.stopped {
            break;
        }
        certainty = certainty.min(worker.certainty);
        if score > best {
            (best, best_square) = (score, Some(candidate.square));
            if best > bar {
                // The others do not matter.
                certainty = worker.certainty;
                break;
            }
        }
    }
    if let Some(split) = split {
        (best, best_square) = gather(isa, worker, &split, bar, (best, best_square));
        certainty = worker.level;
    }
    worker.certainty = certainty;
    (best, best_square)
}

/// The opponent's score after a move.
#[inline(always)]
fn after<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    candidate: &Candidate<Bitboard>,
    n: u32,
    bar: i32,
) -> i32 {
    let &Candidate { board, state: moves, key, .. } = candidate;
    worker.certainty = EXACT;
    if n > MOST_NEAR + 1 {
        isa.run(SolverNode { worker, board, key, moves, bar })
    } else {
        isa.run(NearNode { worker, board, moves, bar })
    }
}

/// What is known of a position now.
#[inline(always)]
pub(super) fn learnt(known: Option<Entry>, n: u32, level: u8, bar: i32, score: i32, square: Option<Square>) -> Entry {
    let mut entry = Entry::blank(n as u8, level);
    entry.best = square;
    if let Some(old) = known {
        // Bounds of a surer level would have been kept and used; those of the same level are narrowed.
        if old.level >= level {
            (entry.lower, entry.upper) = (old.lower, old.upper);
            entry.level = old.level;
        }
        entry.second = if old.best == square { old.second } else { old.best };
    }
    if entry.level > level {
        return entry;
    }
    if score > bar {
        entry.lower = score as i16;
    } else {
        entry.upper = score as i16;
    }
    entry
}

/// Offers a move to idle threads.
#[cold]
#[inline(never)]
fn offer<V: Variant, E: SolverTuning>(
    worker: &mut SolverWorker<'_, V, E>,
    split: &mut Option<Arc<Split>>,
    candidate: &Candidate<Bitboard>,
    bar: i32,
) {
    let split = split.get_or_insert_with(|| {
        let split = Split::new(worker.split.take(), bar);
        worker.split = Some(Arc::clone(&split));
        split
    });
    let &Candidate { board, key, square, .. } = candidate;
    let work = SolverWork { board, key, bar: -bar, level: worker.level };
    worker.context.pool.offer(Job { split: Arc::clone(split), square, work });
}

/// Waits for the moves that were offered, helping with what lies below them.
#[cold]
fn gather<I: Isa, V: Variant, E: SolverTuning>(
    isa: I,
    worker: &mut SolverWorker<'_, V, E>,
    split: &Arc<Split>,
    bar: i32,
    own: (i32, Option<Square>),
) -> (i32, Option<Square>) {
    if worker.stopped || own.0 > bar {
        split.end();
    }
    let clock = worker.watch.clock();
    while let Some(job) = worker.context.pool.next_below(split, &*clock) {
        help(isa, worker, &job);
    }
    // The split was entered under its parent; whether that one still matters is looked up afresh.
    worker.split = split.parent();
    worker.look();
    let better = |best: (i32, _), (square, score)| if score > best.0 { (score, Some(square)) } else { best };
    split.results().into_iter().fold(own, better)
}

/// Searches the move of a job.
#[cold]
#[inline(never)]
pub(super) fn help<I: Isa, V: Variant, E: SolverTuning>(isa: I, worker: &mut SolverWorker<'_, V, E>, job: &Job) {
    let outer = worker.split.replace(Arc::clone(&job.split));
    let SolverWork { board, key, bar, level } = job.work;
    let level = std::mem::replace(&mut worker.level, level);
    worker.look();
    let moves = worker.legal_moves(isa, board);
    let score = if worker.stopped { 0 } else { isa.run(SolverNode { worker: &mut *worker, board, key, moves, bar }) };
    let score = (!worker.stopped).then_some(-score);
    worker.context.pool.done(job, score);
    worker.split = outer;
    worker.level = level;
    worker.stopped = false;
}
