//! Weights as text: rounded, deflated, written with 85 printable characters.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use turncoat_board::Geometry;
use turncoat_eval::patterns::{SHAPES, STAGES, Shape, Weights, folds};

/// What is kept of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// So many stages are held, evenly spaced; those between are interpolated.
    stages: usize,
    /// Weights are rounded to multiples of this, in 64ths of a disc.
    quantum: i16,
}

impl Plan {
    /// What takes the least room.
    pub const COARSEST: Self = Self::new(4, 64);

    /// All others, from the finest on.
    pub const FINER: [Self; 11] = [
        Self::new(STAGES, 8),
        Self::new(20, 8),
        Self::new(15, 8),
        Self::new(12, 8),
        Self::new(20, 16),
        Self::new(20, 32),
        Self::new(10, 16),
        Self::new(10, 32),
        Self::new(7, 32),
        Self::new(7, 48),
        Self::new(5, 48),
    ];

    const fn new(stages: usize, quantum: i16) -> Self {
        Self { stages, quantum }
    }

    /// The unit of a weight in 64ths of a disc.
    pub const fn quantum(self) -> i16 {
        self.quantum
    }

    /// The stages that are held. The first ones, in which hardly anything is on the board, are not.
    pub fn knots(self) -> Vec<usize> {
        if self.stages == STAGES {
            return (0..STAGES).collect();
        }
        let (first, last) = (2, STAGES - 1);
        let steps = self.stages - 1;
        (0..self.stages).map(|knot| first + (knot * (last - first) + steps / 2) / steps).collect()
    }

    /// Rounds and packs; of each weight the stages side by side, since neighbours are alike.
    pub(super) fn pack(self, weights: &Weights, numbers: &[u32]) -> String {
        let knots = self.knots();
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|&number| knots.iter().map(move |&stage| (stage, number as usize)))
            .map(|(stage, number)| self.rounded(weights.stages[stage][number]) as u8)
            .collect();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to memory does not fail.
        let _ = encoder.write_all(&bytes);
        base85(&encoder.finish().unwrap_or_default())
    }

    /// A weight in the plan's unit, halves rounded towards nothing: a sum of many must not lean to one side.
    fn rounded(self, weight: i16) -> i8 {
        let quantum = i32::from(self.quantum);
        let size = (2 * i32::from(weight).abs() + quantum - 1) / (2 * quantum);
        (size.min(127) * i32::from(weight.signum())) as i8
    }
}

/// The order in which weights are written: those of the shapes, one for contents that are one by symmetry, then all
/// those of the counts.
pub(super) fn numbers() -> Vec<u32> {
    let fold = folds(Geometry::EIGHT);
    let slots: usize = SHAPES.iter().map(Shape::contents).sum();
    let of_shapes = fold.weight[..slots].iter().max().map_or(0, |most| most + 1);
    let counts = fold.weight[slots..].iter().copied();
    (0..of_shapes).chain(counts).collect()
}

/// As Python's `base64.b85decode` reads it: five characters for four bytes, the last group cut.
fn base85(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let mut text = String::with_capacity(bytes.len() / 4 * 5 + 5);
    for group in bytes.chunks(4) {
        let mut four = [0; 4];
        four[..group.len()].copy_from_slice(group);
        let mut number = u32::from_be_bytes(four);
        let mut five = [0; 5];
        for digit in five.iter_mut().rev() {
            *digit = DIGITS[(number % 85) as usize];
            number /= 85;
        }
        text.extend(five[..=group.len()].iter().map(|&digit| char::from(digit)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_python_reads() {
        // As base64.b85encode writes them.
        assert_eq!(base85(b""), "");
        assert_eq!(base85(b"Turncoat"), "RCRK0V{c(}");
        assert_eq!(base85(&[0, 255, 7, 128, 3]), "0RIPo0{");
    }

    #[test]
    fn knots_are_stages_in_order() {
        for plan in Plan::FINER.into_iter().chain([Plan::COARSEST]) {
            let knots = plan.knots();
            assert_eq!(knots.len(), plan.stages);
            assert!(knots.is_sorted_by(|a, b| a < b) && knots[knots.len() - 1] == STAGES - 1);
        }
    }

    #[test]
    fn weights_are_rounded_to_the_nearest() {
        let plan = Plan::new(20, 8);
        let rounded = [-2000, -13, -12, -5, -4, 0, 4, 5, 12, 2000].map(|weight| plan.rounded(weight));
        assert_eq!(rounded, [-127, -2, -1, -1, 0, 0, 0, 1, 1, 127]);
    }
}
