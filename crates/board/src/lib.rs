#![doc = include_str!("../README.md")]
//! # Where to begin
//!
//! A text or a diagram is parsed to a [`Setup`], which [`Setup::check`] turns into a [`Position`]: a [`Board`] seen
//! from the side to move, the [`Color`] to move and the [`Geometry`], which is the size. A [`Game`] is a position with
//! its history. [`Variant`] is the aim of the game: both variants have the same moves.
//!
//! ```
//! use turncoat_board::{Geometry, Position};
//!
//! let start = Position::start(Geometry::EIGHT);
//! let moves: Vec<String> = start.legal_moves().into_iter().map(|square| Geometry::EIGHT.label(square)).collect();
//! assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
//! ```
//!
//! Hot code is written once, generic over the instruction set: see [`isa`].
#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bitboard;
mod board;
mod color;
mod game;
mod geometry;
pub mod isa;
mod perft;
mod playout;
mod position;
mod score;
mod setup;
mod square;
mod symmetry;
mod text;
mod variant;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use game::{Game, IllegalMove, IllegalMoveFault, Move, Outcome};
pub use geometry::{Geometry, UnknownSize};
pub use perft::{perft, perft_with};
pub use playout::Playout;
pub use position::Position;
pub use score::{Score, ScoreOutOfRange};
pub use setup::{Setup, SetupError};
pub use square::{Square, SquareOutOfRange};
pub use symmetry::Symmetry;
pub use text::{Cell, ParsePositionError, ParsePositionFault};
pub use variant::{Reversed, Reversi, UnknownVariant, Variant, VariantKind, VariantTask};
