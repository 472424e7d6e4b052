//! Foreign programs: our players behind other people's front ends, and other people's programs in our arena.
//!
//! [`engine`] answers in the protocols that front ends speak. [`sandbox`] and [`process`] run programs that
//! are not trusted; [`programs`] makes players of them; [`check`] runs the course's usability test;
//! [`export`] writes our own player as a Python file.

pub mod check;
pub mod engine;
pub mod export;
mod hosting;
mod log;
mod process;
pub mod programs;
mod python;
mod running;
pub mod sandbox;
mod system;
mod tree;
mod witness;

pub use hosting::{Hosting, Meter, PATIENCE};
