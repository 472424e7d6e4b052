//! How far deep values lie from shallow ones: the error model of ProbCut.
//!
//! It was fitted to an evaluation: for each pair of depths and number of empties the standard deviation of the difference
//! between the deep and the shallow value. A model carries the checksum of its evaluation and refuses any other.

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::UNITS;

/// The least and greatest depths of an error model.
pub(super) const FIRST_DEPTH: u32 = 3;
const LAST_DEPTH: u32 = 30;

/// The depth of the shallow search that may end one of this depth: about half, of the same parity, since
/// values of odd and even depths differ systematically.
pub const fn shallow_depth(depth: u32) -> u32 {
    same_parity(depth, 50)
}

/// So many percent of a depth, rounded down to the same parity.
#[inline(always)]
pub(super) const fn same_parity(depth: u32, percent: u32) -> u32 {
    let part = depth * percent / 100;
    if part % 2 == depth % 2 { part } else { part.saturating_sub(1) }
}

/// The coefficients of an error model: the logarithm of the spread in discs is
/// `c0 + c1 depth + c2 shallow depth + c3 empties + c4 empties²`.
pub type Coefficients = [f64; 5];
/// Those of the differences between shallow values and final scores: `c0 + c1 shallow depth + c2 empties + c3 empties²`.
pub type EndCoefficients = [f64; 4];

/// Spreads are held to this many discs, which cut nothing.
const WIDEST: f64 = 128.0;

/// The terms that the coefficients multiply.
pub fn terms(depth: u32, shallow: u32, empties: u32) -> Coefficients {
    let (depth, shallow, empties) = (f64::from(depth), f64::from(shallow), f64::from(empties));
    [1.0, depth, shallow, empties, empties * empties]
}

/// The terms that the coefficients of final scores multiply.
pub fn end_terms(shallow: u32, empties: u32) -> EndCoefficients {
    let (shallow, empties) = (f64::from(shallow), f64::from(empties));
    [1.0, shallow, empties, empties * empties]
}

/// The spreads by depth, then by shallow depth.
type Pairs = [[f32; LAST_DEPTH as usize + 1]; LAST_DEPTH as usize + 1];

/// The error model of an evaluation: spreads in units.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorModel {
    variant: VariantKind,
    geometry: Geometry,
    checksum: u64,
    /// By empty squares.
    spread: Vec<Pairs>,
    /// Of final scores, by empty squares and shallow depth.
    end: Option<Vec<[f32; LAST_DEPTH as usize + 1]>>,
}

impl ErrorModel {
    /// The model of the evaluation with this checksum, on boards of this size.
    ///
    /// # Errors
    /// If a coefficient is not a finite number, or they give no spread at some depth.
    pub fn new(
        variant: VariantKind,
        geometry: Geometry,
        checksum: u64,
        coefficients: &Coefficients,
        end: Option<&EndCoefficients>,
    ) -> Result<Self, ErrorModelError> {
        if !coefficients.iter().chain(end.into_iter().flatten()).all(|number| number.is_finite()) {
            return Err(ErrorModelError::NotFinite);
        }
        let pairs = |empties: u32| {
            let mut pairs = [[f32::INFINITY; LAST_DEPTH as usize + 1]; LAST_DEPTH as usize + 1];
            for depth in FIRST_DEPTH..=LAST_DEPTH {
                let none = ErrorModelError::NoSpread { depth, empties };
                let spread = |shallow| units(coefficients, &terms(depth, shallow, empties));
                spread(shallow_depth(depth)).filter(|&units| units >= 1.0).ok_or(none)?;
                for shallow in 0..depth {
                    pairs[depth as usize][shallow as usize] = spread(shallow).ok_or(none)?;
                }
            }
            Ok(pairs)
        };
        let row = |end: &EndCoefficients, empties: u32| {
            let mut row = [f32::INFINITY; LAST_DEPTH as usize + 1];
            for shallow in 0..=LAST_DEPTH {
                let spread = units(end, &end_terms(shallow, empties));
                row[shallow as usize] = spread.ok_or(ErrorModelError::NoSpread { depth: empties, empties })?;
            }
            Ok(row)
        };
        let most = u32::from(geometry.area()) - 4;
        let rows = |end| (0..=most).map(|empties| row(end, empties)).collect::<Result<_, _>>();
        let spread = (0..=most).map(pairs).collect::<Result<_, _>>()?;
        Ok(Self { variant, geometry, checksum, spread, end: end.map(rows).transpose()? })
    }

