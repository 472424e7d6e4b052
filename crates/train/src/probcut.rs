//! The error model of cuts by probability: how far deep and shallow values differ.

use turncoat_board::{Position, Variant};
use turncoat_eval::{Evaluation, UNITS};
use turncoat_search::pvs::{Coefficients, Searcher, Selectivity, shallow_depth, terms};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{Limits, StopFlag, Watch};
use turncoat_util::SplitMix64;

use crate::least_squares::LeastSquares;
use crate::sample;

/// The least depth that is cut.
const FIRST_DEPTH: u32 = 3;

/// How far the players of the games look ahead.
const GAME_DEPTH: u32 = 2;
/// One position in so many is taken, so that they are different.
const APART: usize = 6;

/// Sums of squared differences by depth and empties, in discs.
#[derive(Debug, Clone)]
pub struct Spreads {
    deepest: u32,
    /// By depth, then by empties: how many, sum, sum of squares.
    cells: Vec<[(f64, f64, f64); 61]>,
}

impl Spreads {
    /// Nothing measured yet, up to this depth.
    pub fn new(deepest: u32) -> Self {
        Self { deepest, cells: vec![[(0.0, 0.0, 0.0); 61]; deepest as usize + 1] }
    }

    /// Of some positions of the game with this number; `None` if it was stopped.
    pub fn from_game<V: Variant, E: Evaluation>(
        variant: V,
        evaluation: &E,
        deepest: u32,
        seed: u64,
        number: u64,
        table: &TranspositionTable,
        stop: &StopFlag,
    ) -> Option<Self> {
        let mut spreads = Self::new(deepest);
        let game = SplitMix64::for_number(seed, number).next_u64();
        let positions = sample::game(variant, evaluation, GAME_DEPTH, game, table);
        let first = number as usize % APART;
        for &position in positions.iter().skip(first).step_by(APART) {
            spreads.measure(variant, evaluation, position, table, stop)?;
        }
        Some(spreads)
    }

    /// Searches a position at every depth at full width and notes the differences; `None` if it was stopped.
    fn measure<V: Variant, E: Evaluation>(
        &mut self,
        variant: V,
        evaluation: &E,
        position: Position,
        table: &TranspositionTable,
        stop: &StopFlag,
    ) -> Option<()> {
        let empties = position.empties();
        if position.legal_moves().is_empty() || empties <= self.deepest {
            return Some(());
        }
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let mut watch = Watch::start(&limits);
        let mut searcher = Searcher::new(variant, position.geometry(), evaluation, table, None, &mut watch);
        let mut lines = Searcher::<V, E>::root_moves(position);
        let mut values = vec![0.0];
        for depth in 1..=self.deepest {
            searcher.iterate(position, depth, Selectivity::FULL_WIDTH, 1, &mut lines, &mut |_, _| {});
            values.push(f64::from(lines[0].value) / f64::from(UNITS));
        }
        if stop.is_raised() {
            return None;
        }
        for depth in FIRST_DEPTH..=self.deepest {
            let difference = values[depth as usize] - values[shallow_depth(depth) as usize];
            let (count, sum, squares) = &mut self.cells[depth as usize][empties as usize];
            *count += 1.0;
            *sum += difference;
            *squares += difference * difference;
        }
        Some(())
    }

    /// Adds what another one has measured.
    pub fn add(&mut self, other: &Self) {
        for (own, new) in self.cells.iter_mut().flatten().zip(other.cells.iter().flatten()) {
            *own = (own.0 + new.0, own.1 + new.1, own.2 + new.2);
        }
    }

    /// How many differences were measured.
    pub fn count(&self) -> f64 {
        self.cells.iter().flatten().map(|cell| cell.0).sum()
    }

    /// Standard deviations by depth and band of ten empties, in discs, to look at.
    pub fn table(&self) -> Vec<(u32, Vec<f64>)> {
        let band = |depth: u32, band: usize| {
            let (mut count, mut squares) = (0.0, 0.0);
            for cell in &self.cells[depth as usize][band * 10..band * 10 + 10] {
                count += cell.0;
                squares += cell.2;
            }
            if count > 0.0 { (squares / count).sqrt() } else { f64::NAN }
        };
        (FIRST_DEPTH..=self.deepest).map(|depth| (depth, (0..6).map(|b| band(depth, b)).collect())).collect()
    }

    /// The coefficients that fit best; `None` with too little data.
    pub fn fit(&self) -> Option<Coefficients> {
        let mut fit = LeastSquares::<5>::default();
        for depth in FIRST_DEPTH..=self.deepest {
            for (empties, &(count, _, squares)) in self.cells[depth as usize].iter().enumerate() {
                // A bias counts as error too: the cut does not know it.
                let variance = squares / count.max(1.0);
                if count >= 5.0 && variance > 0.0 {
                    fit.add(terms(depth, empties as u32), variance.ln() / 2.0, count);
                }
            }
        }
        fit.solve()
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, Reversed, VariantKind};
    use turncoat_eval::HandMade;

    use super::*;

    #[test]
    fn other_seeds_give_other_games_and_a_stop_none() {
        let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
        let of = |seed, stop: &StopFlag| {
            let table = TranspositionTable::new(1).unwrap();
            Spreads::from_game(Reversed, &hand, 5, seed, 0, &table, stop).map(|spreads| spreads.cells)
        };
        let never = StopFlag::default();
        let first = of(1, &never).unwrap();
        assert_eq!(first, of(1, &never).unwrap());
        assert_ne!(first, of((1 << 32) + 1, &never).unwrap());
        let stopped = StopFlag::default();
        stopped.raise();
        assert_eq!(of(1, &stopped), None);
    }
}
