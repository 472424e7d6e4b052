//! How things look in the terminal.

pub(crate) mod board;
