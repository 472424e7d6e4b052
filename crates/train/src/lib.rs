//! The lab: what is fitted, evolved and trained.

pub mod genetic;
pub mod least_squares;
pub mod probcut;
pub mod sample;
