//! Looking ahead. This crate knows boards, not players: a search gets a board, limits and an evaluation, and
//! answers with a value and a move.

mod budget;
mod candidate;
mod clock;
mod crew;
pub mod endgame;
mod limits;
pub mod minimax;
pub mod pvs;
pub mod stability;
pub mod transposition;

pub use budget::{Allotment, Budget, Lateness, MovesAhead};
#[cfg(target_family = "wasm")]
pub use clock::use_clock;
pub use clock::{Clock, FakeClock, SystemClock, work_clock};
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub use crew::{hire, serve};
pub use limits::{Limits, StopFlag, Watch};
