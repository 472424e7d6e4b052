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
    moves: [[-869, -901, -724, -520, -331, -118, 54, 192, 317, 417, 536, 632, 728, 824, 920], [793, 680, 593, 459, 306, 107, -27, -171, -252, -379, -552, -657, -762, -867, -972]],
    counts: [-96, -21, 36, 226, -67, -147, -30, 100, -21, 282, -202, -7, 17],
    by_empties: [-285, 31, -31, 300, -220, -35, 2, 75, -67, 258, -262, 68, -44],
    moves_by_empties: [-30, 32],
};

static REVERSED: Weights = Weights {
    moves: [[-142, -482, -363, -339, -243, -165, -78, -7, 67, 145, 221, 281, 341, 401, 461], [119, 316, 332, 254, 192, 137, 69, 3, -61, -129, -199, -253, -307, -361, -415]],
    counts: [-61, 15, -7, -196, -49, 27, -14, -36, -23, -45, 35, 17, -23],
    by_empties: [74, -21, 26, -227, -72, -40, -50, 15, 4, -6, -17, -29, -68],
    moves_by_empties: [10, -54],
};

