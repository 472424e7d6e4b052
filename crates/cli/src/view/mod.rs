//! How things look in the terminal.

pub(crate) mod board;
pub(crate) mod progress;
