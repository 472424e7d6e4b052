//! Plain minimax with alpha-beta, as the course reports have it.
//!
//! Values are the root side's: its moves are MAX nodes, the opponent's are MIN nodes. The reports differ in
//! details that a [`Style`] collects: whether a pass costs a ply, what a finished game is worth, whether
//! only the best few moves of a node are searched, whether flipped discs count along the path, and who wins
//! a tie at the root. There is no table and no clever ordering; the value is that of minimax without
//! pruning, which the tests check.

mod batched;
mod final_search;
mod node;
mod root;

pub use batched::{BatchEvaluation, Batched, Finished, MOST, choose_batched, won_by};
pub use final_search::{Proof, prove};
pub use root::{Choice, Minimax, Ties, choose, score_all};

/// What a finished game is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalValue {
    /// Plus infinity for a win, minus infinity for anything else, a draw included.
    WinOrNothing,
    /// What the evaluation says, as of any other board.
    Evaluated,
}

/// How a report's search differs from the others.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether a side that cannot move passes without using up a ply.
    pub free_pass: bool,
    /// What a finished game is worth.
    pub terminal: TerminalValue,
    /// Only this many moves of a node are searched, those with the best value one ply on.
    pub beam: Option<usize>,
    /// Added to the value for every disc flipped along the path, whichever side flips it.
    pub flip_bonus: f64,
}

impl Style {
    /// Full width, free passes, evaluated endings.
    pub const PLAIN: Self = Self { free_pass: true, terminal: TerminalValue::Evaluated, beam: None, flip_bonus: 0.0 };
}
