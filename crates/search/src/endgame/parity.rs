//! Regions of empty squares by quadrant: the side that moves last in a region tends to gain it in Reversi, so
//! squares of quadrants with an odd number of empties are tried first. In Reversed that costs nodes.

use turncoat_board::{Bitboard, Square, Variant};

const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

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
pub(super) const fn odd_quadrants(empties: Bitboard) -> Bitboard {
    let mut odd = 0;
    let mut i = 0;
    while i < 4 {
        let in_it = empties.0 & QUADRANTS[i];
        // All ones if odd, nothing if even.
        let is_odd = (in_it.count_ones() as u64 & 1).wrapping_neg();
        odd |= QUADRANTS[i] & is_odd;
        i += 1;
    }
    Bitboard(odd)
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
