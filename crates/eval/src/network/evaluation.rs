//! A network unpacked for reading: the evaluation of the full board.

use std::sync::Arc;

use turncoat_board::isa::{Isa, advise_huge_pages};
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};

use super::design::{BLOCK, MOST_HIDDEN, MOST_UNITS, weights_of};
use super::weights::{ACCUMULATOR_SHIFT, FULL, HIDDEN_SHIFT, Head, Layer, NetworkWeights, OUTPUT_SHIFT};
use crate::evaluation::estimate;
use crate::patterns::{FEATURES, Indices, LANES, MIDDLE, MIDDLES, PARTS, PLACES, SHAPES, WIDTH, counts, folds, part};
use crate::{Evaluation, Term, UNITS};

/// A block of a vector. Those of one vector follow each other.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
struct VectorBlock([i8; BLOCK]);

/// Weights of four inputs and a block of units: what is multiplied in one step.
type Step = [[i8; 4]; BLOCK];

/// A network unpacked for reading.
pub struct Network {
    variant: VariantKind,
    checksum: u64,
    /// Blocks of the accumulator.
    blocks: usize,
    /// The lanes that are read. Those behind the patterns' are the counts.
    lanes: Vec<u8>,
    reads_counts: bool,
    /// By lane: the row of index 0.
    middles: [i32; WIDTH],
    bias: Vec<[i16; BLOCK]>,
    table: Vec<VectorBlock>,
    /// Blocks before the first row, which lies on a cache line.
    before: usize,
    head_of: [u8; 64],
    heads: Vec<ReadyHead>,
}

/// The layers of a stage.
struct ReadyHead {
    hidden: Vec<ReadyLayer>,
    output: Vec<i16>,
    bias: i32,
}

/// A hidden layer: its blocks of units, each with the steps of all inputs.
struct ReadyLayer {
    steps: Vec<Vec<Step>>,
    biases: Vec<[i32; BLOCK]>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, {:016x})", self.variant, self.checksum)
    }
}

impl Network {
    /// The evaluation with this network.
    pub fn new(network: &NetworkWeights) -> Self {
        let design = &network.design;
        let first_row = first_rows(network);
        let mut lanes = Vec::new();
        let mut middles = [0; WIDTH];
        for (lane, middle) in middles.iter_mut().enumerate().take(FEATURES) {
            let count = lane.checked_sub(LANES);
            let number = count.map_or_else(|| PLACES[lane].shape, |count| SHAPES.len() + count);
            if let Some(first) = first_row[number] {
                lanes.push(lane as u8);
                *middle =
                    first - part(number).start as i32 + count.map_or_else(|| MIDDLES[lane] - i32::from(MIDDLE), |_| 0);
            }
        }
        let mut head_of = [0; 64];
        for (empties, head) in head_of.iter_mut().enumerate() {
            *head = design.stage_of(empties) as u8;
        }
        let (table, before) = unfold(network);
        Self {
            variant: network.variant,
            checksum: network.checksum(),
            blocks: design.units / BLOCK,
            reads_counts: lanes.last().is_some_and(|&lane| usize::from(lane) >= LANES),
            lanes,
            middles,
            bias: network.bias.as_chunks().0.to_vec(),
            table,
            before,
            head_of,
            heads: network.heads.iter().map(ReadyHead::new).collect(),
        }
    }

    /// The game that it evaluates.
    pub const fn variant(&self) -> VariantKind {
        self.variant
    }

    /// The value of a board whose indices are known, in [`UNITS`] of a disc.
    #[inline(always)]
    pub fn value<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, indices: &Indices) -> i32 {
        const MOST: i32 = 63 * UNITS;
        let empties = board.empties(Geometry::EIGHT).count() as usize;
        let mut inputs = [[0; BLOCK]; 2 * MOST_UNITS / BLOCK];
        let inputs = &mut inputs[..2 * self.blocks];
        let rows = self.rows(isa, board, moves, indices);
        for block in 0..self.blocks {
            self.accumulate(&rows, block, inputs);
        }
        let Some(head) = self.heads.get(usize::from(self.head_of[empties & 63])) else {
            return 0; // There is one for every number of empty squares.
        };
        // Never as good as a game that is won for certain.
        head.value(isa, inputs.as_flattened()).clamp(-MOST, MOST)
    }

    /// The first block of the vector of every lane and count, whether it is read or not.
    #[inline(always)]
    fn rows<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, indices: &Indices) -> [u32; WIDTH] {
        let mut rows = [0; WIDTH];
        let blocks = self.blocks as u32;
        for (row, (middle, &index)) in rows.iter_mut().zip(self.middles.iter().zip(&indices.0)) {
            *row = (middle + i32::from(index)).cast_unsigned().wrapping_mul(blocks);
        }
        if self.reads_counts {
            for (i, slot) in counts(isa, board, Geometry::EIGHT, moves).into_iter().enumerate() {
                rows[LANES + i] = (self.middles[LANES + i] + slot as i32).cast_unsigned().wrapping_mul(blocks);
            }
        }
        rows
    }

    /// Sums a block of all vectors that are read and makes inputs of the sums: the positive parts, then the negative
    /// ones.
    #[inline(always)]
    fn accumulate(&self, rows: &[u32; WIDTH], block: usize, inputs: &mut [[u8; BLOCK]]) {
        let (positive, negative) = inputs.split_at_mut(self.blocks);
        let (Some(positive), Some(negative)) = (positive.get_mut(block), negative.get_mut(block)) else {
            return; // There is a block of inputs for each of the accumulator.
        };
        let mut sums = self.bias.get(block).copied().unwrap_or_default();
        for &lane in &self.lanes {
            let Some(vector) = self.table.get(rows[usize::from(lane) % WIDTH] as usize + self.before + block) else {
                continue; // Every row is in the table.
            };
            for (sum, &weight) in sums.iter_mut().zip(&vector.0) {
                *sum += i16::from(weight);
            }
        }
        for i in 0..BLOCK {
            let value = (sums[i] >> ACCUMULATOR_SHIFT).clamp(-FULL, FULL);
            positive[i] = value.max(0) as u8;
            negative[i] = (-value).max(0) as u8;
        }
    }
}

