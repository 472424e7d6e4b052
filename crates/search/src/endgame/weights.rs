//! The weights of the hand-made judge, in parts of a disc.

use turncoat_board::Variant;

use super::judge::{MOST_MOVES, TERMS};

/// Weights of one variant: at 14 empties, and sixteen times what they gain with each empty more.
pub(super) struct Weights {
    pub(super) moves: [[i32; MOST_MOVES + 1]; 2],
    pub(super) counts: [i32; TERMS],
    pub(super) by_empties: [i32; TERMS],
    pub(super) moves_by_empties: [i32; 2],
}

pub(super) const fn of<V: Variant>() -> &'static Weights {
    if V::SIGN > 0 { &REVERSI } else { &REVERSED }
}

static REVERSI: Weights = Weights {
    moves: [
        [
            -1136, -1064, -842, -619, -400, -205, -6, 166, 331, 469, 600, 720, 790, 840, 880,
        ],
        [
            940, 813, 653, 491, 324, 159, 2, -154, -272, -397, -502, -610, -680, -730, -770,
        ],
    ],
    counts: [
        -153, -29, 50, 217, -77, -154, -38, 105, -25, 244, -165, -63, 93,
    ],
    by_empties: [
        -486, 105, -96, 301, -321, -104, 11, 61, -44, 120, -101, 39, 4,
    ],
    moves_by_empties: [-82, 65],
};

static REVERSED: Weights = Weights {
    moves: [
        [
            -132, -496, -401, -334, -255, -165, -110, -44, 45, 130, 206, 306, 372, 440, 500,
        ],
        [
            210, 276, 291, 242, 184, 135, 82, 13, -41, -115, -167, -220, -288, -340, -400,
        ],
    ],
    counts: [-90, 17, -6, -211, -61, 10, -8, -34, -23, -61, 46, 21, -8],
    by_empties: [-63, -8, 15, -301, -112, -16, -26, 17, -5, -57, 34, 15, -25],
    moves_by_empties: [-26, -14],
};
