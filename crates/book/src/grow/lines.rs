//! Lines near the best moves of both sides.
//!
//! The first plies are searched whole. Beyond them the book grows best-first: of the lines that lose little to the best
//! moves, those that are short and lose least go on first. A position is first searched as deep as asked; then each of its
//! moves is, less deep, and those that keep near the best are searched deeper in turn.

use std::collections::{BTreeMap, BTreeSet};

use turncoat_board::Board;

use super::{BATCH, GrowSettings, Task, rank};
use crate::book::Book;
use crate::entry::units;

/// Positions of a batch that go on, beyond the first plies.
const LEAVES: usize = 8;
/// How much less deep the moves of a position are searched at first.
const LESS_DEEP: u32 = 6;
/// So many discs beyond the margin a less deep search is not believed.
const DOUBT: i32 = 2 * crate::UNITS;

/// What the lines lack; nothing if they are all there.
pub(super) fn tasks(book: &Book, settings: &GrowSettings) -> BTreeSet<Task> {
    let margin = i32::from(units(settings.margin));
    let mut plan = Plan { book, settings, margin, tasks: BTreeSet::new(), open: Vec::new() };
    plan.walk();
    if plan.tasks.is_empty() {
        plan.go_on();
    }
    plan.tasks
}

struct Plan<'a> {
    book: &'a Book,
    settings: &'a GrowSettings,
    margin: i32,
    tasks: BTreeSet<Task>,
    /// Positions at which lines end, by the order in which they go on.
    open: Vec<(i32, Board, bool)>,
}

impl Plan<'_> {
    /// Walks the book from the start, ply by ply, with the least loss of the lines to each position.
    fn walk(&mut self) {
        let mut layer = BTreeMap::from([(self.book.root(), 0)]);
        for ply in 0..=self.settings.line_plies.max(self.settings.plies) {
            let mut next = BTreeMap::new();
            for (board, loss) in layer {
                self.visit(board, loss, ply, &mut next);
                if self.tasks.len() >= BATCH {
                    return;
                }
            }
            layer = next;
        }
    }

    fn visit(&mut self, board: Board, loss: i32, ply: u32, layer: &mut BTreeMap<Board, i32>) {
        let Self { book, settings, margin, .. } = *self;
        let is_early = ply <= settings.plies;
        let Some(entry) = book.get(board) else {
            // Of the first plies, or the start: elsewhere lines are followed as far as they are known.
            self.tasks.insert(Task { board, depth: settings.depth });
            return self.follow(board, ply, layer);
        };
        let is_shallow = entry.depth() < settings.depth && !entry.is_exact();
        if is_early && is_shallow {
            self.tasks.insert(Task { board, depth: settings.depth });
        }
        if ply < settings.plies {
            return self.follow_all(board, loss, i32::from(entry.value), layer);
        }
        let begins = ply == settings.plies && settings.balanced.is_some_and(|most| entry.value().abs() <= most);
        let loss = if begins { 0 } else { loss };
        if entry.is_complete() {
            return self.follow_best(board, loss, i32::from(entry.value), layer);
        }
        let may_go_on = ply < settings.line_plies && loss <= margin && !entry.is_proven();
        if is_shallow || may_go_on {
            self.open.push((rank(ply, loss), board, is_shallow));
        }
    }

    /// The moves of a position that is not in the book yet, where all are wanted.
    fn follow(&self, board: Board, ply: u32, layer: &mut BTreeMap<Board, i32>) {
        if ply < self.settings.plies {
            layer.extend(self.book.nexts(board).into_iter().map(|next| (next, 0)));
        }
    }

    /// All moves of a position; what those lose that are known.
    fn follow_all(&self, board: Board, loss: i32, value: i32, layer: &mut BTreeMap<Board, i32>) {
        for (next, worth) in self.book.worths(board) {
            let loss = worth.map_or(loss, |worth| loss + (value - worth).max(0));
            layer.entry(next).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
        }
    }

    /// The moves of a position that lose little enough.
    fn follow_best(&self, board: Board, loss: i32, value: i32, layer: &mut BTreeMap<Board, i32>) {
        for (next, worth) in self.book.worths(board) {
            let Some(worth) = worth else { continue };
            let loss = loss + (value - worth).max(0);
            if loss <= self.margin + DOUBT {
                layer.entry(next).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
            }
        }
    }

    /// The lines that go on first: a deeper search of their last position, or its moves.
    fn go_on(&mut self) {
        self.open.sort_unstable();
        for &(_, board, is_shallow) in self.open.iter().take(LEAVES) {
            if is_shallow {
                self.tasks.insert(Task { board, depth: self.settings.depth });
                continue;
            }
            let depth = self.settings.depth.saturating_sub(LESS_DEEP).max(1);
            let missing = self.book.nexts(board).into_iter().filter(|&next| self.book.get(next).is_none());
            self.tasks.extend(missing.map(|board| Task { board, depth }));
        }
    }
}
