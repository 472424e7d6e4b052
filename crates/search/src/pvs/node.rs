//! One node of the midgame tree.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Move, Square, Variant};
use turncoat_eval::{Evaluation, UNITS};

use super::INFINITE;
use super::order;
use super::searcher::Searcher;
use super::shallow::{SHALLOW, ShallowSearch};
use super::team::Asked;
use crate::candidate::{Candidate, bring_best_forward};
use crate::transposition::{Entry, Key};

/// From this depth on the children are looked up before any is searched.
const CUT_BY_CHILDREN: u32 = 5;
/// From this depth on a principal node without a known move searches for one first.
const DEEPEN_INSIDE: u32 = 5;

/// A node from the view of its mover. `PV` marks the nodes whose exact value and line are wanted; all others
/// are asked with a null window.
pub(super) struct PvsNode<'t, 'a, const PV: bool, V, E: Evaluation> {
    pub(super) searcher: &'t mut Searcher<'a, V, E>,
    pub(super) board: Board,
    pub(super) state: E::State,
    pub(super) key: Key,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: u32,
    pub(super) ply: usize,
}

impl<const PV: bool, V: Variant, E: Evaluation> Task for PvsNode<'_, '_, PV, V, E> {
    type Output = i32;

    /// The value, fail-soft; meaningless once the watch is over.
    #[inline(always)]
    #[allow(clippy::too_many_lines)] // One readable body: the parts that can stand alone already do.
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { searcher, board, state, key, mut alpha, beta, depth, ply } = self;
        if !searcher.enter() {
            return 0;
        }
        if PV {
            searcher.variations[ply].clear();
        }
        let empties = searcher.empties(board);
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return searcher.final_value(board);
            }
            let state = searcher.evaluation.passed(&state);
            let key = searcher.key(passed);
            let (board, alpha, beta, next) = (passed, -beta, -alpha, ply + 1);
            let node =
                PvsNode::<PV, V, E> { searcher: &mut *searcher, board, state, key, alpha, beta, depth, ply: next };
            let value = -node.hand_over(isa);
            if PV {
                searcher.set_variation(ply, Move::Pass);
            }
            return value;
        }
        if depth == 0 {
            return searcher.evaluation.evaluate(isa, board, moves, &state);
        }
        let known = searcher.table.probe(key);
        if !PV && let Some(value) = known.and_then(|entry| searcher.decides(entry, alpha, beta, depth)) {
            return value;
        }
        if !PV && let Some(value) = searcher.probcut(isa, board, &state, key, moves, alpha, depth, ply) {
            return value;
        }
        let techniques = searcher.techniques;
        let mut hint = known.map(|entry| (entry.best, entry.second));
        if PV && techniques.inner_deepening && depth >= DEEPEN_INSIDE && hint.is_none_or(|(best, _)| best.is_none()) {
            isa.run(PvsNode::<true, V, E> {
                searcher: &mut *searcher,
                board,
                state,
                key,
                alpha,
                beta,
                depth: depth - 2,
                ply,
            });
            hint = searcher.table.probe(key).map(|entry| (entry.best, entry.second));
            searcher.variations[ply].clear();
        }
        let hint = hint.filter(|_| techniques.table_moves).unwrap_or_default();
        // Where a null window is asked, the table move often answers alone: the others are listed when it has not.
        let first = hint.0.filter(|&square| !PV && moves.contains(square)).map_or(Bitboard::EMPTY, Bitboard::from);
        let start = searcher.list_moves(isa, board, &state, first);
        let mut rest = moves & !first;
        let floor = alpha;
        let (mut best, mut best_square) = (-INFINITE, None);
        let mut i = start;
        loop {
            if i == searcher.moves.len() {
                if rest.is_empty() {
                    break;
                }
                searcher.list_moves(isa, board, &state, rest);
                rest = Bitboard::EMPTY;
                if !PV && let Some(value) = searcher.refuted_by_child(i, beta, depth) {
                    searcher.moves.truncate(start);
                    return value;
                }
                order::rank(isa, searcher, i, depth, ply, hint);
            }
            bring_best_forward(&mut searcher.moves[i..]);
            let next = searcher.moves[i];
            let mut claim = None;
            if i > start && searcher.is_shared(depth) {
                let was_put_off = next.rank == order::PUT_OFF;
                if !PV && was_put_off {
                    // Another thread may have settled the node by now.
                    let known = searcher.table.probe(key);
                    if let Some(value) = known.and_then(|entry| searcher.decides(entry, alpha, beta, depth)) {
                        searcher.moves.truncate(start);
                        return value;
                    }
                }
                claim = searcher.claim(next.key, depth, was_put_off);
                if claim.is_none() {
                    searcher.moves[i].rank = order::PUT_OFF;
                    continue;
                }
            }
            if PV {
                // A move that fails high has no line of its own: it must not inherit the one before.
                searcher.variations[ply + 1].clear();
            }
            let mut child = Child {
                isa,
                searcher: &mut *searcher,
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
            if let Some(claim) = claim {
                searcher.release(claim);
            }
            if searcher.is_over() {
                break;
            }
            if value > best {
                (best, best_square) = (value, Some(next.square));
                if value > alpha {
                    alpha = value;
                    if PV {
                        searcher.set_variation(ply, Move::Place(next.square));
                    }
                    if alpha >= beta {
                        searcher.reward(start, i, depth, ply);
                        break;
                    }
                }
            }
            i += 1;
        }
        searcher.moves.truncate(start);
        if searcher.is_over() {
            return 0;
        }
        searcher.remember(key, known, depth, best, best_square, floor, beta);
        best
    }
}

