//! Regions of empty squares by quadrant: the side that moves last in a region tends to gain it in Reversi, so
//! squares of quadrants with an odd number of empties are tried first. In Reversed that costs nodes.

use turncoat_board::{Bitboard, Square, Variant};
use turncoat_eval::{QUADRANTS, odd_quadrants};

/// The squares of the odd quadrants, by the bits of [`odd_quadrants`].
static SQUARES: [u64; 16] = {
    let mut squares = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut i = 0;
        while i < 4 {
            if set >> i & 1 != 0 {
                squares[set] |= QUADRANTS[i];
            }
            i += 1;
        }
        set += 1;
    }
    squares
};

/// Whether trying odd regions first saves nodes.
pub(super) const fn pays<V: Variant>() -> bool {
    V::SIGN > 0
}

/// The quadrant of a square.
#[inline(always)]
pub(super) const fn quadrant(square: Square) -> usize {
    let index = square.index();
    index >> 4 & 2 | index >> 2 & 1
}

/// The squares of the quadrants that have an odd number of these empties.
#[inline(always)]
pub(super) fn odd_squares(empties: Bitboard) -> Bitboard {
    Bitboard(SQUARES[odd_quadrants(empties)])
}

/// Four squares, those of odd quadrants before the others, else in order.
#[inline(always)]
pub(super) fn odd_first([a, b, c, d]: [Square; 4]) -> [Square; 4] {
    let [qa, qb, qc, qd] = [quadrant(a), quadrant(b), quadrant(c), quadrant(d)];
    // Of four squares in quadrants, either all are in odd ones, none is, or exactly two are (1-1-2); with
    // three and one all are odd and the single one goes first.
    if qa == qb {
        if qc == qd || qa == qc || qa == qd {
            if qa == qc && qa != qd {
                [d, a, b, c]
            } else if qa == qd && qa != qc {
                [c, a, b, d]
            } else {
                [a, b, c, d]
            }
        } else {
            [c, d, a, b]
        }
    } else if qa == qc {
        if qb == qd {
            [a, c, b, d]
        } else if qa == qd {
            [b, a, c, d]
        } else {
            [b, d, a, c]
        }
    } else if qa == qd {
        if qb == qc { [a, d, b, c] } else { [b, c, a, d] }
    } else if qb == qc {
        [a, d, b, c]
    } else if qb == qd {
        [a, c, b, d]
    } else {
        [a, b, c, d]
    }
}
