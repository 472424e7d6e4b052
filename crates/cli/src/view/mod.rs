//! How things look in the terminal.

pub(crate) mod board;
pub(crate) mod lines;
pub(crate) mod live;
pub(crate) mod progress;
pub(crate) mod stderr;
pub(crate) mod table;
pub(crate) mod watch;