impl<const PV: bool, V: Variant, E: Evaluation> PvsNode<'_, '_, PV, V, E> {
    /// Searches this node, by the shallow function where that serves.
    #[inline(always)]
    pub(super) fn hand_over<I: Isa>(self, isa: I) -> i32 {
        if !PV && self.depth <= SHALLOW {
            let Self { searcher, board, state, alpha, beta, depth, .. } = self;
            return isa.run(ShallowSearch { searcher, board, state, alpha, beta, depth });
        }
        isa.run(self)
    }
}

/// A child about to be searched, perhaps twice.
struct Child<'t, 'a, I, V, E: Evaluation> {
    isa: I,
    searcher: &'t mut Searcher<'a, V, E>,
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
        let searcher = &mut *self.searcher;
        -isa.run(PvsNode::<true, V, E> { searcher, board, state, key, alpha: -beta, beta: -alpha, depth, ply })
    }

    /// Whether its value for the parent is above alpha.
    #[inline(always)]
    fn null(&mut self, alpha: i32) -> i32 {
        let Self { isa, board, state, key, depth, ply, .. } = *self;
        let (alpha, beta) = (-alpha - 1, -alpha);
        -self.searcher.unless_settled(Asked { key, alpha, depth }, |searcher| {
            PvsNode::<false, V, E> { searcher, board, state, key, alpha, beta, depth, ply }.hand_over(isa)
        })
    }
}

impl<V: Variant, E: Evaluation> Searcher<'_, V, E> {
    /// The value of a board on which nobody can move.
    #[inline(always)]
    pub(super) fn final_value(&self, board: Board) -> i32 {
        board.final_score::<V>(self.geometry).discs() * UNITS
    }

    /// Whether an entry is deep and sure enough.
    #[inline(always)]
    pub(super) fn is_sure(&self, entry: Entry, depth: u32) -> bool {
        u32::from(entry.depth) >= depth && entry.level >= self.selectivity.index()
    }

    /// The value of a node if an entry decides it.
    #[inline(always)]
    pub(super) fn decides(&self, entry: Entry, alpha: i32, beta: i32, depth: u32) -> Option<i32> {
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

    /// The value of a node if the table knows that one of the moves listed from `start` on refutes it.
    #[inline(always)]
    fn refuted_by_child(&self, start: usize, beta: i32, depth: u32) -> Option<i32> {
        if !self.techniques.child_lookup || depth < CUT_BY_CHILDREN {
            return None;
        }
        let known =
            |child: &Candidate<E::State>| self.table.probe(child.key).filter(|entry| self.is_sure(*entry, depth - 1));
        self.moves[start..].iter().filter_map(known).map(|entry| -i32::from(entry.upper)).find(|value| *value >= beta)
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
        let mut entry = Entry::blank(depth as u8, self.selectivity.index());
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
