//! What has no game in it: hashes, random numbers, bounded input, escaping, files, words of a shell.
//!
//! It supports the other crates of Turncoat and promises no stable interface of its own. Without features it depends on
//! nothing but `thiserror`.

mod escape;
#[cfg(feature = "files")]
mod files;
mod fnv;
mod format;
mod input;
#[cfg(feature = "files")]
mod lock;
#[cfg(feature = "files")]
mod output_file;
mod panic;
mod printable;
#[cfg(feature = "shell")]
pub mod shell;
mod splitmix;

pub use escape::escape_html;
#[cfg(feature = "files")]
pub use files::{StagedFile, is_staged, remove_staged_files, replace_file};
pub use fnv::{FNV_OFFSET, digest, fnv1a, fnv1a_with};
pub use format::{Format, OtherFormat};
pub use input::{BoundedLines, LineFault, read_bounded, read_file, without_bom};
#[cfg(feature = "files")]
pub use lock::{FileId, FileLock, LockError};
#[cfg(feature = "files")]
pub use output_file::{OutputError, OutputFile};
pub use panic::panic_message;
pub use printable::{printable, printable_json, printable_lines};
pub use splitmix::{SplitMix64, mix64};
