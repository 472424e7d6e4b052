//! The positions that one stage learns from.

use rayon::prelude::*;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry};
use turncoat_eval::patterns::{FEATURES, Row, SLOTS};

/// A position to learn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Example {
    /// The position.
    pub board: Board,
    /// The score to learn, in discs.
    pub label: f32,
    /// How often it occurred.
    pub count: f32,
    /// Whether it is kept back, to measure by.
    pub kept_back: bool,
}

/// Examples with their features, ready to be gone over many times.
#[derive(Debug)]
pub struct Problem {
    /// The size of their boards.
    geometry: Geometry,
    pub(super) rows: Vec<Row>,
    pub(super) labels: Vec<f32>,
    /// How much each counts.
    pub(super) shares: Vec<f32>,
}

/// Parts that are gone over on their own, at most, and the least rows of one: whatever the threads, so that the sums do not
/// depend on them.
const PARTS: usize = 48;
const LEAST_ROWS: usize = 8192;

/// Sums of parts by slot. They are large and wanted in every pass, so their memory is kept.
#[derive(Debug, Default)]
pub(super) struct PartSums(Vec<Vec<f32>>);

impl Problem {
    /// No examples yet, on boards of this size.
    pub const fn new(geometry: Geometry) -> Self {
        Self { geometry, rows: Vec::new(), labels: Vec::new(), shares: Vec::new() }
    }

    /// Adds examples, each counting as much as given times the root of its number: what is common should not
    /// drown what is rare.
    pub fn add(&mut self, examples: &[Example], share: f32) {
        let row = |example: &Example| Backend::best().run(MakeRow(example.board, self.geometry));
        let rows: Vec<Row> = examples.par_iter().map(row).collect();
        self.rows.extend(rows);
        self.labels.extend(examples.iter().map(|example| example.label));
        self.shares.extend(examples.iter().map(|example| share * example.count.sqrt()));
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is nothing to learn.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The parts as ranges.
    fn parts(&self) -> Vec<std::ops::Range<usize>> {
        let each = self.len().div_ceil(PARTS).max(LEAST_ROWS);
        (0..self.len()).step_by(each).map(|from| from..(from + each).min(self.len())).collect()
    }

    /// The sum of a table's slots on every row.
    pub(super) fn products(&self, table: &[f32]) -> Vec<f32> {
        self.rows.par_iter().map(|row| product(row, table)).collect()
    }

    /// By slot: the sum over all rows that read it of what `value` says of them. `table` is read on the way, so
    /// that one pass over the rows serves both: `value` gets the row's number and its product with the table.
    pub(super) fn pass(
        &self,
        table: &[f32],
        memory: &mut PartSums,
        value: impl Fn(usize, f32) -> f32 + Sync,
    ) -> (Vec<f32>, Vec<f32>) {
        let parts = self.parts();
        memory.0.resize_with(parts.len(), Vec::new);
        let of_part = |(part, sums): (std::ops::Range<usize>, &mut Vec<f32>)| -> Vec<f32> {
            sums.clear();
            sums.resize(SLOTS, 0.0);
            let add_row = |number: usize| {
                let row = &self.rows[number];
                let found = product(row, table);
                let add = value(number, found);
                for slot in row.slots() {
                    sums[slot as usize] += add;
                }
                found
            };
            part.map(add_row).collect()
        };
        let products: Vec<Vec<f32>> = parts.into_par_iter().zip(&mut memory.0).map(of_part).collect();
        let mut sums = vec![0.0; SLOTS];
        sums.par_chunks_mut(4096).enumerate().for_each(|(chunk, sums)| {
            let from = chunk * 4096;
            for part in &memory.0 {
                for (sum, add) in sums.iter_mut().zip(&part[from..]) {
                    *sum += add;
                }
            }
        });
        (sums, products.concat())
    }
}

#[inline(always)]
fn product(row: &Row, table: &[f32]) -> f32 {
    let slots: [u32; FEATURES] = row.slots();
    slots.iter().map(|&slot| table[slot as usize]).sum()
}

struct MakeRow(Board, Geometry);

impl Task for MakeRow {
    type Output = Row;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Row {
        let moves = isa.legal_moves(self.0, self.0.empties(self.1));
        Row::new(isa, self.0, self.1, moves)
    }
}
