//! Sets of squares that the evaluation and the order of moves look up.

use turncoat_board::Geometry;

const LEFT: u64 = 0x0101_0101_0101_0101;

/// Squares in or beside a set.
#[inline(always)]
pub(super) const fn around(set: u64) -> u64 {
    let sides = set | (set & !(LEFT << 7)) << 1 | (set & !LEFT) >> 1;
    sides | sides << 8 | sides >> 8
}

/// The corners of a size and what lies near them.
#[derive(Debug)]
pub struct Zones {
    /// The four corners.
    pub corners: u64,
    /// Diagonally beside a corner.
    pub x: u64,
    /// Beside a corner along an edge.
    pub c: u64,
    /// The other squares of the edges.
    pub edges: u64,
}

static ZONES: [Zones; 3] = [zones(4), zones(6), zones(8)];

impl Zones {
    /// The zones of a board of this size.
    #[inline(always)]
    pub fn new(geometry: Geometry) -> &'static Self {
        match geometry.side() {
            4 => &ZONES[0],
            6 => &ZONES[1],
            _ => &ZONES[2],
        }
    }
}

const fn zones(side: u32) -> Zones {
    let margin = (8 - side) / 2;
    let (low, high) = (margin, 7 - margin);
    let mut zones = Zones { corners: 0, x: 0, c: 0, edges: 0 };
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let bit = 1 << square;
        square += 1;
        if row < low || row > high || column < low || column > high {
            continue;
        }
        // Distances to the nearest edge across and along.
        let across = if row - low < high - row { row - low } else { high - row };
        let along = if column - low < high - column { column - low } else { high - column };
        match (across, along) {
            (0, 0) => zones.corners |= bit,
            (1, 1) => zones.x |= bit,
            (0, 1) | (1, 0) => zones.c |= bit,
            (0, _) | (_, 0) => zones.edges |= bit,
            _ => {}
        }
    }
    zones
}
