//! Growth: what is searched next, and the threads that search it.
//!
//! The first plies are searched whole. Beyond them the book grows best-first: of the lines that lose little to the best
//! moves, those that are short and lose least go on first. A position is first searched as deep as asked; then each of its
//! moves is, less deep, and those that keep near the best are searched deeper in turn.
//!
//! A batch follows from the book alone, and each search begins with nothing known: so one thread and many grow the same book,
//! and a limit by positions or nodes ends at the same one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use turncoat_board::{Board, Position};

use crate::book::{Book, Next};
use crate::entry::{Found, units};

/// What a book is to become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowSettings {
    /// How deep positions are searched.
    pub depth: u32,
    /// Every position of the first plies is searched, so many of them.
    pub plies: u32,
    /// How many plies lines may have.
    pub line_plies: u32,
    /// How many discs a line may lose to the best moves of both sides.
    pub margin: f64,
    /// Lines also begin wherever neither side is further ahead after the first plies; elsewhere at the start alone.
    pub balanced: Option<f64>,
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { depth: 16, plies: 6, line_plies: 24, margin: 1.0, balanced: None }
    }
}

/// A position to be searched, and how deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// In canonical orientation.
    pub board: Board,
    /// In plies.
    pub depth: u32,
}

/// Who searches the positions of a book.
pub trait Search: Send {
    /// Searches a position without using what earlier searches found; `None` if it was stopped.
    fn search(&mut self, position: Position, depth: u32) -> Option<Found>;
}

/// Searches of a batch within the first plies.
const BATCH: usize = 64;
/// Positions of a batch that go on, beyond the first plies.
const LEAVES: usize = 8;
/// How much less deep the moves of a position are searched at first. Even, since odd depths see other things.
const LESS_DEEP: u32 = 6;
/// So many discs beyond the margin a less deep search is not believed.
const DOUBT: i32 = 2 * crate::UNITS;
/// A loss of a disc counts as much as so many plies.
const PLIES_A_DISC: i32 = 4;

/// What is to be searched next; nothing if the book is all that it was to become.
pub fn batch(book: &Book, settings: &GrowSettings) -> Vec<Task> {
    let stale = |entry: &&crate::Entry| entry.is_stale();
    let again = |entry: &crate::Entry| Task { board: entry.board, depth: entry.depth() };
    let tasks: Vec<Task> = book.entries.iter().filter(stale).take(BATCH).map(again).collect();
    if !tasks.is_empty() {
        return tasks;
    }
    let mut plan =
        Plan { book, settings, margin: i32::from(units(settings.margin)), tasks: BTreeSet::new(), open: Vec::new() };
    plan.walk();
    if plan.tasks.is_empty() {
        plan.go_on();
    }
    // Those with few discs first: what follows builds on them.
    let mut tasks: Vec<Task> = plan.tasks.into_iter().collect();
    tasks.sort_by(|one, other| crate::entry::in_order(one.board, other.board));
    tasks
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
            let rank = ply as i32 * crate::UNITS + PLIES_A_DISC * loss;
            self.open.push((rank, board, is_shallow));
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
        for (next, worth) in self.moves(board) {
            let loss = worth.map_or(loss, |worth| loss + (value - worth).max(0));
            layer.entry(next).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
        }
    }

    /// The moves of a position that lose little enough.
    fn follow_best(&self, board: Board, loss: i32, value: i32, layer: &mut BTreeMap<Board, i32>) {
        for (next, worth) in self.moves(board) {
            let Some(worth) = worth else { continue };
            let loss = loss + (value - worth).max(0);
            if loss <= self.margin + DOUBT {
                layer.entry(next).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
            }
        }
    }

    /// The positions after each move, and what they are worth to the side that moves.
    fn moves(&self, board: Board) -> Vec<(Board, Option<i32>)> {
        let book = self.book;
        let next = |square| match book.next(board, square)? {
            Next::Over(_) => None,
            Next::Turn { board, sign } => {
                Some((board, book.get(board).map(|entry| i32::from(sign) * i32::from(entry.value))))
            }
        };
        board.legal_moves(book.geometry).into_iter().filter_map(next).collect()
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

/// When growth ends, unless the book is complete before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowLimits {
    /// After so many searches.
    pub positions: Option<u64>,
    /// After the batch in which so many nodes were entered.
    pub nodes: Option<u64>,
}

