//! The incremental state of a board: the contents of every pattern.

use turncoat_board::{Bitboard, Board, Geometry, Square};

use super::shapes::{LANES, is_full, places_of, shapes_of, square_at};

/// Lanes are rounded up to whole vectors.
pub(crate) const WIDTH: usize = LANES.next_multiple_of(16);

/// The contents of all lanes in balanced ternary, from the mover's view: an own disc counts 1, an opposing one
/// -1. Seen from the opponent all signs change, so that no second set is kept. Counted from [`MIDDLE`], which is its own
/// negative: so signs change as before, and a lane is the place in a table of all 16-bit numbers as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct Indices(pub(crate) [u16; WIDTH]);

/// A lane whose squares are empty.
pub(crate) const MIDDLE: u16 = 1 << 15;

/// What a disc on each square adds to each lane.
#[repr(align(32))]
struct Worth([u16; WIDTH]);

static WORTH: [Worth; 64] = worth_on(Geometry::EIGHT);
static SMALL_WORTH: [Worth; 64] = worth_on(Geometry::SIX);

/// What discs add on boards of this size.
#[inline(always)]
fn worth_of(geometry: Geometry) -> &'static [Worth; 64] {
    if is_full(geometry) { &WORTH } else { &SMALL_WORTH }
}

const fn worth_on(geometry: Geometry) -> [Worth; 64] {
    let shapes = shapes_of(geometry);
    let mut worth = [const { Worth([0; WIDTH]) }; 64];
    let mut lane = 0;
    while lane < LANES {
        let place = places_of(geometry)[lane];
        let squares = shapes[place.shape].squares;
        let mut number = 0;
        while number < squares.len() {
            let (row, column) = squares[number];
            let square = place.symmetry.square(square_at(row, column));
            worth[square.index()].0[lane] = shapes[place.shape].worth(number) as u16;
            number += 1;
        }
        lane += 1;
    }
    worth
}

impl Indices {
    /// The indices of a board of this size.
    #[inline(always)]
    pub fn new(board: Board, geometry: Geometry) -> Self {
        let worths = worth_of(geometry);
        let mut lanes = [MIDDLE; WIDTH];
        for square in board.mover() {
            add(&mut lanes, &worths[square.index()].0);
        }
        for square in board.other() {
            let worth = &worths[square.index()].0;
            for i in 0..WIDTH {
                lanes[i] = lanes[i].wrapping_sub(worth[i]);
            }
        }
        Self(lanes)
    }

    /// The indices after a move of the mover, seen from the opponent.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, geometry: Geometry, square: Square, flips: Bitboard) -> Self {
        let worths = worth_of(geometry);
        let mut flipped = [0; WIDTH];
        for flip in flips {
            add(&mut flipped, &worths[flip.index()].0);
        }
        let placed = &worths[square.index()].0;
        let mut lanes = [0; WIDTH];
        for i in 0..WIDTH {
            // A flipped disc counted -1 and counts 1. Twice the flips may overflow; the sum fits again.
            let flipped = flipped[i].wrapping_mul(2);
            lanes[i] = self.0[i].wrapping_add(placed[i]).wrapping_add(flipped).wrapping_neg();
        }
        Self(lanes)
    }

    /// The indices of the same board, seen from the other side.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self) -> Self {
        Self(self.0.map(u16::wrapping_neg))
    }

    /// The contents of all lanes; 0 where all squares are empty.
    #[inline(always)]
    pub(crate) fn contents(&self) -> [i16; WIDTH] {
        self.0.map(|lane| lane.wrapping_sub(MIDDLE).cast_signed())
    }
}

#[inline(always)]
fn add(lanes: &mut [u16; WIDTH], worth: &[u16; WIDTH]) {
    for i in 0..WIDTH {
        lanes[i] = lanes[i].wrapping_add(worth[i]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use turncoat_board::Position;

    use super::*;

    /// A lane read square by square.
    fn literal(board: Board, geometry: Geometry, lane: usize) -> i16 {
        let place = places_of(geometry)[lane];
        let shape = &shapes_of(geometry)[place.shape];
        let mut index = 0;
        for (number, &(row, column)) in shape.squares.iter().enumerate() {
            let square = place.symmetry.square(square_at(row, column));
            let sign = i16::from(board.mover().contains(square)) - i16::from(board.other().contains(square));
            index += sign * shape.worth(number) as i16;
        }
        index
    }

    proptest! {
        #[test]
        fn kept_along_a_game_they_are_those_of_each_board(
            choices in prop::collection::vec(0usize..64, 60),
            full in any::<bool>(),
        ) {
            let geometry = if full { Geometry::EIGHT } else { Geometry::SIX };
            let mut position = Position::start(geometry);
            let mut kept = Indices::new(position.board(), geometry);
            for choice in choices {
                let moves: Vec<Square> = position.legal_moves().into_iter().collect();
                if moves.is_empty() {
                    if position.is_over() {
                        break;
                    }
                    position = position.pass();
                    kept = kept.passed();
                } else {
                    let square = moves[choice % moves.len()];
                    kept = kept.after(geometry, square, position.board().flips(square));
                    position = position.play(square).unwrap();
                }
                prop_assert_eq!(kept, Indices::new(position.board(), geometry));
                for lane in 0..LANES {
                    prop_assert_eq!(kept.contents()[lane], literal(position.board(), geometry, lane));
                }
            }
        }
    }
}
