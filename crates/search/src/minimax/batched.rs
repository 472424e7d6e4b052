//! Alpha-beta for evaluations that are slow to call and quick for each board, such as functions of arrays.
//!
//! Where the tree below a node is small, all of its leaves are evaluated in one call; above, moves are tried in the order
//! of their values at sight, which are one call too. The value is that of minimax without pruning, which the tests check.

use std::time::Duration;

use turncoat_board::{Board, Geometry, Position, VariantKind};

use super::Choice;
use crate::Watch;

/// An evaluation of many boards at once.
pub trait BatchEvaluation {
    /// Why it has no values.
    type Error;

    /// The value of each board for its mover; higher is better. Finite, and between ±[`MOST`].
    ///
    /// # Errors
    /// If it cannot tell them.
    fn evaluate(&mut self, boards: &[Board]) -> Result<Vec<f64>, Self::Error>;
}

/// The highest value that an evaluation may have; won games are worth more.
pub const MOST: f64 = 1e9;
/// What is added to the score of a finished game that is won.
const WON: f64 = 2.0 * MOST;
/// Moves that a position has usually, to guess the size of a tree.
const USUAL_MOVES: u32 = 8;

/// What a finished game is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    /// More than any value if it is won, less if it is lost, by its score; zero if it is drawn.
    Scored,
    /// What the evaluation says, as of any other board.
    Evaluated,
}

/// A search to be made.
#[derive(Debug, Clone, Copy)]
pub struct Batched {
    /// Which game is played.
    pub variant: VariantKind,
    /// What a finished game is worth.
    pub finished: Finished,
    /// Boards of a call, about: a node with fewer leaves is not searched but evaluated as a whole.
    pub batch: usize,
    /// Plies to look ahead at most, passes not counted.
    pub depth: u32,
    /// How long it may take; it ends before a call that would probably take too long.
    pub time: Option<Duration>,
}

/// The score of a finished game in discs, if a value is one.
pub fn won_by(value: f64) -> Option<f64> {
    (value.abs() > MOST).then(|| value - WON.copysign(value))
}

/// Chooses a move, deepening ply by ply; `better` hears of the best move and the depth after each. Of equal moves the last
/// in the order of squares is chosen. `None` without a legal move, or if the watch ended the first ply.
///
/// # Errors
/// If the evaluation fails.
pub fn choose_batched<E: BatchEvaluation>(
    search: Batched,
    position: Position,
    evaluation: &mut E,
    watch: &mut Watch,
    better: &mut dyn FnMut(Choice, u32),
) -> Result<Option<Choice>, E::Error> {
    let (board, geometry) = (position.board(), position.geometry());
    let mut tree = Tree { search, geometry, evaluation, watch };
    let moves = board.legal_moves(geometry).into_iter();
    let mut order: Vec<Choice> = moves.map(|square| Choice { square, value: 0.0 }).collect();
    let mut best = None;
    for depth in 1..=search.depth.min(position.empties()) {
        let Some(choice) = tree.iterate(board, depth, &mut order)? else { break };
        best = Some(choice);
        better(choice, depth);
        // The rest of a decided game is known.
        if won_by(choice.value).is_some_and(|discs| discs > 0.0) {
            break;
        }
    }
    Ok(best)
}

struct Tree<'a, E> {
    search: Batched,
    geometry: Geometry,
    evaluation: &'a mut E,
    watch: &'a mut Watch,
}