/// How far growth has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Searches that are done.
    pub searched: u64,
    /// Nodes that they entered.
    pub nodes: u64,
}

/// How growth ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// The book is all that it was to become.
    Complete(Progress),
    /// A limit was reached.
    Limited(Progress),
    /// It was stopped.
    Stopped(Progress),
}

impl Growth {
    /// How far it came.
    pub const fn progress(self) -> Progress {
        match self {
            Self::Complete(progress) | Self::Limited(progress) | Self::Stopped(progress) => progress,
        }
    }
}

/// Grows a book with these searchers, a thread each, until a limit is reached or `stop` says so. `observe` sees the book
/// after each search; its values hold after [`Book::settle`].
///
/// # Errors
/// What `observe` returns; the book has everything that was found until then.
pub fn grow<S: Search, E>(
    book: &mut Book,
    settings: &GrowSettings,
    limits: GrowLimits,
    searchers: &mut [S],
    stop: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(&mut Book, Progress) -> Result<(), E>,
) -> Result<Growth, E> {
    let mut plan = GrowPlan::new(*settings, limits);
    loop {
        let tasks = match plan.next(book) {
            Ok(tasks) => tasks,
            Err(ended) => return Ok(ended),
        };
        if !run(book, &tasks, searchers, stop, &mut plan.progress, observe)? {
            book.settle();
            return Ok(Growth::Stopped(plan.progress));
        }
    }
}

/// Growth batch by batch, whoever searches them.
#[derive(Debug, Clone)]
pub struct GrowPlan {
    settings: GrowSettings,
    limits: GrowLimits,
    /// What was searched so far; whoever searches keeps count.
    pub progress: Progress,
    before: Vec<Task>,
}

impl GrowPlan {
    /// The growth of a book to what the settings say, or to the limits.
    pub const fn new(settings: GrowSettings, limits: GrowLimits) -> Self {
        Self { settings, limits, progress: Progress { searched: 0, nodes: 0 }, before: Vec::new() }
    }

    /// What is to be searched next, all of it before this is asked again.
    ///
    /// # Errors
    /// The end of the growth, if there is nothing more.
    pub fn next(&mut self, book: &mut Book) -> Result<Vec<Task>, Growth> {
        let Progress { searched, nodes } = self.progress;
        book.settle();
        let mut tasks = batch(book, &self.settings);
        // A searcher that does not do what it is asked is not asked for ever.
        if tasks.is_empty() || tasks == self.before {
            return Err(Growth::Complete(self.progress));
        }
        let left = self.limits.positions.map_or(u64::MAX, |positions| positions.saturating_sub(searched));
        if left == 0 || self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Err(Growth::Limited(self.progress));
        }
        self.before.clone_from(&tasks);
        tasks.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        Ok(tasks)
    }
}

/// Searches all tasks and inserts what is found; `false` if it was stopped before.
///
/// # Errors
/// What `observe` returns.
pub fn run<S: Search, E>(
    book: &mut Book,
    tasks: &[Task],
    searchers: &mut [S],
    stop: &(dyn Fn() -> bool + Sync),
    progress: &mut Progress,
    observe: &mut dyn FnMut(&mut Book, Progress) -> Result<(), E>,
) -> Result<bool, E> {
    let (taken, is_broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let is_over = || stop() || is_broken.load(Ordering::Relaxed);
    let positions: Vec<Option<Position>> = tasks.iter().map(|task| book.position(task.board)).collect();
    let mut done = 0;
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for searcher in searchers {
            let (send, taken, positions, is_over) = (send.clone(), &taken, &positions, &is_over);
            scope.spawn(move || {
                while !is_over() {
                    let index = taken.fetch_add(1, Ordering::Relaxed);
                    let (Some(task), Some(&Some(position))) = (tasks.get(index), positions.get(index)) else { break };
                    let Some(found) = searcher.search(position, task.depth) else { break };
                    if send.send((task.board, found)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (board, found) in receive {
            book.insert(board, found);
            done += 1;
            progress.searched += 1;
            progress.nodes += found.nodes;
            if let Err(error) = observe(book, *progress) {
                is_broken.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(done == tasks.len())
    })
}

#[cfg(test)]
mod tests;
