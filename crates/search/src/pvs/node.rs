//! One node of the midgame tree.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Board, Move, Square, Variant};
use turncoat_eval::{Evaluation, UNITS};

use super::INFINITE;
use super::order;
use super::shallow::{SHALLOW, Shallow};
use super::thinker::Thinker;
use crate::candidate::bring_best_forward;
use crate::table::{Entry, Key};

/// From this depth on the children are looked up before any is searched.
const CUT_BY_CHILDREN: u32 = 5;
/// From this depth on a principal node without a known move searches for one first.
const DEEPEN_INSIDE: u32 = 5;

/// A node from the view of its mover. `PV` marks the nodes whose exact value and line are wanted; all others
/// are asked with a null window.
pub(super) struct Node<'t, 'a, const PV: bool, V, E: Evaluation> {
    pub(super) thinker: &'t mut Thinker<'a, V, E>,
    pub(super) board: Board,
    pub(super) state: E::State,
    pub(super) key: Key,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: u32,
    pub(super) ply: usize,
}

impl<const PV: bool, V: Variant, E: Evaluation> Task for Node<'_, '_, PV, V, E> {
    type Output = i32;

    /// The value, fail-soft; meaningless once the watch is over.
    #[inline(always)]
    #[allow(clippy::too_many_lines)] // One readable body: the parts that can stand alone already do.
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { thinker, board, state, key, mut alpha, beta, depth, ply } = self;
        if !thinker.watch.enter() {
            return 0;
        }
        if PV {
            thinker.lines[ply].clear();
        }
        let empties = thinker.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return thinker.final_value(board);
            }
            let state = thinker.evaluation.passed(&state);
            let key = thinker.key(passed);
            let (board, alpha, beta, next) = (passed, -beta, -alpha, ply + 1);
            let node = Node::<PV, V, E> { thinker: &mut *thinker, board, state, key, alpha, beta, depth, ply: next };
            let value = -node.hand_over(isa);
            if PV {
                thinker.set_line(ply, Move::Pass);
            }
            return value;
        }
        if depth == 0 {
            return thinker.evaluation.evaluate(isa, board, moves, &state);
        }
        let known = thinker.table.probe(key);
        if !PV && let Some(value) = known.and_then(|entry| thinker.decides(entry, alpha, beta, depth)) {
            return value;
        }
        if !PV && let Some(value) = thinker.cut_by_probability(isa, board, &state, key, moves, alpha, depth, ply) {
            return value;
        }
        let techniques = thinker.techniques;
        let mut hint = known.map(|entry| (entry.best, entry.second));
        if PV && techniques.inner_deepening && depth >= DEEPEN_INSIDE && hint.is_none_or(|(best, _)| best.is_none()) {
            isa.run(Node::<true, V, E> {
                thinker: &mut *thinker,
                board,
                state,
                key,
                alpha,
                beta,
                depth: depth - 2,
                ply,
            });
            hint = thinker.table.probe(key).map(|entry| (entry.best, entry.second));
            thinker.lines[ply].clear();
        }
        let start = thinker.list_moves(isa, board, &state, moves);
        if !PV && techniques.child_lookup && depth >= CUT_BY_CHILDREN {
            for i in start..thinker.moves.len() {
                let child = thinker.table.probe(thinker.moves[i].key);
                if let Some(entry) = child.filter(|entry| thinker.is_sure(*entry, depth - 1))
                    && -i32::from(entry.upper) >= beta
                {
                    thinker.moves.truncate(start);
                    return -i32::from(entry.upper);
                }
            }
        }
        order::rank(isa, thinker, start, depth, ply, hint.filter(|_| techniques.table_moves).unwrap_or_default());
        let floor = alpha;
        let (mut best, mut best_square) = (-INFINITE, None);
        for i in start..thinker.moves.len() {
            bring_best_forward(&mut thinker.moves[i..]);
            let next = thinker.moves[i];
            if PV {
                // A move that fails high has no line of its own: it must not inherit the one before.
                thinker.lines[ply + 1].clear();
            }
            let mut child = Child {
                isa,
                thinker: &mut *thinker,
                board: next.board,
                state: next.state,
                key: next.key,
                depth: depth - 1,
                ply: ply + 1,
            };
            let value = if PV && i == start {
                child.principal(alpha, beta)
            } else {
                let value = child.null(alpha);
                if PV && value > alpha && value < beta { child.principal(alpha, beta) } else { value }
            };
            if thinker.watch.is_over() {
                thinker.moves.truncate(start);
                return 0;
            }
            if value > best {
                (best, best_square) = (value, Some(next.square));
                if value > alpha {
                    alpha = value;
                    if PV {
                        thinker.set_line(ply, Move::Place(next.square));
                    }
                    if alpha >= beta {
                        thinker.reward(start, i, depth, ply);
                        break;
                    }
                }
            }
        }
        thinker.moves.truncate(start);
        thinker.remember(key, known, depth, best, best_square, floor, beta);
        best
    }
}

