//! The lab: what is fitted, evolved and trained.

mod chart;
pub mod games;
pub mod genetic;
pub mod least_squares;
pub mod matches;
pub mod measure;
pub mod openings;
mod page;
pub mod patterns;
pub mod probcut;
pub mod reproduce;
pub mod rounds;
pub mod run_folder;
pub mod sample;
pub mod selfplay;
pub mod testset;
pub mod tune;
