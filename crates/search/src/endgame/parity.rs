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

/// The order of four squares by their quadrants, two bits each: those of odd quadrants first, and of them the one that is
/// alone. Looked up, since no branch could foresee it.
static ORDERS: [[u8; 4]; 256] = {
    let mut orders = [[0; 4]; 256];
    let mut code = 0;
    while code < 256 {
        orders[code] = order(code);
        code += 1;
    }
    orders
};

const fn order(code: usize) -> [u8; 4] {
    let mut ranks = [0; 4];
    let mut place = 0;
    while place < 4 {
        // How many share the quadrant of this square, and the first of them, so that pairs stay together.
        let (mut count, mut first, mut other) = (0, 0, 4);
        while other > 0 {
            other -= 1;
            if code >> (2 * other) & 3 == code >> (2 * place) & 3 {
                (count, first) = (count + 1, other);
            }
        }
        let group = [0, 2, 1, 2][count - 1];
        ranks[place] = 16 * group + 4 * first + place;
        place += 1;
    }
    let (mut order, mut next) = ([0; 4], 0);
    while next < 4 {
        let (mut least, mut place) = (0, 1);
        while place < 4 {
            if ranks[place] < ranks[least] {
                least = place;
            }
            place += 1;
        }
        order[next] = least as u8;
        ranks[least] = usize::MAX;
        next += 1;
    }
    order
}

/// Four squares, those of odd quadrants before the others.
#[inline(always)]
pub(super) fn odd_first(squares: [Square; 4]) -> [Square; 4] {
    let [a, b, c, d] = squares;
    let code = quadrant(a) | quadrant(b) << 2 | quadrant(c) << 4 | quadrant(d) << 6;
    let [first, second, third, fourth] = ORDERS[code];
    let at = |place: u8| squares[place as usize % 4];
    [at(first), at(second), at(third), at(fourth)]
}