impl<const PV: bool, V: Variant, E: Evaluation> Node<'_, '_, PV, V, E> {
    /// Searches this node, by the shallow function where that serves.
    #[inline(always)]
    fn hand_over<I: Isa>(self, isa: I) -> i32 {
        if !PV && self.depth <= SHALLOW {
            let Self { thinker, board, state, alpha, beta, depth, .. } = self;
            return isa.run(Shallow { thinker, board, state, alpha, beta, depth });
        }
        isa.run(self)
    }
}

/// A child about to be searched, perhaps twice.
struct Child<'t, 'a, I, V, E: Evaluation> {
    isa: I,
    thinker: &'t mut Thinker<'a, V, E>,
    board: Board,
    state: E::State,
    key: Key,
    depth: u32,
    ply: usize,
}

impl<I: Isa, V: Variant, E: Evaluation> Child<'_, '_, I, V, E> {
    /// Its value for the parent with the whole window.
    #[inline(always)]
    fn principal(&mut self, alpha: i32, beta: i32) -> i32 {
        let Self { isa, board, state, key, depth, ply, .. } = *self;
        let thinker = &mut *self.thinker;
        -isa.run(Node::<true, V, E> { thinker, board, state, key, alpha: -beta, beta: -alpha, depth, ply })
    }

    /// Whether its value for the parent is above alpha.
    #[inline(always)]
    fn null(&mut self, alpha: i32) -> i32 {
        let Self { isa, board, state, key, depth, ply, .. } = *self;
        let thinker = &mut *self.thinker;
        let node = Node::<false, V, E> { thinker, board, state, key, alpha: -alpha - 1, beta: -alpha, depth, ply };
        -node.hand_over(isa)
    }
}

impl<V: Variant, E: Evaluation> Thinker<'_, V, E> {
    /// The value of a board on which nobody can move.
    #[inline(always)]
    pub(super) fn final_value(&self, board: Board) -> i32 {
        board.final_score::<V>(self.geometry).discs() * UNITS
    }

    /// Whether an entry is deep and sure enough.
    #[inline(always)]
    pub(super) fn is_sure(&self, entry: Entry, depth: u32) -> bool {
        u32::from(entry.depth) >= depth && entry.level >= self.level.index()
    }

    /// The value of a node if an entry decides it.
    #[inline(always)]
    fn decides(&self, entry: Entry, alpha: i32, beta: i32, depth: u32) -> Option<i32> {
        if !self.techniques.table_values || !self.is_sure(entry, depth) {
            return None;
        }
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= beta {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    /// Stores what was found out about a node.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // All of it is the node's own.
    pub(super) fn remember(
        &mut self,
        key: Key,
        known: Option<Entry>,
        depth: u32,
        value: i32,
        best: Option<Square>,
        alpha: i32,
        beta: i32,
    ) {
        let mut entry = Entry::blank(depth as u8, self.level.index());
        if let Some(old) = known {
            // The same depth and sureness: the other bound still holds.
            if (old.depth, old.level) == (entry.depth, entry.level) {
                (entry.lower, entry.upper) = (old.lower, old.upper);
            }
            entry.second = if old.best == best { old.second } else { old.best };
        }
        entry.best = best;
        if value > alpha {
            entry.lower = value as i16;
        }
        if value < beta {
            entry.upper = value as i16;
        }
        self.table.store(key, entry);
    }

    /// The move at `cut` has refuted the node; those before it have not.
    fn reward(&mut self, start: usize, cut: usize, depth: u32, ply: usize) {
        let failed = self.moves[start..cut].iter().map(|candidate| candidate.square);
        self.history.reward(ply, self.moves[cut].square, depth, failed);
    }
}
