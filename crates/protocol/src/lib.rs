//! How game programs talk to each other: line, NBoard, GTP, Botzone, and the course's Python class.
//!
//! Pure codecs: text in, values out, and back; nothing here reads or writes a stream. Each is used from both
//! sides, by the engine that answers and by the arena that asks. Input is read leniently, output is strict.

pub mod botzone;
pub mod course;
pub mod gtp;
pub mod line;
pub mod nboard;

/// The beginning of a text for an error message.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
