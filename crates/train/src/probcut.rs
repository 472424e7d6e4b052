//! The error model of cuts by probability: how far deep and shallow values differ.

use rayon::prelude::*;
use turncoat_board::{Geometry, Position, Variant};
use turncoat_eval::{Evaluation, UNITS};
use turncoat_search::pvs::{Coefficients, EndCoefficients, Searcher, Selectivity, end_terms, shallow_depth, terms};
use turncoat_search::transposition::{TableTooLarge, TranspositionTable};
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
/// Memory of one game's searches, in MiB.
const MEBIBYTES: usize = 4;

/// How many differences, and the sum of their squares.
type Cell = (f64, f64);

/// Sums of squared differences, in discs.
#[derive(Debug, Clone, PartialEq)]
pub struct Spreads {
    deepest: u32,
    /// Between values of two depths: by depth and shallow depth, then by empties.
    pairs: Vec<[Cell; 61]>,
    /// Between final scores and shallow values: by shallow depth, then by empties.
    end: Vec<[Cell; 61]>,
}

impl Spreads {
    /// Nothing measured yet, up to this depth.
    pub fn new(deepest: u32) -> Self {
        let depths = deepest as usize + 1;
        Self { deepest, pairs: vec![[(0.0, 0.0); 61]; depths * depths], end: vec![[(0.0, 0.0); 61]; depths] }
    }

    fn pair(&self, depth: u32, shallow: u32) -> usize {
        (depth * (self.deepest + 1) + shallow) as usize
    }

    /// The pairs of depths that are compared: of the same parity, since values of odd and even depths differ.
    fn depths(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        (FIRST_DEPTH..=self.deepest)
            .flat_map(|depth| (depth % 2..depth).step_by(2).map(move |shallow| (depth, shallow)))
    }

    /// Of so many games on all threads; `None` if it was stopped. `played` hears of each game.
    ///
    /// # Errors
    /// If memory runs out.
    #[allow(clippy::too_many_arguments)] // What the fit depends on.
    pub fn from_games<V: Variant, E: Evaluation>(
        variant: V,
        evaluation: &E,
        geometry: Geometry,
        deepest: u32,
        seed: u64,
        games: u64,
        stop: &StopFlag,
        played: impl Fn() + Sync,
    ) -> Result<Option<Self>, TableTooLarge> {
        let of_game = |number| {
            if stop.is_raised() {
                return Ok(None);
            }
            let table = TranspositionTable::new(MEBIBYTES)?;
            let game = Self::from_game(variant, evaluation, geometry, deepest, seed, number, &table, stop);
            played();
            Ok(game)
        };
        // Each game on its own and the sums in their order: any number of threads gives the same fit.
        let games: Vec<Option<Self>> = (0..games).into_par_iter().map(of_game).collect::<Result<_, _>>()?;
        Ok(games.into_iter().try_fold(Self::new(deepest), |mut all, game| {
            all.add(&game?);
            Some(all)
        }))
    }

