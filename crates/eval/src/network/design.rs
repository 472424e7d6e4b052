//! The sizes of a network.

use std::ops::Range;

use thiserror::Error;
use turncoat_board::Geometry;
use turncoat_util::fnv1a;

use crate::patterns::{MOST_JOINT, MOST_MOVES, PARTS, folds, part, shape_squares};

/// Numbers come in blocks of this many, so that they fill vector registers.
pub(super) const BLOCK: usize = 16;
/// The most units of the accumulator.
pub const MOST_UNITS: usize = 128;
/// The most units of a hidden layer.
pub const MOST_HIDDEN: usize = 64;
/// The most stages.
pub const MOST_STAGES: usize = 60;

/// The sizes of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// The parts that it reads, a bit for each: the shapes in their order, then own moves, opposing moves, both
    /// mobilities, odd quadrants, empties.
    pub parts: u32,
    /// Units of the accumulator: a multiple of 16.
    pub units: usize,
    /// Units of the hidden layers, one or two: multiples of 16.
    pub hidden: Vec<usize>,
    /// How many heads there are: the game is divided evenly by the number of empty squares.
    pub stages: usize,
}

/// Why a network cannot have these sizes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DesignFault {
    /// It reads nothing, or something unknown.
    #[error("its parts are {0:#x}: one to {PARTS} bits are wanted")]
    Parts(u32),
    /// The accumulator is too small or large, or not of whole blocks.
    #[error("it has {0} units: a multiple of {BLOCK} up to {MOST_UNITS} is wanted")]
    Units(usize),
    /// The same of a hidden layer, or there are too few or many of these.
    #[error("its hidden layers have {0:?} units: one or two multiples of {BLOCK} up to {MOST_HIDDEN} are wanted")]
    Hidden(Vec<usize>),
    /// No stages, or too many.
    #[error("it has {0} stages: 1 to {MOST_STAGES} are wanted")]
    Stages(usize),
}

impl Design {
    /// Checks that a network can have these sizes.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self) -> Result<(), DesignFault> {
        let fits = |units: usize, most: usize| (BLOCK..=most).contains(&units) && units.is_multiple_of(BLOCK);
        if self.parts == 0 || self.parts >> PARTS != 0 {
            return Err(DesignFault::Parts(self.parts));
        }
        if !fits(self.units, MOST_UNITS) {
            return Err(DesignFault::Units(self.units));
        }
        if !matches!(self.hidden.len(), 1 | 2) || !self.hidden.iter().all(|&units| fits(units, MOST_HIDDEN)) {
            return Err(DesignFault::Hidden(self.hidden.clone()));
        }
        if !(1..=MOST_STAGES).contains(&self.stages) {
            return Err(DesignFault::Stages(self.stages));
        }
        Ok(())
    }

    /// Whether it reads this part.
    pub fn reads(&self, part: usize) -> bool {
        self.parts >> part & 1 == 1
    }

    /// The stage of a board with this many empty squares.
    pub fn stage_of(&self, empties: usize) -> usize {
        60usize.saturating_sub(empties) * self.stages / 61
    }

    /// How many vectors it has: one for contents that are equal by symmetry.
    pub fn vectors(&self) -> usize {
        (0..PARTS).filter(|&number| self.reads(number)).map(|number| weights_of(number).len()).sum()
    }

    /// The inputs of the first hidden layer: positive and negative parts of the accumulator.
    pub(super) fn inputs(&self) -> usize {
        2 * self.units
    }
}

/// The weights of a part, in the numbering of [`folds`]: a part's follow those of the part before.
pub(super) fn weights_of(number: usize) -> Range<usize> {
    let fold = folds(Geometry::EIGHT);
    let first = |number: usize| fold.weight.get(part(number).start).map_or(0, |&weight| weight as usize);
    let end = if number + 1 < PARTS { first(number + 1) } else { fold.weights };
    first(number)..end
}

/// Tells these parts from others: vectors mean nothing with them.
pub(super) fn parts_checksum() -> u64 {
    fnv1a(shape_squares(Geometry::EIGHT).chain([MOST_MOVES as u8, MOST_JOINT as u8]))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::patterns::{COUNTS, PLACES, SHAPES, orders, square_at};

    /// What the trainer must know of the parts, as JSON.
    fn parts() -> String {
        let shape = |number: usize| {
            let shape = &SHAPES[number];
            let squares = |place: &crate::patterns::Placement| {
                let square = |&(row, column): &(u8, u8)| place.symmetry.square(square_at(row, column)).index();
                shape.squares.iter().map(square).collect::<Vec<_>>()
            };
            let places = PLACES.iter().filter(|place| place.shape == number).map(squares);
            let (places, orders) = (places.collect::<Vec<_>>(), orders(shape));
            let worth: Vec<usize> = (0..shape.squares.len()).map(|number| shape.worth(number)).collect();
            let name = shape.name;
            format!("    {{\"name\": {name:?}, \"worth\": {worth:?}, \"orders\": {orders:?}, \"places\": {places:?}}}")
        };
        let count = |number: usize| {
            let number = SHAPES.len() + number;
            let (slots, first) = (&folds(Geometry::EIGHT).weight[part(number)], weights_of(number).start);
            let fold: Vec<usize> = slots.iter().map(|&weight| weight as usize - first).collect();
            format!("    {{\"name\": {:?}, \"fold\": {fold:?}}}", COUNTS[number - SHAPES.len()])
        };
        let shapes: Vec<String> = (0..SHAPES.len()).map(shape).collect();
        let counts: Vec<String> = (0..COUNTS.len()).map(count).collect();
        format!(
            "{{\n  \"checksum\": \"{:016x}\",\n  \"most_moves\": {MOST_MOVES},\n  \"most_joint\": {MOST_JOINT},\n  \"shapes\": [\n{}\n  ],\n  \"counts\": [\n{}\n  ]\n}}\n",
            parts_checksum(),
            shapes.join(",\n"),
            counts.join(",\n")
        )
    }

    /// `TURNCOAT_RECORD=1` writes the file anew.
    #[test]
    fn the_trainer_knows_the_same_parts() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/network/parts.json");
        if std::env::var_os("TURNCOAT_RECORD").is_some() {
            std::fs::write(&path, parts()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), parts());
    }

    #[test]
    fn the_game_is_divided_evenly() {
        let design = Design { parts: 1, units: 16, hidden: vec![16], stages: 60 };
        let stages: Vec<usize> = (0..=60).map(|empties| design.stage_of(60 - empties)).collect();
        assert!(stages.is_sorted() && stages[0] == 0 && stages[60] == 59 && design.stage_of(64) == 0);
        let halves = Design { stages: 2, ..design };
        assert_eq!([60, 30, 29, 0].map(|empties| halves.stage_of(empties)), [0, 0, 1, 1]);
    }
}
