//! The lab: what is fitted, evolved and trained.

mod chart;
mod digest;
pub mod games;
pub mod genetic;
pub mod least_squares;
mod lock;
pub mod measure;
pub mod openings;
pub mod patterns;
pub mod probcut;
pub mod sample;
pub mod selfplay;
pub mod settings;
