//! Foreign programs.
