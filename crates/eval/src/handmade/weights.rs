//! The weights of the hand-made evaluation, in [`UNITS`](crate::UNITS) of a disc.
//!
//! The terms were chosen by hand. Their weights are a least-squares fit to exact scores of positions with 8 to 15
//! empties from noisy play of both games; the weights of rare numbers of moves are extrapolated.

use turncoat_board::VariantKind;

use super::terms::{MOST_MOVES, TERMS};

/// Weights for one number of empties.
#[derive(Clone, Copy)]
pub(super) struct StageWeights {
    /// By the number of the mover's and of the opponent's moves.
    pub(super) moves: [[i32; MOST_MOVES + 1]; 2],
    /// Of the terms that are counted.
    pub(super) counts: [i32; TERMS],
}

/// The weights of a variant with this many empties.
#[inline(always)]
pub(super) fn weights(variant: VariantKind, empties: u32) -> &'static StageWeights {
    let table = match variant {
        VariantKind::Reversi => &REVERSI_BY_EMPTIES,
        VariantKind::Reversed => &REVERSED_BY_EMPTIES,
    };
    &table[empties as usize & 63]
}

static REVERSI_BY_EMPTIES: [StageWeights; 64] = REVERSI.by_empties();
static REVERSED_BY_EMPTIES: [StageWeights; 64] = REVERSED.by_empties();

/// Weights of one variant: at 14 empties, and sixteen times what they gain with each empty more.
struct FittedWeights {
    moves: [[i32; MOST_MOVES + 1]; 2],
    counts: [i32; TERMS],
    by_empties: [i32; TERMS],
    moves_by_empties: [i32; 2],
}

impl FittedWeights {
    const fn by_empties(&self) -> [StageWeights; 64] {
        let mut table = [StageWeights { moves: self.moves, counts: self.counts }; 64];
        let mut n = 0;
        while n < 64 {
            // Far from the positions of the fit the weights stay as they are.
            let more = (if n < 30 { n as i32 } else { 30 }) - 14;
            let mut i = 0;
            while i < TERMS {
                table[n].counts[i] += self.by_empties[i] * more / 16;
                i += 1;
            }
            let mut moves = 0;
            while moves <= MOST_MOVES {
                let gain = moves as i32 * more;
                table[n].moves[0][moves] += self.moves_by_empties[0] * gain / 16;
                table[n].moves[1][moves] += self.moves_by_empties[1] * gain / 16;
                moves += 1;
            }
            n += 1;
        }
        table
    }
}

const REVERSI: FittedWeights = FittedWeights {
    moves: [
        [-984, -1034, -704, -541, -354, -132, 58, 181, 326, 403, 502, 591, 680, 769, 858],
        [772, 793, 686, 506, 314, 155, -21, -181, -259, -409, -497, -592, -687, -782, -877],
    ],
    counts: [-217, -16, 38, 258, -78, -155, -9, 96, -26, 342, -163, -4, 58],
    by_empties: [-106, 133, -149, 377, -218, -63, 38, 69, -72, 220, -235, -5, 104],
    moves_by_empties: [-137, 90],
};

const REVERSED: FittedWeights = FittedWeights {
    moves: [
        [-233, -552, -467, -351, -264, -180, -93, -4, 79, 160, 249, 317, 385, 453, 521],
        [271, 369, 373, 339, 228, 160, 75, -8, -87, -153, -235, -297, -359, -421, -483],
    ],
    counts: [-43, 11, -5, -200, -50, 21, -11, -38, -22, -38, 44, 13, -8],
    by_empties: [27, 1, 21, -213, -49, -21, -43, 9, 1, 50, -36, -127, 107],
    moves_by_empties: [10, -68],
};
