//! The trained weights that programs are built with, as the files of this folder.
//!
//! A crate of their own: a published package holds only what lies in its folder, and several crates need them.

/// Pattern weights of Reversed Reversi.
pub static PATTERNS_REVERSED: &[u8] = include_bytes!("patterns-reversed.weights");
/// Pattern weights of Reversi.
pub static PATTERNS_REVERSI: &[u8] = include_bytes!("patterns-reversi.weights");
/// Pattern weights of Reversed Reversi on 6x6.
pub static PATTERNS_REVERSED_6X6: &[u8] = include_bytes!("patterns-reversed-6x6.weights");
/// Pattern weights of Reversi on 6x6.
pub static PATTERNS_REVERSI_6X6: &[u8] = include_bytes!("patterns-reversi-6x6.weights");

/// The error models of ProbCut, as `turncoat train probcut` writes them.
pub static ERROR_MODELS: [&str; 7] = [
    include_str!("probcut-patterns-reversed.toml"),
    include_str!("probcut-patterns-reversi.toml"),
    include_str!("probcut-patterns-reversed-6x6.toml"),
    include_str!("probcut-patterns-reversi-6x6.toml"),
    include_str!("probcut-gene45-reversed.toml"),
    include_str!("probcut-hand-reversed.toml"),
    include_str!("probcut-hand-reversi.toml"),
];

/// The parameters of `linear` in Reversed Reversi: those of an evolved gene45.
pub static LINEAR_REVERSED: &str = include_str!("linear-reversed.toml");
/// The parameters of `linear` in Reversi: those of six-stage.
pub static LINEAR_REVERSI: &str = include_str!("linear-reversi.toml");
