//! A board with its size and the colour to move.

#[cfg(feature = "serde")]
use alloc::string::String;
use core::fmt;

use crate::{Bitboard, Board, Color, Geometry, Score, Square, Symmetry, VariantKind};

/// A valid position: a [`Board`] from the mover's view, the colour to move, and the size.
///
/// Positions do not know the variant: both have the same moves.
///
/// ```
/// use turncoat_board::{Geometry, Position};
///
/// let position = Position::parse("---------------------------OX------XO--------------------------- X", Geometry::EIGHT);
/// assert_eq!(position.unwrap(), Position::start(Geometry::EIGHT));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct Position {
    board: Board,
    side: Color,
    geometry: Geometry,
}

impl Position {
    /// The start of a game.
    pub const fn start(geometry: Geometry) -> Self {
        Self { board: Board::start(geometry), side: Color::Black, geometry }
    }

    pub(crate) const fn new(board: Board, side: Color, geometry: Geometry) -> Self {
        Self { board, side, geometry }
    }

    /// The discs, from the mover's view.
    #[inline(always)]
    pub const fn board(self) -> Board {
        self.board
    }

    /// The colour to move.
    #[inline(always)]
    pub const fn side(self) -> Color {
        self.side
    }

    /// The size.
    #[inline(always)]
    pub const fn geometry(self) -> Geometry {
        self.geometry
    }

    /// The discs of a colour.
    pub fn discs(self, color: Color) -> Bitboard {
        if color == self.side { self.board.mover() } else { self.board.other() }
    }

    /// The colour of the disc on a square, if there is one.
    pub fn at(self, square: Square) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| self.discs(color).contains(square))
    }

    /// The number of empty squares.
    pub const fn empties(self) -> u32 {
        self.board.empties(self.geometry).count()
    }

    /// The mover's legal moves; empty if it must pass or the game is over.
    pub fn legal_moves(self) -> Bitboard {
        self.board.legal_moves(self.geometry)
    }

    /// Whether neither side can move.
    pub fn is_over(self) -> bool {
        self.board.is_over(self.geometry)
    }

    /// Whether the mover cannot move but the opponent can.
    pub fn must_pass(self) -> bool {
        self.legal_moves().is_empty() && !self.pass().legal_moves().is_empty()
    }

    /// The position after a move, if it is legal.
    #[must_use]
    pub fn play(self, square: Square) -> Option<Self> {
        let board = self.board.play(square, self.geometry)?;
        Some(Self { board, side: !self.side, ..self })
    }

    /// The same discs with the other side to move, whether or not the rules allow a pass.
    #[must_use]
    pub const fn pass(self) -> Self {
        let side = match self.side {
            Color::Black => Color::White,
            Color::White => Color::Black,
        };
        Self { board: self.board.pass(), side, geometry: self.geometry }
    }

    /// The final score for a colour; `None` while a side can move.
    pub fn final_score(self, variant: VariantKind, color: Color) -> Option<Score> {
        self.is_over().then(|| {
            let score = self.board.final_score_of(variant, self.geometry);
            if color == self.side { score } else { -score }
        })
    }

    /// The image of the position under a symmetry.
    #[must_use]
    pub const fn transformed(self, symmetry: Symmetry) -> Self {
        Self { board: symmetry.board(self.board), ..self }
    }
}

impl fmt::Display for Position {
    /// The text that [`Position::parse`] reads: cells row by row, a space, the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in self.geometry.cells() {
            let cell = self.at(square).map_or('-', Color::letter);
            fmt::Write::write_char(f, cell)?;
        }
        write!(f, " {}", self.side.letter())
    }
}
