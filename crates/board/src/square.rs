//! One square of the 64-bit word.

use core::fmt;
use core::num::NonZeroU8;

/// One of the 64 squares of the word that holds a board: `row * 8 + column`, from the top left.
///
/// There is no "none" square: use `Option<Square>`, which is as small as a `Square`. A square does not
/// know the size of its board, so it is named by [`Geometry::label`](crate::Geometry::label).
///
/// ```
/// use turncoat_board::Square;
///
/// let square = Square::new(37)?;
/// assert_eq!((square.row(), square.column()), (4, 5));
/// assert_eq!(Square::from_coordinates(4, 5), Some(square));
/// assert_eq!(Square::from_coordinates(4, 8), None);
/// assert_eq!(size_of::<Option<Square>>(), 1);
/// # Ok::<(), turncoat_board::SquareOutOfRange>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "u8", into = "u8"))]
pub struct Square(NonZeroU8);

/// The bit that keeps the stored byte from being zero; the index is in the six bits below.
const TAG: u8 = 64;

impl Square {
    /// All 64 squares in order of their indices.
    pub const ALL: [Self; 64] = {
        let mut all = [Self::wrapping(0); 64];
        let mut index = 0;
        while index < 64 {
            all[index as usize] = Self::wrapping(index);
            index += 1;
        }
        all
    };

    /// The square with this index.
    ///
    /// # Errors
    /// [`SquareOutOfRange`] if the index is 64 or more.
    #[inline]
    pub const fn new(index: u8) -> Result<Self, SquareOutOfRange> {
        if index < 64 { Ok(Self::wrapping(index)) } else { Err(SquareOutOfRange(index)) }
    }

    /// The square in this row and column of the word; `None` unless both are below 8. On a small board
    /// [`Geometry::square_at`](crate::Geometry::square_at) counts from its own corner.
    pub const fn from_coordinates(row: u8, column: u8) -> Option<Self> {
        if row < 8 && column < 8 { Some(Self::wrapping(row * 8 + column)) } else { None }
    }

    /// The square with the lowest six bits of this index, for callers whose index is below 64.
    #[inline(always)]
    pub(crate) const fn wrapping(index: u8) -> Self {
        match NonZeroU8::new(TAG | (index & 63)) {
            Some(tagged) => Self(tagged),
            None => unreachable!(),
        }
    }

    /// `row * 8 + column`, always below 64 (and the compiler knows it).
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0.get() & 63) as usize
    }

    /// The row, 0 at the top.
    #[inline(always)]
    pub const fn row(self) -> u8 {
        (self.0.get() & 63) >> 3
    }

    /// The column, 0 at the left.
    #[inline(always)]
    pub const fn column(self) -> u8 {
        self.0.get() & 7
    }
}

impl TryFrom<u8> for Square {
    type Error = SquareOutOfRange;
    fn try_from(index: u8) -> Result<Self, SquareOutOfRange> {
        Self::new(index)
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.0.get() & 63
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({}, {})", self.row(), self.column())
    }
}

/// An index of 64 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareOutOfRange(pub u8);

impl fmt::Display for SquareOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a square: squares are 0 to 63", self.0)
    }
}

impl core::error::Error for SquareOutOfRange {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_makes_its_square() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(index as u8), Ok(square));
            assert_eq!(Square::from_coordinates(square.row(), square.column()), Some(square));
        }
        assert_eq!(Square::new(64), Err(SquareOutOfRange(64)));
        assert_eq!(Square::new(255), Err(SquareOutOfRange(255)));
    }
}
