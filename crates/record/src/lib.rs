#![doc = include_str!("../README.md")]

pub mod chess_log;
pub mod diagram;
pub mod file;
pub mod ggf;
pub mod input;
pub mod lines;
pub mod obf;
mod record;
pub mod svg;
pub mod transcript;
pub mod wthor;

pub use record::Record;