impl<E: BatchEvaluation> Tree<'_, E> {
    /// One complete search of all moves, which it leaves in the order of their values; `None` if the watch ended it.
    fn iterate(&mut self, board: Board, depth: u32, order: &mut [Choice]) -> Result<Option<Choice>, E::Error> {
        let Some(first) = order.first().copied() else { return Ok(None) };
        let after = |choice: &Choice| board.after(choice.square, board.flips(choice.square));
        if self.is_small(board, depth) {
            let roots: Vec<Board> = order.iter().map(after).collect();
            let Some(values) = self.values(&roots, depth - 1)? else { return Ok(None) };
            for (choice, value) in order.iter_mut().zip(values) {
                choice.value = -value;
            }
        } else {
            let mut best = Choice { value: f64::NEG_INFINITY, ..first };
            for choice in &mut *order {
                // A window just below the best value scores equal moves exactly too.
                let wins_ties = choice.square.index() >= best.square.index();
                let alpha = if wins_ties { best.value.next_down() } else { best.value };
                let value = self.value(after(choice), depth - 1, f64::NEG_INFINITY, -alpha)?;
                let Some(value) = value else { return Ok(None) };
                choice.value = -value;
                if choice.value > alpha {
                    best = *choice;
                }
            }
        }
        let by_value = |a: &Choice, b: &Choice| {
            b.value.partial_cmp(&a.value).map(|order| order.then(b.square.index().cmp(&a.square.index())))
        };
        order.sort_by(|a, b| by_value(a, b).unwrap_or(std::cmp::Ordering::Equal));
        Ok(order.first().copied())
    }

    /// The value of a board for its mover, or a bound outside the window; `None` if the watch ended the search.
    fn value(&mut self, board: Board, depth: u32, mut alpha: f64, beta: f64) -> Result<Option<f64>, E::Error> {
        let moves = board.legal_moves(self.geometry);
        if moves.is_empty() && !board.is_over(self.geometry) {
            return Ok(self.value(board.pass(), depth, -beta, -alpha)?.map(|value| -value));
        }
        if moves.is_empty() || self.is_small(board, depth) {
            return Ok(self.values(&[board], depth)?.and_then(|values| values.first().copied()));
        }
        let children: Vec<Board> = moves.into_iter().map(|square| board.after(square, board.flips(square))).collect();
        let Some(at_sight) = self.values(&children, 0)? else { return Ok(None) };
        let mut order: Vec<(f64, Board)> = at_sight.into_iter().zip(children).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = f64::NEG_INFINITY;
        for (_, child) in order {
            let Some(value) = self.value(child, depth - 1, -beta, -alpha)? else { return Ok(None) };
            best = best.max(-value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(Some(best))
    }

    /// Whether the tree below a board probably has no more leaves than a call may have; one of a single ply always does.
    fn is_small(&self, board: Board, depth: u32) -> bool {
        let moves = board.legal_moves(self.geometry).count().max(USUAL_MOVES);
        let empties = board.empties(self.geometry).count();
        let leaves = (0..depth).try_fold(1usize, |leaves, ply| {
            let leaves = leaves.checked_mul(moves.min(empties.saturating_sub(ply)).max(1) as usize)?;
            (leaves <= self.search.batch).then_some(leaves)
        });
        depth <= 1 || leaves.is_some()
    }

    /// The values of boards for their movers, all leaves in one call; `None` if the watch ended the search.
    fn values(&mut self, boards: &[Board], depth: u32) -> Result<Option<Vec<f64>>, E::Error> {
        let mut leaves = Vec::new();
        for &board in boards {
            self.walk(board, depth, &mut |leaf| {
                leaves.push(leaf);
                0.0
            });
        }
        let mut values = Vec::new();
        if !leaves.is_empty() {
            let late = self.search.time.is_some_and(|time| self.watch.elapsed() + self.watch.longest_gap() > time);
            if self.watch.check() || late {
                return Ok(None);
            }
            values = self.evaluation.evaluate(&leaves)?;
            self.watch.count(leaves.len() as u64);
            // The gap since the check was the call's.
            self.watch.check();
        }
        let mut values = values.into_iter();
        // As many as there were leaves.
        let mut next = |_| values.next().unwrap_or(0.0);
        Ok(Some(boards.iter().map(|&board| self.walk(board, depth, &mut next)).collect()))
    }

    /// The value of a board for its mover by minimax; the same leaves are visited in the same order every time.
    fn walk(&self, board: Board, depth: u32, leaf: &mut dyn FnMut(Board) -> f64) -> f64 {
        let moves = board.legal_moves(self.geometry);
        if moves.is_empty() && board.is_over(self.geometry) {
            return match self.search.finished {
                Finished::Scored => self.score(board),
                Finished::Evaluated => leaf(board),
            };
        }
        if depth == 0 {
            return leaf(board);
        }
        if moves.is_empty() {
            return -self.walk(board.pass(), depth, leaf);
        }
        let child = |square| -self.walk(board.after(square, board.flips(square)), depth - 1, leaf);
        moves.into_iter().map(child).fold(f64::NEG_INFINITY, f64::max)
    }

    fn score(&self, board: Board) -> f64 {
        let discs = f64::from(board.final_score_of(self.search.variant, self.geometry).discs());
        if discs == 0.0 { 0.0 } else { discs + WON.copysign(discs) }
    }
}
