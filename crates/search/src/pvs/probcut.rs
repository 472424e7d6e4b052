//! Multi-ProbCut (M. Buro): a shallow search that is far enough beyond the window replaces a deep one.
//!
//! How far is enough is decided by an error model that was fitted to the evaluation: for each depth and number of empties
//! the standard deviation of the difference between the deep and the shallow value. A model carries the checksum of its
//! evaluation and refuses any other; without one nothing is pruned, nor on small boards, whose games are searched to the
//! end anyway.

use thiserror::Error;
use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Variant, VariantKind};
use turncoat_eval::{Evaluation, UNITS};

use super::node::PvsNode;
use super::searcher::Searcher;
use crate::transposition::Key;

/// How bold ProbCut is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selectivity(u8);

impl Selectivity {
    /// The boldest.
    pub const BOLDEST: Self = Self(0);
    /// No cuts at all.
    pub const FULL_WIDTH: Self = Self(5);
    /// All of them, the boldest first.
    pub const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// Its index among them.
    #[inline(always)]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// How many standard deviations beyond the window a shallow value must lie; `None` cuts nothing.
    #[inline(always)]
    const fn deviations(self) -> Option<f32> {
        match self.0 {
            0 => Some(1.0),
            1 => Some(1.4),
            2 => Some(1.8),
            3 => Some(2.3),
            4 => Some(3.0),
            _ => None,
        }
    }
}

/// The least and greatest depths of an error model.
pub(crate) const FIRST_DEPTH: u32 = 3;
const LAST_DEPTH: u32 = 30;

/// The depth of the shallow search that may end one of this depth: about half, of the same parity, since
/// values of odd and even depths differ systematically.
pub const fn shallow_depth(depth: u32) -> u32 {
    let half = depth / 2;
    if half % 2 == depth % 2 { half } else { half.saturating_sub(1) }
}

/// The coefficients of an error model: the logarithm of the spread in discs is
/// `c0 + c1 depth + c2 shallow depth + c3 empties + c4 empties²`.
pub type Coefficients = [f64; 5];

/// Spreads are held to this many discs, which cut nothing.
const WIDEST: f64 = 128.0;

/// The terms that the coefficients multiply.
pub fn terms(depth: u32, empties: u32) -> Coefficients {
    let shallow = f64::from(shallow_depth(depth));
    let (depth, empties) = (f64::from(depth), f64::from(empties));
    [1.0, depth, shallow, empties, empties * empties]
}

/// The error model of an evaluation: spreads in units, by empties and depth.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorModel {
    variant: VariantKind,
    checksum: u64,
    /// By empty squares, then by depth.
    spread: Vec<[f32; LAST_DEPTH as usize + 1]>,
}

impl ErrorModel {
    /// The model of the evaluation with this checksum.
    ///
    /// # Errors
    /// If a coefficient is not a finite number, or they give no spread at some depth.
    pub fn new(variant: VariantKind, checksum: u64, coefficients: &Coefficients) -> Result<Self, ErrorModelError> {
        if !coefficients.iter().all(|number| number.is_finite()) {
            return Err(ErrorModelError::NotFinite);
        }
        let row = |empties: u32| {
            let mut row = [f32::INFINITY; LAST_DEPTH as usize + 1];
            for depth in FIRST_DEPTH..=LAST_DEPTH {
                let products = coefficients.iter().zip(terms(depth, empties)).map(|(c, t)| c * t);
                let units = products.sum::<f64>().exp() * f64::from(UNITS);
                // Less than the smallest difference of two values, or no number at all.
                if !units.is_finite() || units < 1.0 {
                    return Err(ErrorModelError::NoSpread { depth, empties });
                }
                row[depth as usize] = units.min(WIDEST * f64::from(UNITS)) as f32;
            }
            Ok(row)
        };
        Ok(Self { variant, checksum, spread: (0..=60).map(row).collect::<Result<_, _>>()? })
    }

    /// Whether this model belongs to an evaluation.
    ///
    /// # Errors
    /// If it belongs to another game or evaluation, or the board is small.
    pub fn check(&self, variant: VariantKind, geometry: Geometry, checksum: u64) -> Result<(), ErrorModelError> {
        if geometry != Geometry::EIGHT {
            return Err(ErrorModelError::SmallBoard(geometry));
        }
        if variant != self.variant {
            return Err(ErrorModelError::OtherVariant { found: self.variant, expected: variant });
        }
        if checksum != self.checksum {
            return Err(ErrorModelError::OtherEvaluation { found: self.checksum, expected: checksum });
        }
        Ok(())
    }

    #[inline(always)]
    fn spread(&self, empties: u32, depth: u32) -> f32 {
        self.spread[empties.min(60) as usize][depth.min(LAST_DEPTH) as usize]
    }
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
    /// Small boards have none.
    #[error("nothing is cut by probability on a board of {0}")]
    SmallBoard(Geometry),
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

impl<V: Variant, E: Evaluation> Searcher<'_, V, E> {
    /// A value beyond the null window above `alpha` that is probably right, if a shallow search finds one.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // All of it is the node's own.
    pub(super) fn probcut<I: Isa>(
        &mut self,
        isa: I,
        board: Board,
        state: &E::State,
        key: Key,
        moves: Bitboard,
        alpha: i32,
        depth: u32,
        ply: usize,
    ) -> Option<i32> {
        let deviations = self.selectivity.deviations()?;
        let error_model = self.error_model?;
        let empties = self.empties(board).count();
        if depth < FIRST_DEPTH || depth >= empties {
            return None;
        }
        let margin = (deviations * error_model.spread(empties, depth)) as i32;
        let beta = alpha + 1;
        let most = (i32::from(self.geometry.area()) - 1) * UNITS;
        let static_value = self.evaluation.evaluate(isa, board, moves, state);
        let shallow = shallow_depth(depth);
        // The static value says which side to try.
        let bar = if static_value >= beta { beta + margin } else { alpha - margin };
        if bar.abs() >= most {
            return None;
        }
        let (state, searcher) = (*state, &mut *self);
        let value = if static_value >= beta {
            isa.run(PvsNode::<false, V, E> {
                searcher,
                board,
                state,
                key,
                alpha: bar - 1,
                beta: bar,
                depth: shallow,
                ply,
            })
        } else {
            isa.run(PvsNode::<false, V, E> {
                searcher,
                board,
                state,
                key,
                alpha: bar,
                beta: bar + 1,
                depth: shallow,
                ply,
            })
        };
        if self.is_over() {
            return None;
        }
        if static_value >= beta { (value >= bar).then_some(beta) } else { (value <= bar).then_some(alpha) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_depths_are_half_of_the_same_parity() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(shallow_depth), [0, 0, 0, 1, 2, 1, 2, 3, 4]);
    }
}
