//! The rules of Reversi and Reversed Reversi, on 8x8, 6x6 and 4x4 boards.
//!
//! A position enters as a [`Setup`] (anything a person may write down), is checked once and becomes a
//! [`Position`]: a [`Board`] seen from the mover, the [`Color`] to move and the [`Geometry`]. From
//! there on everything is valid by construction.
//!
//! ```
//! use turncoat_board::{Geometry, Position};
//!
//! let start = Position::start(Geometry::EIGHT);
//! let moves: Vec<String> = start.legal_moves().into_iter().map(|s| start.geometry().label(s)).collect();
//! assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
//! ```
//!
//! Hot code is written once, generic over the instruction set: see [`isa`].

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