    /// Whether this model belongs to an evaluation.
    ///
    /// # Errors
    /// If it belongs to another game, size or evaluation.
    pub fn check(&self, variant: VariantKind, geometry: Geometry, checksum: u64) -> Result<(), ErrorModelError> {
        if geometry != self.geometry {
            return Err(ErrorModelError::OtherSize { found: self.geometry, expected: geometry });
        }
        if variant != self.variant {
            return Err(ErrorModelError::OtherVariant { found: self.variant, expected: variant });
        }
        if checksum != self.checksum {
            return Err(ErrorModelError::OtherEvaluation { found: self.checksum, expected: checksum });
        }
        Ok(())
    }

    /// The deviation of values of this depth from shallower ones.
    #[inline(always)]
    pub(super) fn spread(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        self.spread[(empties as usize).min(self.spread.len() - 1)][depth.min(LAST_DEPTH) as usize]
            [shallow.min(LAST_DEPTH) as usize]
    }

    /// The deviation of final scores from shallow values, if it was fitted.
    #[inline(always)]
    pub(super) fn end_spread(&self, empties: u32, shallow: u32) -> Option<f32> {
        let end = self.end.as_ref()?;
        Some(end[(empties as usize).min(end.len() - 1)][shallow.min(LAST_DEPTH) as usize])
    }
}

/// A spread in units; `None` if it is not a number.
fn units(coefficients: &[f64], terms: &[f64]) -> Option<f32> {
    let products = coefficients.iter().zip(terms).map(|(c, t)| c * t);
    let units = products.sum::<f64>().exp() * f64::from(UNITS);
    units.is_finite().then(|| units.min(WIDEST * f64::from(UNITS)) as f32)
}

/// Why an error model is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ErrorModelError {
    /// A coefficient is not a finite number.
    #[error("a coefficient is not a finite number")]
    NotFinite,
    /// The coefficients are numbers, but not of an error model.
    #[error("the coefficients give no spread at depth {depth} with {empties} empty squares")]
    NoSpread {
        /// A depth.
        depth: u32,
        /// Empty squares.
        empties: u32,
    },
    /// It is for another board.
    #[error("the error model is for {found}, not for {expected}")]
    OtherSize {
        /// Its size.
        found: Geometry,
        /// The size played.
        expected: Geometry,
    },
    /// It is for the other game.
    #[error("the error model is for {found}, not for {expected}")]
    OtherVariant {
        /// Its game.
        found: VariantKind,
        /// The game played.
        expected: VariantKind,
    },
    /// It was fitted to other weights.
    #[error("the error model was fitted to weights {found:016x}, not to {expected:016x}")]
    OtherEvaluation {
        /// The checksum it carries.
        found: u64,
        /// The checksum of the evaluation.
        expected: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_asked_for_the_empties_that_its_board_can_have() {
        let steep = [0.0, 0.0, 0.0, 0.0, 0.4];
        let model = |geometry| ErrorModel::new(VariantKind::Reversi, geometry, 1, &steep, None);
        assert!(model(Geometry::SIX).is_ok());
        assert!(matches!(model(Geometry::EIGHT), Err(ErrorModelError::NoSpread { .. })));
    }

    #[test]
    fn shallow_depths_are_half_of_the_same_parity() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(shallow_depth), [0, 0, 0, 1, 2, 1, 2, 3, 4]);
    }
}
