//! The error model of cuts by probability: how far deep and shallow values differ.

use turncoat_board::{Position, Variant};
use turncoat_eval::{Estimator, UNITS};
use turncoat_search::pvs::{Coefficients, Level, Thinker, shallow_depth, terms};
use turncoat_search::table::Table;
use turncoat_search::{Limits, Watch};

use crate::least_squares::LeastSquares;

/// The least depth that is cut.
const FIRST_DEPTH: u32 = 3;

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
        Self {
            deepest,
            cells: vec![[(0.0, 0.0, 0.0); 61]; deepest as usize + 1],
        }
    }

    /// Searches a position at every depth at full width and notes the differences.
    pub fn measure<V: Variant, E: Estimator>(
        &mut self,
        variant: V,
        estimator: &E,
        position: Position,
        table: &Table,
    ) {
        let empties = position.empties();
        if position.legal_moves().is_empty() || empties <= self.deepest {
            return;
        }
        let mut watch = Watch::start(&Limits::default());
        let mut thinker = Thinker::new(
            variant,
            position.geometry(),
            estimator,
            table,
            None,
            &mut watch,
        );
        let mut lines = Thinker::<V, E>::lines(position);
        let mut values = vec![0.0];
        for depth in 1..=self.deepest {
            thinker.iterate(position, depth, Level::FULL, 1, &mut lines, &mut |_, _| {});
            values.push(f64::from(lines[0].value) / f64::from(UNITS));
        }
        for depth in FIRST_DEPTH..=self.deepest {
            let difference = values[depth as usize] - values[shallow_depth(depth) as usize];
            let (count, sum, squares) = &mut self.cells[depth as usize][empties as usize];
            *count += 1.0;
            *sum += difference;
            *squares += difference * difference;
        }
    }

    /// Adds what another one has measured.
    pub fn add(&mut self, other: &Self) {
        for (own, new) in self
            .cells
            .iter_mut()
            .flatten()
            .zip(other.cells.iter().flatten())
        {
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
            if count > 0.0 {
                (squares / count).sqrt()
            } else {
                f64::NAN
            }
        };
        (FIRST_DEPTH..=self.deepest)
            .map(|depth| (depth, (0..6).map(|b| band(depth, b)).collect()))
            .collect()
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
