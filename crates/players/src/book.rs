//! Books in the hands of players: those that come with the program, and the searches that books grow by.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use thiserror::Error;
use turncoat_board::{Geometry, Move, Position, Score, Variant, VariantKind};
use turncoat_book::{Book, BookFault, Evaluation, Found, LARGEST, Search, locate};
use turncoat_search::endgame::{Goal, Solution};
use turncoat_search::transposition::TranspositionTable;
use turncoat_util::read_file;

use crate::flagship::{BestSolver, EvaluationTask, with_evaluation};
use crate::{BuildError, Limits, MoveInfo, Player, Setting, Spec, StopFlag};

/// Why the book of a file cannot be used.
#[derive(Debug, Error)]
pub enum ReadBookError {
    /// The system fails to read it.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is no book.
    #[error("{path}: {source}")]
    Fault {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: BookFault,
    },
}

/// The book of a file.
///
/// # Errors
/// If it cannot be read, or is no book.
pub fn read_book(path: &Path) -> Result<Book, ReadBookError> {
    let name = || path.display().to_string();
    let file = read_file(path, LARGEST).map_err(|source| ReadBookError::Io { path: name(), source })?;
    Book::read(&file).map_err(|source| ReadBookError::Fault { path: name(), source })
}

/// The book that comes with the program for a game and size, if there is one; read at its first use.
///
/// # Errors
/// If it cannot be read, or is no book of this game and size.
pub fn shipped_book(variant: VariantKind, geometry: Geometry) -> Result<Option<Arc<Book>>, String> {
    let place = kept(variant, geometry);
    if let Some(book) = place.get() {
        return Ok(Some(Arc::clone(book)));
    }
    let Some(path) = locate(variant, geometry) else { return Ok(None) };
    // Where the program's files lie is not for everybody whom a server answers.
    let name = path.file_name().unwrap_or_default().display();
    let broken = |fault: &dyn std::fmt::Display| format!("the program's {name}: {fault}; book=off plays without it");
    let book = read_book(&path).map_err(|error| match error {
        ReadBookError::Io { source, .. } => broken(&source),
        ReadBookError::Fault { source, .. } => broken(&source),
    })?;
    check_kind(&book, variant, geometry).map_err(|fault| broken(&fault))?;
    Ok(Some(Arc::clone(place.get_or_init(|| Arc::new(book)))))
}

/// Takes the book of a game and size from its file, for a program that has no files beside it; the first one stays.
///
/// # Errors
/// If it is no book.
pub fn install_book(file: &[u8]) -> Result<(), BookFault> {
    let book = Book::read(file)?;
    kept(book.variant(), book.geometry()).get_or_init(|| Arc::new(book));
    Ok(())
}

/// What a book has proven of a position: its exact score, and perfect play as far as the book goes. None where it has the
/// score alone: a solver can name the move too.
pub fn known_solution(book: &Book, position: Position) -> Option<Solution> {
    let entry = book.find(position).filter(|entry| entry.is_proven())?;
    exact_solution(entry.value(), book.line(position)).filter(|solution| solution.best().is_some())
}

/// An exact score with the line that brings it.
pub fn exact_solution(score: f64, line: Vec<Move>) -> Option<Solution> {
    let score = Score::new(score.round() as i32).ok()?;
    Some(Solution { lower: score, upper: score, line, nodes: 0, handed_over: 0, complete: true, likely: None })
}

/// Refuses a book of another game or size.
///
/// # Errors
/// If it is one.
pub fn check_kind(book: &Book, variant: VariantKind, geometry: Geometry) -> Result<(), String> {
    if (book.variant(), book.geometry()) == (variant, geometry) {
        return Ok(());
    }
    Err(format!("the book is for {} on {}, not for {variant} on {geometry}", book.variant(), book.geometry()))
}

/// Where the book of a game and size is kept.
fn kept(variant: VariantKind, geometry: Geometry) -> &'static OnceLock<Arc<Book>> {
    static KEPT: [[OnceLock<Arc<Book>>; 5]; 2] = [const { [const { OnceLock::new() }; 5] }; 2];
    &KEPT[usize::from(variant == VariantKind::Reversi)][usize::from(geometry.side() / 2)]
}

/// The evaluation of this name, as books note it.
///
/// # Errors
/// If there is none for this game and size.
pub fn book_evaluation(name: &str, variant: VariantKind, geometry: Geometry) -> Result<Evaluation, String> {
    let checksum = with_evaluation(name, variant, geometry, Checksum)?;
    Ok(Evaluation { name: name.to_owned(), checksum })
}

struct Checksum;

impl EvaluationTask for Checksum {
    type Output = u64;
    fn run<V: Variant, E: turncoat_eval::Evaluation + 'static>(self, _: V, evaluation: E) -> u64 {
        evaluation.checksum()
    }
}

/// A player that searches the positions of a book.
pub struct BookSearch {
    player: Box<dyn Player>,
    stop: StopFlag,
}

impl BookSearch {
    /// Searches by this player, on one thread.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn new(player: &Spec, setting: Setting, stop: StopFlag) -> Result<Self, BuildError> {
        Ok(Self { player: player.build(setting)?, stop })
    }
}

impl Search for BookSearch {
    fn search(&mut self, position: Position, depth: u32) -> Option<Found> {
        // Forgets what it has found elsewhere, so that the order of searches changes nothing.
        self.player.new_game(0);
        let limits = Limits { depth: Some(depth), threads: Some(1), stop: self.stop.clone(), ..Limits::default() };
        let mut before = None;
        let mut keep = |info: &MoveInfo| {
            if info.depth + 1 == depth {
                before = info.score;
            }
        };
        let info = self.player.choose(position, &limits, &mut keep).ok()??;
        if self.stop.is_raised() {
            return None;
        }
        // An evaluation flatters one of the sides to move, so that even and odd depths differ: by a disc or two with the
        // trained one. A book compares positions of both sides to move: the mean of two depths favours neither.
        let score = match before {
            Some(before) if !info.exact => f64::midpoint(info.score?, before),
            _ => info.score?,
        };
        Some(Found { score, depth: info.depth, is_exact: info.exact, best: Some(info.best), nodes: info.nodes })
    }
}

/// The solver of a book's positions. Several share a table: scores are exact, whatever the order.
pub struct BookSolver {
    solver: BestSolver,
    stop: StopFlag,
}

impl BookSolver {
    /// A solver with this table, on one thread.
    pub fn new(table: Arc<TranspositionTable>, variant: VariantKind, geometry: Geometry, stop: StopFlag) -> Self {
        Self { solver: BestSolver::with_table(table, 1, variant, geometry), stop }
    }
}

impl Search for BookSolver {
    fn search(&mut self, position: Position, _: u32) -> Option<Found> {
        let limits = Limits { stop: self.stop.clone(), ..Limits::default() };
        let solution = self.solver.solve(position, Goal::Score, &limits, &|_| {});
        let score = solution.score().filter(|_| solution.complete)?;
        Some(Found {
            score: f64::from(score.discs()),
            depth: position.empties(),
            is_exact: true,
            best: solution.best().and_then(Move::square),
            nodes: solution.nodes,
        })
    }
}
