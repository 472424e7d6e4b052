//! Growth: what is searched next, and the threads that search it.
//!
//! Each [`Aim`] has a file of its own that says what it lacks: [`lines`], [`choices`], [`answers`].
//!
//! A batch follows from the book alone, and each search begins with nothing known: so one thread and many grow the same book,
//! and a limit by positions or nodes ends at the same one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use thiserror::Error;
use turncoat_board::{Board, Position};

use crate::book::Book;
use crate::entry::{Entry, Found, in_order, units};

mod answers;
mod choices;
mod lines;

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
    /// What grows.
    pub aim: Aim,
}

/// What grows in a book.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// Every position of the first plies, then lines near the best moves of both sides.
    Lines,
    /// Moves that lose no more than so many discs to the best of their position are searched as deep as asked, wherever the
    /// book has all moves of a position: no new positions, but surer choices.
    Choices {
        /// In discs.
        within: f64,
    },
    /// Answers of either side to what a rival plays who looks so many plies ahead.
    Answers {
        /// In plies, fewer than positions are searched.
        rival: u32,
    },
}

/// A rival who looks no less far ahead than the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a rival looks less far ahead than the book, whose searches are {depth} plies deep: not {rival}")]
pub struct RivalError {
    depth: u32,
    rival: u32,
}

impl Aim {
    /// Surer choices, answers to a rival, or without either lines, with searches so deep.
    ///
    /// # Errors
    /// If the rival looks as far ahead.
    pub const fn new(depth: u32, choices: Option<f64>, rival: Option<u32>) -> Result<Self, RivalError> {
        match (choices, rival) {
            (Some(within), _) => Ok(Self::Choices { within }),
            (None, Some(rival)) if rival >= depth => Err(RivalError { depth, rival }),
            (None, Some(rival)) => Ok(Self::Answers { rival }),
            (None, None) => Ok(Self::Lines),
        }
    }
}

impl Default for GrowSettings {
    fn default() -> Self {
        Self { depth: 16, plies: 6, line_plies: 24, margin: 1.0, balanced: None, aim: Aim::Lines }
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

/// Searches of a batch.
const BATCH: usize = 64;
/// A loss of a disc counts as much as so many plies.
const PLIES_A_DISC: i32 = 4;

/// The place of a line among those that go on: short ones that lose little come first.
fn rank(ply: u32, loss: i32) -> i32 {
    ply as i32 * crate::UNITS + PLIES_A_DISC * loss
}

/// What is to be searched next; nothing if the book is all that it was to become. What a rival may play is noted in the book.
pub fn batch(book: &mut Book, settings: &GrowSettings) -> Vec<Task> {
    let again = |entry: &Entry| Task { board: entry.board, depth: entry.depth() };
    let stale = book.entries.iter().filter(|entry| entry.is_stale());
    let mut tasks: Vec<Task> = stale.take(BATCH).map(again).collect();
    if !tasks.is_empty() {
        return tasks;
    }
    tasks.extend(match settings.aim {
        Aim::Lines => lines::tasks(book, settings),
        Aim::Choices { within } => choices::tasks(book, settings.depth, i32::from(units(within))),
        Aim::Answers { rival } => answers::tasks(book, settings, rival),
    });
    // Those with few discs first: what follows builds on them.
    tasks.sort_by(|one, other| in_order(one.board, other.board));
    tasks
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
