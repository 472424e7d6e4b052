//! A folder of programs as a ladder.
//!
//! [`folder`] watches it and copies what has settled; a version is tested and, if it passes, plays: [`challenge`] decides
//! who meets whom, the arena's runner plays the pair, [`table`] rates all current versions. [`store`] keeps everything,
//! and [`run`] is the loop around them.

pub mod challenge;
mod contests;
mod cores;
pub mod folder;
mod matches;
mod opponents;
mod order;
pub mod report;
mod rows;
mod running;
pub mod store;
pub mod table;
pub mod tokens;

pub use contests::contests;
pub use matches::PageMatches;
pub use opponents::FolderPrograms;
pub use order::{Elsewhere, Order, OrderError, SentGame};
pub use running::{Event, LadderError, Options, TestRules, run};