/// The row of each part's first slot, if it is read. Rows are slots of these parts alone.
fn first_rows(network: &NetworkWeights) -> [Option<i32>; PARTS] {
    let mut first = [None; PARTS];
    let mut rows = 0;
    for (number, first) in first.iter_mut().enumerate().filter(|(number, _)| network.design.reads(*number)) {
        *first = Some(rows);
        rows += part(number).len() as i32;
    }
    first
}

/// The table with every row filled in, and the blocks before its first row.
fn unfold(network: &NetworkWeights) -> (Vec<VectorBlock>, usize) {
    /// Bytes of a cache line.
    const LINE: usize = 64;
    let (fold, design) = (folds(Geometry::EIGHT), &network.design);
    let parts = || (0..PARTS).filter(|&number| design.reads(number));
    let blocks: usize = parts().map(|number| part(number).len()).sum::<usize>() * (design.units / BLOCK);
    let mut table: Vec<VectorBlock> = Vec::with_capacity(blocks + LINE / BLOCK);
    advise_huge_pages(table.spare_capacity_mut());
    let before = table.as_ptr().align_offset(LINE).min(LINE / BLOCK);
    table.resize(before, VectorBlock([0; BLOCK]));
    let mut first_vector = 0;
    for number in parts() {
        let weights = weights_of(number);
        for &weight in &fold.weight[part(number)] {
            let vector = (first_vector + weight as usize - weights.start) * design.units;
            let vector = network.vectors.get(vector..vector + design.units).unwrap_or_default();
            table.extend(vector.as_chunks().0.iter().map(|&block| VectorBlock(block)));
        }
        first_vector += weights.len();
    }
    (table, before)
}

impl ReadyHead {
    fn new(head: &Head) -> Self {
        Self { hidden: head.hidden.iter().map(ReadyLayer::new).collect(), output: head.output.clone(), bias: head.bias }
    }

    #[inline(always)]
    fn value<I: Isa>(&self, isa: I, inputs: &[u8]) -> i32 {
        let mut values = [[0; MOST_HIDDEN]; 2];
        let [first, second] = &mut values;
        let last = match self.hidden.as_slice() {
            [layer] => layer.values(isa, inputs, first),
            [layer, next] => next.values(isa, layer.values(isa, inputs, first), second),
            _ => &[],
        };
        let products = last.iter().zip(&self.output).map(|(&value, &weight)| i32::from(value) * i32::from(weight));
        (self.bias + products.sum::<i32>()) >> OUTPUT_SHIFT
    }
}

impl ReadyLayer {
    fn new(layer: &Layer) -> Self {
        let inputs = layer.weights.len() / layer.biases.len().max(1);
        let weight = |unit: usize, input: usize| layer.weights.get(unit * inputs + input).copied().unwrap_or(0);
        let step = |block: usize, step: usize| -> Step {
            std::array::from_fn(|unit| std::array::from_fn(|input| weight(block * BLOCK + unit, step * 4 + input)))
        };
        let biases: Vec<[i32; BLOCK]> = layer.biases.as_chunks().0.to_vec();
        let steps = (0..biases.len()).map(|block| (0..inputs / 4).map(|number| step(block, number)).collect());
        Self { steps: steps.collect(), biases }
    }

    /// The values of its units.
    #[inline(always)]
    fn values<'a, I: Isa>(&self, isa: I, inputs: &[u8], values: &'a mut [u8; MOST_HIDDEN]) -> &'a [u8] {
        let blocks = values.as_chunks_mut::<BLOCK>().0.iter_mut();
        for (values, (steps, biases)) in blocks.zip(self.steps.iter().zip(&self.biases)) {
            let mut sums = *biases;
            for (&inputs, weights) in inputs.as_chunks().0.iter().zip(steps) {
                isa.add_products(&mut sums, inputs, weights);
            }
            *values = sums.map(|sum| (sum >> HIDDEN_SHIFT).clamp(0, i32::from(FULL)) as u8);
        }
        &values[..self.biases.len() * BLOCK]
    }
}

impl Evaluation for Arc<Network> {
    type State = Indices;

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, board: Board) -> Indices {
        Indices::new(board, Geometry::EIGHT)
    }

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.after(Geometry::EIGHT, square, flips)
    }

    #[inline(always)]
    fn passed(&self, state: &Indices) -> Indices {
        state.passed()
    }

    #[inline(always)]
    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &Indices) -> i32 {
        self.value(isa, board, moves, state)
    }

    fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Its layers mix everything: there is one part.
    fn parts(&self, board: Board) -> Vec<Term> {
        let value = f64::from(estimate(self, board, Geometry::EIGHT)) / f64::from(UNITS);
        vec![Term::new("network", 1, value)]
    }
}