    /// Of some positions of the game with this number; `None` if it was stopped.
    #[allow(clippy::too_many_arguments)] // What a game depends on.
    fn from_game<V: Variant, E: Evaluation>(
        variant: V,
        evaluation: &E,
        geometry: Geometry,
        deepest: u32,
        seed: u64,
        number: u64,
        table: &TranspositionTable,
        stop: &StopFlag,
    ) -> Option<Self> {
        let mut spreads = Self::new(deepest);
        let game = SplitMix64::for_number(seed, number).next_u64();
        let positions = sample::game(variant, evaluation, geometry, GAME_DEPTH, game, table);
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
        if position.legal_moves().is_empty() {
            return Some(());
        }
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let mut watch = Watch::start(&limits);
        let mut searcher = Searcher::new(variant, position.geometry(), evaluation, table, None, &mut watch);
        let mut lines = Searcher::<V, E>::root_moves(position);
        let mut values = vec![f64::from(evaluation.estimate(position)) / f64::from(UNITS)];
        for depth in 1..=self.deepest.min(empties) {
            searcher.iterate(position, depth, Selectivity::FULL_WIDTH, 1, &mut lines, &mut |_, _| {});
            values.push(f64::from(lines[0].value) / f64::from(UNITS));
        }
        if stop.is_raised() {
            return None;
        }
        let note = |cell: &mut Cell, difference: f64| *cell = (cell.0 + 1.0, cell.1 + difference * difference);
        if let Some(&score) = values.get(empties as usize) {
            for (shallow, value) in values[..empties as usize].iter().enumerate() {
                note(&mut self.end[shallow][empties as usize], score - value);
            }
            return Some(());
        }
        for (depth, shallow) in self.depths() {
            let place = self.pair(depth, shallow);
            note(&mut self.pairs[place][empties as usize], values[depth as usize] - values[shallow as usize]);
        }
        Some(())
    }

    /// Adds what another one has measured.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in [(&mut self.pairs, &other.pairs), (&mut self.end, &other.end)] {
            for (own, new) in own.iter_mut().flatten().zip(other.iter().flatten()) {
                *own = (own.0 + new.0, own.1 + new.1);
            }
        }
    }

    /// How many differences were measured.
    pub fn count(&self) -> f64 {
        self.pairs.iter().flatten().map(|cell| cell.0).sum()
    }

    /// Standard deviations by depth, shallow depth and band of ten empties, in discs, to look at.
    pub fn table(&self) -> Vec<(u32, u32, Vec<f64>)> {
        let bands = |cells: &[Cell; 61]| cells.chunks(10).take(6).map(deviation).collect();
        self.depths().map(|(depth, shallow)| (depth, shallow, bands(&self.pairs[self.pair(depth, shallow)]))).collect()
    }

    /// The coefficients that fit best; `None` with too little data.
    pub fn fit(&self) -> Option<Coefficients> {
        let mut fit = LeastSquares::<5>::default();
        for (depth, shallow) in self.depths() {
            // Those that are used count most.
            let weight = if shallow == shallow_depth(depth) { 4.0 } else { 1.0 };
            add(&mut fit, &self.pairs[self.pair(depth, shallow)], weight, |empties| terms(depth, shallow, empties));
        }
        fit.solve()
    }

    /// The same for the differences to final scores.
    pub fn fit_end(&self) -> Option<EndCoefficients> {
        let mut fit = LeastSquares::<4>::default();
        for (shallow, cells) in self.end.iter().enumerate() {
            add(&mut fit, cells, 1.0, |empties| end_terms(shallow as u32, empties));
        }
        fit.solve()
    }
}

fn deviation(cells: &[Cell]) -> f64 {
    let (count, squares) = cells.iter().fold((0.0, 0.0), |sum: Cell, cell| (sum.0 + cell.0, sum.1 + cell.1));
    if count > 0.0 { (squares / count).sqrt() } else { f64::NAN }
}

fn add<const N: usize>(fit: &mut LeastSquares<N>, cells: &[Cell; 61], weight: f64, terms: impl Fn(u32) -> [f64; N]) {
    for (empties, &(count, squares)) in cells.iter().enumerate() {
        // A bias counts as error too: the cut does not know it.
        let variance = squares / count.max(1.0);
        if count >= 5.0 && variance > 0.0 {
            fit.add(terms(empties as u32), variance.ln() / 2.0, count * weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Reversed, VariantKind};
    use turncoat_eval::HandMade;

    use super::*;

    #[test]
    fn other_seeds_give_other_games_and_a_stop_none() {
        let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
        let of = |seed, stop: &StopFlag| {
            let table = TranspositionTable::new(1).unwrap();
            Spreads::from_game(Reversed, &hand, Geometry::EIGHT, 5, seed, 0, &table, stop)
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
