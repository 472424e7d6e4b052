//! Answers to what a rival plays.
//!
//! One side plays by the book, of either colour: where it is to move, one deep search says what it plays. The other side is
//! the rival, who looks less far ahead. How far in a game depends on the clock, so positions are searched to several depths in
//! turn, and each move that is the best of one of them may come. The same position is often reached by either side, so that
//! all are searched so, and deeply where the book is to move. Lines in which the rival loses more than the margin end, since
//! the book is no longer needed.

use std::collections::{BTreeMap, BTreeSet};

use turncoat_board::Board;

use super::{BATCH, GrowSettings, Task, rank};
use crate::book::{Book, Next};
use crate::entry::{Entry, Found, discs, units};
use crate::exact::layers;

/// The depths that a rival may reach.
const DEPTHS: u32 = 3;
/// A player of the book draws among moves that lose no more (a fifth of a disc).
const DRAWN: i32 = crate::UNITS / 5;

/// A position, and whether the side that plays by the book is to move.
type Turn = (Board, bool);

/// The first searches that lines of answers lack; nothing if they are all there. What the rival may play is noted.
pub(super) fn tasks(book: &mut Book, settings: &GrowSettings, rival: u32) -> BTreeSet<Task> {
    let GrowSettings { depth, margin, .. } = *settings;
    let margin = i32::from(units(margin));
    let mut plan = Plan { book, depth, rival, margin, open: BTreeSet::new() };
    let mut layer = plan.begin(settings);
    while layer.keys().next().is_some_and(|&(board, _)| Book::ply(board) < settings.line_plies) {
        let mut next = BTreeMap::new();
        for (turn, loss) in layer {
            plan.visit(turn, loss, &mut next);
        }
        layer = next;
    }
    plan.open.into_iter().map(|(_, task)| task).take(BATCH).collect()
}

struct Plan<'a> {
    book: &'a mut Book,
    depth: u32,
    rival: u32,
    margin: i32,
    /// What is to be searched, by the order in which lines go on.
    open: BTreeSet<(i32, Task)>,
}

impl Plan<'_> {
    /// Where lines begin once the first plies are there: the start, or the balanced openings, for either colour.
    fn begin(&mut self, settings: &GrowSettings) -> BTreeMap<Turn, i32> {
        let mut layers = layers(self.book, settings.plies);
        let last = layers.pop().unwrap_or_default();
        // Lines go on from the last of these plies, and so with what a rival may play there.
        let wanted = layers.into_iter().flatten().map(|board| (board, self.depth));
        let wanted = wanted.chain(last.iter().map(|&board| (board, self.least())));
        let missing: Vec<_> = wanted.filter(|&(board, _)| self.book.get(board).is_none()).collect();
        if !missing.is_empty() {
            for (board, depth) in missing {
                self.search(board, depth, 0);
            }
            return BTreeMap::new();
        }
        let openings = match settings.balanced {
            None => BTreeSet::from([self.book.root()]),
            Some(most) => {
                let is_fair = |board: &Board| self.book.get(*board).is_some_and(|entry| entry.value().abs() <= most);
                last.into_iter().filter(is_fair).collect()
            }
        };
        openings.into_iter().flat_map(|board| [true, false].map(|is_ours| ((board, is_ours), 0))).collect()
    }

    fn search(&mut self, board: Board, depth: u32, loss: i32) {
        self.open.insert((rank(Book::ply(board), loss), Task { board, depth }));
    }

    fn visit(&mut self, (board, is_ours): Turn, loss: i32, layer: &mut BTreeMap<Turn, i32>) {
        let Some(entry) = self.book.get(board).copied() else { return self.search(board, self.least(), loss) };
        if entry.is_proven() {
            return;
        }
        if !entry.is_complete() {
            self.note(&entry);
            if entry.depth() < self.rival {
                return self.search(board, self.least().max(entry.depth() + 1), loss);
            }
            if is_ours {
                return self.answer(&entry, loss, layer);
            }
        }
        let most = if is_ours { DRAWN } else { self.margin - loss };
        let worths: Vec<i32> = self.book.worths(board).filter_map(|(_, worth)| worth).collect();
        let best = worths.into_iter().max().unwrap_or_default();
        let turns: Vec<(Board, i16)> = self.book.turns(board).collect();
        for (next, sign) in turns {
            let Some(lost) = self.book.get(next).map(|next| best - i32::from(sign * next.value)) else { continue };
            if lost <= most {
                follow(layer, (next, is_ours == (sign > 0)), if is_ours { loss } else { loss + lost });
            }
        }
    }

    /// The least depth that the rival may reach.
    fn least(&self) -> u32 {
        self.rival.saturating_sub(DEPTHS - 1).max(1)
    }

    /// Where the side of the book has no more than a search: what that says, if it was deep.
    fn answer(&mut self, entry: &Entry, loss: i32, layer: &mut BTreeMap<Turn, i32>) {
        if entry.depth() < self.depth {
            return self.search(entry.board, self.depth, loss);
        }
        if let Some(Next::Turn { board, sign }) = entry.best.and_then(|best| self.book.next(entry.board, best)) {
            follow(layer, (board, sign > 0), loss);
        }
    }

    /// Notes that the rival may play the best move of this search: the position after it is in the book from now on, as if it
    /// had been searched less deep than any rival looks.
    fn note(&mut self, entry: &Entry) {
        let next = entry.best.and_then(|best| self.book.next(entry.board, best));
        let Some(Next::Turn { board, sign }) = next else { return };
        if self.book.get(board).is_none() {
            let (score, depth) = (discs(sign * entry.score), self.least() - 1);
            self.book.insert(board, Found { score, depth, is_exact: false, best: None, nodes: 0 });
        }
    }
}

/// Whoever comes to a turn by several ways comes by that which loses least.
fn follow(layer: &mut BTreeMap<Turn, i32>, turn: Turn, loss: i32) {
    layer.entry(turn).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
}
