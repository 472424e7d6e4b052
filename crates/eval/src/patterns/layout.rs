//! Where each weight lies in the table of a stage, and which of them are equal by symmetry.
//!
//! A table has a part for each shape, by the contents of its squares in balanced ternary (an own disc counts 1,
//! an opposing one -1, an empty square nothing), then a part for each kind of count. The parts begin so that
//! an index from the middle of its part is all that the search needs.

use std::ops::Range;
use std::sync::OnceLock;

use turncoat_board::Geometry;

use super::shapes::{LANES, PLACES, SHAPES, Shape, is_full, orders, shapes_of};

/// Mobilities above this are counted as this.
pub(crate) const MOST_MOVES: usize = 31;
/// In the table of both mobilities they are cut here.
pub(crate) const MOST_JOINT: usize = 15;

/// What has weights beside the shapes, with the size of its part.
pub(super) const OWN_MOVES: usize = PATTERN_SLOTS;
pub(super) const OTHER_MOVES: usize = OWN_MOVES + MOST_MOVES + 1;
pub(super) const BOTH_MOVES: usize = OTHER_MOVES + MOST_MOVES + 1;
/// By the quadrants with an odd number of empty squares.
pub(super) const ODD_QUADRANTS: usize = BOTH_MOVES + (MOST_JOINT + 1) * (MOST_JOINT + 1);
/// By the number of empty squares: what it is worth to be the mover.
pub(super) const TEMPO: usize = ODD_QUADRANTS + 16;

/// How many slots a stage's table has.
pub const SLOTS: usize = TEMPO + 64;

/// How many parts a table has: one for each shape, then one for each kind of count.
pub const PARTS: usize = SHAPES.len() + COUNTS.len();
/// The kinds of counts, in the order of their parts.
pub(crate) const COUNTS: [&str; 5] = ["own moves", "opposing moves", "moves of both sides", "odd quadrants", "empties"];

/// The slots of a part.
pub(crate) const fn part(number: usize) -> Range<usize> {
    const BEGINS: [usize; COUNTS.len() + 1] = [OWN_MOVES, OTHER_MOVES, BOTH_MOVES, ODD_QUADRANTS, TEMPO, SLOTS];
    if number < SHAPES.len() {
        return begin_of(number)..begin_of(number) + SHAPES[number].contents();
    }
    let count = number - SHAPES.len();
    BEGINS[count]..BEGINS[count + 1]
}

/// The slots of all shapes.
const PATTERN_SLOTS: usize = {
    let (mut sum, mut i) = (0, 0);
    while i < SHAPES.len() {
        sum += SHAPES[i].contents();
        i += 1;
    }
    sum
};

/// Where the part of a shape begins.
const fn begin_of(shape: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < shape {
        sum += SHAPES[i].contents();
        i += 1;
    }
    sum
}

/// The slot of each lane with all its squares empty.
pub(crate) const MIDDLES: [i32; LANES] = {
    let mut middles = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        let shape = PLACES[lane].shape;
        middles[lane] = (begin_of(shape) + SHAPES[shape].contents() / 2) as i32;
        lane += 1;
    }
    middles
};

/// Which slots share a weight.
#[derive(Debug, Clone)]
pub struct Fold {
    /// By slot: its weight.
    pub weight: Vec<u32>,
    /// How many weights there are.
    pub weights: usize,
}

impl Fold {
    /// The value of every slot, from those of the weights.
    pub fn unfold<T: Copy>(&self, weights: &[T]) -> Vec<T> {
        self.weight.iter().map(|&weight| weights[weight as usize]).collect()
    }
}

/// The fold of a stage's table for boards of this size: contents that a shape's own symmetry exchanges share a weight.
/// Computed once.
pub fn folds(geometry: Geometry) -> &'static Fold {
    static FOLDS: [OnceLock<Fold>; 2] = [const { OnceLock::new() }; 2];
    FOLDS[usize::from(is_full(geometry))].get_or_init(|| find_folds(geometry))
}

fn find_folds(geometry: Geometry) -> Fold {
    const UNREAD: u32 = u32::MAX;
    let mut weight = vec![UNREAD; SLOTS];
    let mut weights = 0;
    for (number, shape) in shapes_of(geometry).iter().enumerate() {
        // In the middle of the part, where lanes are counted from.
        let begin = begin_of(number) + (SHAPES[number].contents() - shape.contents()) / 2;
        fold_shape(&mut weight[begin..][..shape.contents()], shape, &mut weights);
    }
    for slot in PATTERN_SLOTS..SLOTS {
        let quadrants = slot.wrapping_sub(ODD_QUADRANTS);
        let first = if quadrants < 16 { ODD_QUADRANTS + first_quadrants(quadrants) } else { slot };
        if first < slot {
            weight[slot] = weight[first];
        } else {
            weight[slot] = weights;
            weights += 1;
        }
    }
    // Slots that no small board reads share one weight, which stays zero.
    if weight.contains(&UNREAD) {
        weight.iter_mut().filter(|weight| **weight == UNREAD).for_each(|weight| *weight = weights);
        weights += 1;
    }
    Fold { weight, weights: weights as usize }
}

/// Numbers the weights of one shape.
fn fold_shape(part: &mut [u32], shape: &Shape, weights: &mut u32) {
    let (squares, orders) = (shape.squares.len(), orders(shape));
    let slot_worth: Vec<usize> = (0..squares).map(|number| shape.worth(number)).collect();
    // By contents with the first square as the lowest digit, which is the order of the weights in files.
    let mut numbers = vec![0; part.len()];
    // By order: what each digit is worth once its square is moved.
    let worth: Vec<Vec<usize>> =
        orders.iter().map(|order| order.iter().map(|&at| 3usize.pow(at as u32)).collect()).collect();
    let mut digits = vec![0; squares];
    for contents in 0..part.len() {
        let moved = |worth: &Vec<usize>| -> usize { worth.iter().zip(&digits).map(|(w, d): (_, &usize)| w * d).sum() };
        let first = worth.iter().map(moved).min().unwrap_or(contents);
        numbers[contents] = if first < contents { numbers[first] } else { *weights };
        *weights += u32::from(first == contents);
        part[moved(&slot_worth)] = numbers[contents];
        for digit in &mut digits {
            *digit += 1;
            if *digit < 3 {
                break;
            }
            *digit = 0;
        }
    }
}

/// The least of the sets of quadrants that symmetry makes of this one. Bits go around the board: top left, top
/// right, bottom right, bottom left.
fn first_quadrants(set: usize) -> usize {
    let rotated = |set: usize, by: usize| ((set << by) | (set >> (4 - by))) & 15;
    // On a ring of four a mirror image is a rotation of the set or of its mirror; sets of up to four are all alike.
    (0..4).map(|by| rotated(set, by)).min().unwrap_or(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_has_the_weights_it_may_have() {
        for (geometry, most) in [(Geometry::EIGHT, 250_000), (Geometry::SIX, 75_000)] {
            let fold = folds(geometry);
            assert!(fold.weights <= most, "{} weights", fold.weights);
            assert!(fold.weight.iter().all(|&weight| (weight as usize) < fold.weights));
        }
    }

    #[test]
    fn one_corner_owned_is_one_weight_at_both_ends_of_an_edge() {
        let fold = folds(Geometry::EIGHT);
        let edge = MIDDLES[0] as usize;
        // The second and the ninth square of the edge's shape are its corners.
        let [left, right] = [1, 8].map(|number| SHAPES[0].worth(number));
        assert_eq!(fold.weight[edge + left], fold.weight[edge + right]);
        assert_ne!(fold.weight[edge + left], fold.weight[edge - left]);
    }
}
