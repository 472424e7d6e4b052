//! The shapes: sets of squares whose contents are looked at together.
//!
//! Each shape is written once, for the top left of the board, and is read wherever one of the eight symmetries
//! takes it. They follow the literature (Buro's Logistello; the rows, diagonals, edges and corners that every
//! strong program reads), with two more around the corner, because the reversed game is about who must take it.

use turncoat_board::{Geometry, Square, Symmetry};

/// A set of squares read together.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Its usual name.
    pub name: &'static str,
    /// Its squares as (row, column), the least significant digit first.
    pub squares: &'static [(u8, u8)],
}

impl Shape {
    /// How many contents its squares can have.
    pub const fn contents(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// What a disc on its square with this number adds to an index. Squares that are filled early are the low digits: on
    /// the boards of one search the others are mostly empty, and what is read lies close together.
    pub const fn worth(&self, number: usize) -> usize {
        let (mut lower, mut i) = (0, 0);
        while i < self.squares.len() {
            let (earlier, own) = (lateness(self.squares[i]), lateness(self.squares[number]));
            if earlier < own || earlier == own && i < number {
                lower += 1;
            }
            i += 1;
        }
        3usize.pow(lower)
    }
}

/// How late a square is usually filled: the corners last.
const fn lateness((row, column): (u8, u8)) -> u8 {
    const LATENESS: [[u8; 4]; 4] = [[9, 7, 6, 5], [7, 8, 4, 3], [6, 4, 2, 1], [5, 3, 1, 0]];
    let row = if row < 4 { row } else { 7 - row };
    let column = if column < 4 { column } else { 7 - column };
    LATENESS[row as usize][column as usize]
}

/// All shapes of the full board.
pub const SHAPES: [Shape; 14] = [
    Shape {
        name: "edge with both X squares",
        squares: &[(1, 1), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (1, 6)],
    },
    Shape {
        name: "second row with both corners",
        squares: &[(0, 0), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (0, 7)],
    },
    Shape {
        name: "corner triangle",
        squares: &[(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)],
    },
    Shape {
        name: "corner 2x5",
        squares: &[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4)],
    },
    Shape { name: "corner 3x3", squares: &[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] },
    Shape {
        name: "both corners and the block between them",
        squares: &[(0, 0), (0, 2), (0, 3), (0, 4), (0, 5), (0, 7), (1, 2), (1, 3), (1, 4), (1, 5)],
    },
    Shape { name: "third row", squares: &[(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (2, 7)] },
    Shape { name: "fourth row", squares: &[(3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7)] },
    Shape { name: "diagonal of eight", squares: &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)] },
    Shape { name: "diagonal of seven", squares: &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)] },
    Shape { name: "diagonal of six", squares: &[(0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)] },
    Shape { name: "diagonal of five", squares: &[(0, 3), (1, 4), (2, 5), (3, 6), (4, 7)] },
    Shape { name: "diagonal of four", squares: &[(0, 4), (1, 5), (2, 6), (3, 7)] },
    Shape {
        name: "half of the long diagonal, with its neighbours",
        squares: &[(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)],
    },
];

/// The shapes of small boards, in the rows and columns of the full one, in whose middle they lie. Each has as many places as
/// the full board's shape of its number and no more squares, so that the same tables and loops serve all sizes.
const SMALL_SHAPES: [Shape; SHAPES.len()] = [
    Shape {
        name: "edge with both X squares",
        squares: &[(2, 2), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 5)],
    },
    Shape {
        name: "second row with both corners",
        squares: &[(1, 1), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (1, 6)],
    },
    Shape {
        name: "corner triangle",
        squares: &[(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)],
    },
    Shape { name: "corner 2x4", squares: &[(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4)] },
    Shape { name: "corner 3x3", squares: &[(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)] },
    Shape {
        name: "2x4 in the middle of an edge",
        squares: &[(1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3), (2, 4), (2, 5)],
    },
    Shape { name: "third row", squares: &[(3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6)] },
    Shape { name: "inner 2x4", squares: &[(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (3, 5)] },
    Shape { name: "diagonal of six", squares: &[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)] },
    Shape { name: "diagonal of five", squares: &[(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)] },
    Shape { name: "diagonal of four", squares: &[(1, 3), (2, 4), (3, 5), (4, 6)] },
    Shape { name: "diagonal of three", squares: &[(1, 4), (2, 5), (3, 6)] },
    Shape { name: "corner 2x2", squares: &[(1, 1), (1, 2), (2, 1), (2, 2)] },
    Shape { name: "inner 3x3", squares: &[(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (4, 4)] },
];

