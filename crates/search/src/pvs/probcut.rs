//! Multi-ProbCut (M. Buro): a shallow search that is far enough beyond the window replaces a deep one.
//!
//! How far is enough is decided by an error model that was fitted to the evaluation ([`super::error_model`]). Without one
//! nothing is pruned.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Variant};
use turncoat_eval::{Evaluation, UNITS};

use super::constants::Constants;
use super::error_model::same_parity;
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
        let empties = self.empties(board).count();
        let margins = self.margins(depth, empties)?;
        let beta = alpha + 1;
        let static_value = self.evaluation.evaluate(isa, board, moves, state);
        // The static value says which side to try.
        let is_high = static_value >= beta;
        let lead = if is_high { static_value - beta } else { alpha - static_value };
        let cut = if is_high { beta } else { alpha };
        if lead as f32 >= margins.sight {
            return Some(cut);
        }
        let bar = if is_high { beta + margins.shallow } else { alpha - margins.shallow };
        let most = (i32::from(self.geometry.area()) - 1) * UNITS;
        if bar.abs() >= most {
            return None;
        }
        let (alpha, beta) = if is_high { (bar - 1, bar) } else { (bar, bar + 1) };
        let (state, searcher, depth) = (*state, &mut *self, margins.depth);
        let value = isa.run(PvsNode::<false, V, E> { searcher, board, state, key, alpha, beta, depth, ply });
        let is_beyond = if is_high { value >= bar } else { value <= bar };
        (is_beyond && !self.is_over()).then_some(cut)
    }

    /// How far beyond the window values must lie at a node of this depth; `None` if nothing is cut there.
    #[inline(always)]
    fn margins(&self, depth: u32, empties: u32) -> Option<Margins> {
        let deviations = self.selectivity.deviations()?;
        let error_model = self.error_model?;
        let Constants { margin, late, deep, shallow, least_cut, end_margin, sight, .. } = self.constants;
        if depth < least_cut as u32 {
            return None;
        }
        let shallow = same_parity(depth, shallow as u32);
        let tilt = part(late, (44, 20), empties) * part(deep, (3, 15), depth);
        let width = |percent: i32, spread: f32| deviations * percent as f32 / 100.0 * tilt * spread;
        if depth >= empties {
            let spread = error_model.end_spread(empties, shallow).filter(|_| end_margin > 0)?;
            return Some(Margins { depth: shallow, shallow: width(end_margin, spread) as i32, sight: f32::INFINITY });
        }
        // Values of odd depths differ from static ones systematically.
        let is_seen = sight > 0 && depth.is_multiple_of(2);
        let sight = if is_seen { width(sight, error_model.spread(empties, depth, 0)) } else { f32::INFINITY };
        let spread = error_model.spread(empties, depth, shallow);
        Some(Margins { depth: shallow, shallow: width(margin, spread) as i32, sight })
    }
}

/// A factor that goes from 1 at one end of a range to so many percent at the other.
#[inline(always)]
fn part(percent: i32, (from, to): (u32, u32), at: u32) -> f32 {
    let way = ((at as f32 - from as f32) / (to as f32 - from as f32)).clamp(0.0, 1.0);
    1.0 + way * (percent as f32 / 100.0 - 1.0)
}

/// How far beyond the window a value must lie to end the search of a node, in [`UNITS`] of a disc.
struct Margins {
    /// How deep the shallow search goes.
    depth: u32,
    /// The margin of its value.
    shallow: i32,
    /// That of the static value.
    sight: f32,
}
