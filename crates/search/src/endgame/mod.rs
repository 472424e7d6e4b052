//! Perfect play: the exact solver of both variants and all sizes.
//!
//! One body serves everything: the variant is a sign at the end of the game, a preference in the order of
//! moves and the direction of one bound. Every search answers one question, whether the mover's score is
//! above a bar. Scores are even and bars odd, so that no score lies on a bar, and a bar changes only its sign
//! from one side to the other. The root asks this about bars ever closer to the score, from a probable score
//! outwards; the last two answers are the proof.
//!
//! From the leaves to the root, a file each:
//! - `last`: four to one empty squares, with the last move's flips counted by `count`;
//! - `shallow`: a few empties more, without the table;
//! - `near`: up to ten empties, with a small table;
//! - `node`: everything above, with the large table, stability bounds, enhanced transposition cut-offs, an order of
//!   moves (`order`) that looks ahead (`lookahead`) with an evaluation (`tuning`), cuts by probability
//!   (`selective`) while the score is still being guessed, and moves shared between threads;
//! - `solve`: the bars and the line of best play;
//! - `pool`: the moves that threads share;
//! - `run`: threads, the position, and its moves one after the other;
//! - `root`: limits, progress, and what a solve hands back.

mod count;
mod last;
mod lookahead;
mod near;
mod node;
mod order;
mod parity;
mod pool;
mod question;
mod root;
mod run;
mod selective;
mod shallow;
mod solve;
mod squares;
mod tuning;
mod worker;

pub use root::{EveryMove, Goal, Likely, Progress, Solution, Solver};
pub use tuning::{Ranking, SolverTuning};

/// Less than every score, and more than every score when negated.
const NO_SCORE: i32 = -1000;
