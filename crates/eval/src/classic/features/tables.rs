//! Board tables: a weight for each square, equal for symmetric squares.

use turncoat_board::{Bitboard, Geometry, Square};

/// Classes of symmetric squares on an 8x8 board.
pub const CLASSES: usize = 10;

/// A square of each class by row and column from its corner, in the order of all tables.
pub const CLASS_LABELS: [&str; CLASSES] =
    ["(0,0)", "(0,1)", "(0,2)", "(0,3)", "(1,1)", "(1,2)", "(1,3)", "(2,2)", "(2,3)", "(3,3)"];

/// The class of a square: by its distances from the nearest edges, the smaller first. A small board has
/// the classes of the rings it has.
pub const fn class_of(square: Square, geometry: Geometry) -> usize {
    let (row, column) = (edge_distance(square.row(), geometry), edge_distance(square.column(), geometry));
    let (near, far) = if row < column { (row, column) } else { (column, row) };
    // Rows of the triangle begin at 0, 4, 7, 9.
    [0, 4, 7, 9][near as usize & 3] + (far - near) as usize
}

const fn edge_distance(index: u8, geometry: Geometry) -> u8 {
    let index = index.saturating_sub(geometry.margin());
    let from_end = (geometry.side() - 1).saturating_sub(index);
    if index < from_end { index } else { from_end }
}

/// The squares of each class.
pub fn class_masks(geometry: Geometry) -> [Bitboard; CLASSES] {
    let mut masks = [Bitboard::EMPTY; CLASSES];
    for square in geometry.cells() {
        masks[class_of(square, geometry)] |= Bitboard::from_square(square);
    }
    masks
}

/// A table of weights by class.
///
/// ```
/// use turncoat_board::{Bitboard, Geometry};
/// use turncoat_eval::classic::features::ClassTable;
///
/// let table = ClassTable::new([5.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], Geometry::EIGHT);
/// let corner_and_x = Bitboard(0b1 | 1 << 9);
/// assert_eq!(table.difference(corner_and_x, Bitboard(1 << 63)), 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct ClassTable {
    weights: [f64; CLASSES],
    masks: [Bitboard; CLASSES],
}

impl ClassTable {
    /// The table of these weights on a board of this size.
    pub fn new(weights: [f64; CLASSES], geometry: Geometry) -> Self {
        Self { weights, masks: class_masks(geometry) }
    }

    /// The weights of own squares minus those of opposing squares.
    #[inline(always)]
    pub fn difference(&self, own: Bitboard, opposing: Bitboard) -> f64 {
        let mut sum = 0.0;
        for (weight, &mask) in self.weights.iter().zip(&self.masks) {
            let lead = (own & mask).count() as i32 - (opposing & mask).count() as i32;
            sum += weight * f64::from(lead);
        }
        sum
    }

    /// The lead in each class: label, value, weight.
    pub fn parts(&self, own: Bitboard, opposing: Bitboard) -> impl Iterator<Item = (&'static str, f64, f64)> {
        let lead = move |mask: Bitboard| f64::from(super::lead(own & mask, opposing & mask));
        (0..CLASSES).map(move |class| (CLASS_LABELS[class], lead(self.masks[class]), self.weights[class]))
    }

    /// The weight of a square.
    pub fn weight(&self, square: Square) -> f64 {
        let class = self.masks.iter().position(|mask| mask.contains(square));
        class.map_or(0.0, |class| self.weights[class])
    }
}
