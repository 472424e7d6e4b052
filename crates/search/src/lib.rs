//! Looking ahead. This crate knows boards, not players: a search gets a board, limits and a way to judge
//! leaves, and answers with a value and a move.

mod clock;
pub mod endgame;
mod limits;
pub mod minimax;
mod parallel;
pub mod pvs;
pub mod stability;
pub mod table;

pub use clock::{Clock, FakeClock, SystemClock};
pub use limits::{Limits, StopFlag, Watch};
