//! The eight symmetries of the board.

use crate::{Bitboard, Board, Square};

/// One of the eight symmetries of a square board. Small boards are centred in the word, so the same
/// transformations serve all sizes.
///
/// ```
/// use turncoat_board::{Square, Symmetry};
///
/// for symmetry in Symmetry::ALL {
///     let square = Square::ALL[11];
///     assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry {
    flip_rows: bool,
    flip_columns: bool,
    transpose: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { flip_rows: false, flip_columns: false, transpose: false }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Self { flip_rows: i & 1 != 0, flip_columns: i & 2 != 0, transpose: i & 4 != 0 };
            i += 1;
        }
        all
    };
    /// The identity.
    pub const IDENTITY: Self = Self::ALL[0];

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Flips come first and the transposition last; undone in the other order, the transposition
        // exchanges the two flips.
        if self.transpose {
            Self { flip_rows: self.flip_columns, flip_columns: self.flip_rows, transpose: true }
        } else {
            self
        }
    }

    /// The image of a square.
    #[must_use]
    pub const fn square(self, square: Square) -> Square {
        let row = if self.flip_rows { 7 - square.row() } else { square.row() };
        let column = if self.flip_columns { 7 - square.column() } else { square.column() };
        Square::wrapping(if self.transpose { column * 8 + row } else { row * 8 + column })
    }

    /// The image of a set of squares.
    #[must_use]
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.flip_rows {
            bits = bits.swap_bytes();
        }
        if self.flip_columns {
            bits = flip_columns(bits);
        }
        if self.transpose {
            bits = transpose(bits);
        }
        Bitboard(bits)
    }

    /// The image of a board.
    #[must_use]
    pub const fn board(self, board: Board) -> Board {
        board.transformed(self)
    }
}

const fn flip_columns(bits: u64) -> u64 {
    // Reversing all 64 bits rotates the board by 180°; flipping the rows back leaves the columns flipped.
    bits.reverse_bits().swap_bytes()
}

/// Reflects along the main diagonal by exchanging ever smaller blocks (Hacker's Delight, 7-3).
const fn transpose(mut bits: u64) -> u64 {
    let mut t = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^= t ^ (t << 28);
    t = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits ^= t ^ (t << 14);
    t = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits ^ t ^ (t << 7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_eight_are_different() {
        let probe = Bitboard(0b10);
        let images: std::collections::BTreeSet<u64> = Symmetry::ALL.map(|s| s.bitboard(probe).0).into_iter().collect();
        assert_eq!(images.len(), 8);
    }

    proptest! {
        #[test]
        fn sets_move_as_their_squares_do(bits: u64) {
            for symmetry in Symmetry::ALL {
                let by_square: Bitboard = Bitboard(bits).into_iter().map(|s| symmetry.square(s)).collect();
                prop_assert_eq!(symmetry.bitboard(Bitboard(bits)), by_square);
                prop_assert_eq!(symmetry.inverse().bitboard(by_square), Bitboard(bits));
            }
        }
    }
}
