//! Games and positions as they are written down: transcripts, OBF, GGF, WTHOR, the course's logs, pictures.
//!
//! Everything is read leniently and written strictly; what cannot be read is refused with the place of
//! the fault. Streams are read in lines of bounded length, so that a wrong file costs no memory.

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
