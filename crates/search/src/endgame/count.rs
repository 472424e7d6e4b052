//! How many discs the last move flips, without finding out which.
//!
//! When one square is empty, every other square of a line through it that is not an own disc holds an
//! opposing one (or lies off a small board, where no own disc follows it). So the flips along a line depend
//! on the own discs of the line alone: eight bits and the place of the empty square, looked up in a table.

use turncoat_board::{Bitboard, Square};

/// Flips by place of the empty square in the line and own discs of the line.
static FLIPS: [[u8; 256]; 8] = flips();

const fn flips() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut above = place + 1;
            while above < 8 {
                if own >> above & 1 != 0 {
                    count += above - place - 1;
                    break;
                }
                above += 1;
            }
            let mut below = place;
            while below > 0 {
                below -= 1;
                if own >> below & 1 != 0 {
                    count += place - below - 1;
                    break;
                }
            }
            table[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    table
}

const COLUMN: u64 = 0x0101_0101_0101_0101;
/// Brings a column's bits into the highest byte, the first row lowest.
const COLUMN_TO_BYTE: u64 = 0x0102_0408_1020_4080;

/// The two diagonals through each square, with it: falling, rising.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (rows, columns) = (other / 8 - square / 8, other % 8 - square % 8);
            if rows == columns {
                table[square as usize][0] |= 1 << other;
            }
            if rows == -columns {
                table[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1i32;
    }
    table
}

/// The number of discs that a disc of the side that owns `own` flips on this square, the only empty one.
#[inline(always)]
pub(super) fn last_flips(own: Bitboard, square: Square) -> i32 {
    let own = own.0;
    let index = square.index();
    let (row, column) = (index >> 3, index & 7);
    let [falling, rising] = DIAGONALS[index];
    let by_column = &FLIPS[column];
    // A diagonal has one square a column: the product adds its rows up in the highest byte.
    let along_row = by_column[(own >> (8 * row) & 0xff) as usize];
    let along_column = FLIPS[row][((own >> column & COLUMN).wrapping_mul(COLUMN_TO_BYTE) >> 56) as usize];
    let along_falling = by_column[((own & falling).wrapping_mul(COLUMN) >> 56) as usize];
    let along_rising = by_column[((own & rising).wrapping_mul(COLUMN) >> 56) as usize];
    i32::from(along_row) + i32::from(along_column) + i32::from(along_falling) + i32::from(along_rising)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use turncoat_board::{Color, Geometry, Setup};

    proptest! {
        #[test]
        fn counts_what_the_rules_flip(bits: u64, side in prop::sample::select(vec![8u8, 6, 4])) {
            let geometry = Geometry::from_side(side).unwrap();
            for square in geometry.cells() {
                let filled = geometry.squares() & !Bitboard::from_square(square);
                let own = filled & Bitboard(bits);
                let setup = Setup { geometry, black: own, white: filled & !own, side: Color::Black };
                let board = setup.check().unwrap().board();
                prop_assert_eq!(last_flips(own, square), board.flips(square).count() as i32);
            }
        }
    }
}
