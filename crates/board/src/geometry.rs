//! The three board sizes and how they lie in the 64-bit word.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::{Bitboard, Square};

/// The size of a board. Small boards live centred in the 64-bit word, so that one set of routines
/// serves all sizes: only the mask of squares differs.
///
/// ```
/// use turncoat_board::Geometry;
///
/// let six = Geometry::SIX;
/// assert_eq!((six.side(), six.area()), (6, 36));
/// let a1 = six.square("a1").unwrap();
/// assert_eq!((a1.row(), a1.column()), (1, 1));
/// assert_eq!(six.label(a1), "a1");
/// assert_eq!(six.square("g1"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
pub struct Geometry {
    squares: Bitboard,
    side: u8,
}

impl Geometry {
    /// The usual board.
    pub const EIGHT: Self = Self { squares: Bitboard::ALL, side: 8 };
    /// The board that was solved in 1993.
    pub const SIX: Self = Self { squares: Bitboard(0x007e_7e7e_7e7e_7e00), side: 6 };
    /// The smallest board.
    pub const FOUR: Self = Self { squares: Bitboard(0x0000_3c3c_3c3c_0000), side: 4 };
    /// All sizes, largest first.
    pub const ALL: [Self; 3] = [Self::EIGHT, Self::SIX, Self::FOUR];

    /// The geometry of the board with this many squares a side.
    ///
    /// # Errors
    /// [`UnknownSize`] unless it is 8, 6 or 4.
    pub fn from_side(side: u8) -> Result<Self, UnknownSize> {
        Self::ALL.into_iter().find(|g| g.side == side).ok_or(UnknownSize(side))
    }

    /// The squares of the board.
    #[inline(always)]
    pub const fn squares(self) -> Bitboard {
        self.squares
    }

    /// Squares a side: 8, 6 or 4.
    #[inline(always)]
    pub const fn side(self) -> u8 {
        self.side
    }

    /// The number of squares: 64, 36 or 16.
    #[inline(always)]
    pub const fn area(self) -> u8 {
        self.side * self.side
    }

    /// Rows and columns of the word that lie before the board's first.
    pub const fn margin(self) -> u8 {
        (8 - self.side) / 2
    }

    /// The squares of the board row by row, as its text lists them.
    pub fn cells(self) -> impl ExactSizeIterator<Item = Square> {
        self.squares.into_iter()
    }

    /// The name of a square on this board: column letter and row number, `a1` at the top left.
    pub fn label(self, square: Square) -> String {
        // Reading and playing never yield a square off a small board, which has no name there.
        let column = (b'a' + square.column()).wrapping_sub(self.margin()) as char;
        let row = i16::from(square.row()) - i16::from(self.margin()) + 1;
        format!("{column}{row}")
    }

    /// The square of this name (in either case), if the board has it.
    pub fn square(self, label: &str) -> Option<Square> {
        let &[column, row] = label.as_bytes() else {
            return None;
        };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        self.square_at(row.checked_sub(b'1')?, column)
    }

    /// The square in this row and column of the board, counted from 0 at its top left corner, if the board has it.
    pub const fn square_at(self, row: u8, column: u8) -> Option<Square> {
        if row < self.side && column < self.side {
            Square::from_coordinates(row + self.margin(), column + self.margin())
        } else {
            None
        }
    }
}

impl TryFrom<u8> for Geometry {
    type Error = UnknownSize;
    fn try_from(side: u8) -> Result<Self, UnknownSize> {
        Self::from_side(side)
    }
}

impl From<Geometry> for u8 {
    fn from(geometry: Geometry) -> Self {
        geometry.side
    }
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Geometry({self})")
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.side)
    }
}

/// A size other than 8, 6 and 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSize(pub u8);

impl fmt::Display for UnknownSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no board has {} squares a side: sizes are 8, 6 and 4", self.0)
    }
}

impl core::error::Error for UnknownSize {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_centred_squares() {
        for geometry in Geometry::ALL {
            let inside = |i: u8| i >= geometry.margin() && i < geometry.margin() + geometry.side();
            let mask: Bitboard = Square::ALL.into_iter().filter(|s| inside(s.row()) && inside(s.column())).collect();
            assert_eq!(geometry.squares(), mask);
            assert_eq!(geometry.squares().count(), u32::from(geometry.area()));
        }
    }

    #[test]
    fn labels_round_trip() {
        for geometry in Geometry::ALL {
            for square in geometry.cells() {
                let label = geometry.label(square);
                assert_eq!(geometry.square(&label), Some(square));
                assert_eq!(geometry.square(&label.to_uppercase()), Some(square));
            }
        }
        for bad in ["", "a", "a0", "a9", "i1", "1a", "a10", "é1", "@1"] {
            assert_eq!(Geometry::EIGHT.square(bad), None, "{bad}");
        }
        assert_eq!(Geometry::from_side(5), Err(UnknownSize(5)));
    }
}