/// The shapes of boards of this size.
pub const fn shapes_of(geometry: Geometry) -> &'static [Shape; SHAPES.len()] {
    if is_full(geometry) { &SHAPES } else { &SMALL_SHAPES }
}

/// Whether this is the full board.
#[inline(always)]
pub(super) const fn is_full(geometry: Geometry) -> bool {
    geometry.side() == 8
}

/// How many places of the board are read, all shapes together; the same on all sizes.
pub const LANES: usize = PLACED.1;

/// A shape at one of its places.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) shape: usize,
    /// The symmetry that takes the shape here.
    pub(crate) symmetry: Symmetry,
}

/// The places on the full board, one after the other.
pub(crate) const PLACES: [Placement; LANES] = first_lanes(&PLACED);
/// The places on small boards.
const SMALL_PLACES: [Placement; LANES] = first_lanes(&placed(&SMALL_SHAPES));

/// The places on boards of this size.
pub(super) const fn places_of(geometry: Geometry) -> &'static [Placement; LANES] {
    if is_full(geometry) { &PLACES } else { &SMALL_PLACES }
}

const fn first_lanes(placed: &([Placement; 64], usize)) -> [Placement; LANES] {
    let (placed, count) = placed;
    assert!(*count == LANES, "all sizes have as many places");
    let mut places = [placed[0]; LANES];
    let mut i = 0;
    while i < LANES {
        assert!(placed[i].shape == PLACED.0[i].shape, "and every shape as many as that of its number");
        places[i] = placed[i];
        i += 1;
    }
    places
}

/// The square of a shape in this row and column.
pub(crate) const fn square_at(row: u8, column: u8) -> Square {
    Square::ALL[row as usize * 8 + column as usize]
}

/// Where a symmetry takes a shape, as a set.
const fn image(shape: &Shape, symmetry: Symmetry) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < shape.squares.len() {
        let (row, column) = shape.squares[i];
        set |= 1 << symmetry.square(square_at(row, column)).index();
        i += 1;
    }
    set
}

const PLACED: ([Placement; 64], usize) = placed(&SHAPES);

/// Every different image of every shape, with the first symmetry that makes it.
const fn placed(shapes: &[Shape; SHAPES.len()]) -> ([Placement; 64], usize) {
    let blank = Placement { shape: 0, symmetry: Symmetry::IDENTITY };
    let (mut places, mut count) = ([blank; 64], 0);
    let mut shape = 0;
    while shape < shapes.len() {
        let mut s = 0;
        while s < 8 {
            let here = image(&shapes[shape], Symmetry::ALL[s]);
            let mut earlier = 0;
            while earlier < s && image(&shapes[shape], Symmetry::ALL[earlier]) != here {
                earlier += 1;
            }
            if earlier == s {
                places[count] = Placement { shape, symmetry: Symmetry::ALL[s] };
                count += 1;
            }
            s += 1;
        }
        shape += 1;
    }
    (places, count)
}

/// The ways in which a shape lies on itself, as orders of its squares; the first leaves everything in place.
pub(crate) fn orders(shape: &Shape) -> Vec<Vec<usize>> {
    let own = image(shape, Symmetry::IDENTITY);
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for symmetry in Symmetry::ALL {
        if image(shape, symmetry) != own {
            continue;
        }
        let place = |&(row, column): &(u8, u8)| {
            let moved = symmetry.square(square_at(row, column));
            let moved = (moved.row(), moved.column());
            shape.squares.iter().position(|&square| square == moved)
        };
        let order: Option<Vec<usize>> = shape.squares.iter().map(place).collect();
        orders.extend(order.filter(|order| !orders.contains(order)));
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_alike_from_all_sides() {
        for geometry in [Geometry::EIGHT, Geometry::SIX] {
            let mut read = [0; 64];
            for place in places_of(geometry) {
                for &(row, column) in shapes_of(geometry)[place.shape].squares {
                    read[place.symmetry.square(square_at(row, column)).index()] += 1;
                }
            }
            for square in Square::ALL {
                assert_eq!(read[square.index()] > 0, geometry.squares().contains(square));
                for symmetry in Symmetry::ALL {
                    assert_eq!(read[square.index()], read[symmetry.square(square).index()]);
                }
            }
        }
    }

    #[test]
    fn shapes_lie_on_themselves_as_expected() {
        let counts: Vec<usize> = SHAPES.iter().map(|shape| orders(shape).len()).collect();
        assert_eq!(counts, [2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
        // In balanced form 3 to the 10 fits 16 bits.
        assert!(SHAPES.iter().all(|shape| shape.squares.len() <= 10));
        let fits = |(small, full): (&Shape, &Shape)| small.squares.len() <= full.squares.len();
        assert!(SMALL_SHAPES.iter().zip(&SHAPES).all(fits));
    }
}
