//! A trained set of weights, and the evaluation that reads it.

use std::sync::Arc;

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};
use turncoat_util::{fnv1a, fnv1a_with};

use super::features::counts;
use super::indices::{Indices, MIDDLE};
use super::layout::{BOTH_MOVES, Fold, MIDDLES, MOST_JOINT, OTHER_MOVES, OWN_MOVES, SLOTS, folds};
use super::shapes::LANES;
use crate::{Evaluation, Term, UNITS};

/// A game is divided into this many stages.
pub const STAGES: usize = 30;
/// Discs in a stage.
const DISCS: u32 = 2;

/// The stage of a board with this many empty squares.
#[inline(always)]
pub const fn stage_of(empties: u32) -> usize {
    let stage = 60u32.saturating_sub(empties) / DISCS;
    if stage as usize >= STAGES { STAGES - 1 } else { stage as usize }
}

/// The most empty squares of a stage.
pub const fn most_empties(stage: usize) -> u32 {
    60 - DISCS * stage as u32
}

/// The weights of all stages as they are trained and stored: one for contents that are equal by symmetry, in
/// [`UNITS`] of a disc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The game that they evaluate.
    pub variant: VariantKind,
    /// The size of its board.
    pub geometry: Geometry,
    /// By stage, then by weight.
    pub stages: Vec<Vec<i16>>,
}

impl Weights {
    /// Weights of zero, before training.
    pub fn blank(variant: VariantKind, geometry: Geometry) -> Self {
        Self { variant, geometry, stages: vec![vec![0; folds(geometry).weights]; STAGES] }
    }

    /// A number that tells these weights from all others.
    pub fn checksum(&self) -> u64 {
        let game = fnv1a(self.variant.name().bytes());
        // Four weights at a time: the program waits for this when it starts.
        let join = |word, &weight: &i16| word << 16 | u64::from(weight.cast_unsigned());
        let fours = self.stages.iter().flat_map(|stage| stage.chunks(4));
        let words = fours.map(|four| four.iter().fold(0, join));
        words.fold(game, fnv1a_with)
    }
}

/// Room before the first slot, so that any contents of a lane, counted from its middle, lie within a table.
const BEFORE: usize = MIDDLE as usize;
/// The size of a table, with as much room behind.
const ROOM: usize = BEFORE + SLOTS + BEFORE;
/// The places of a lane's contents.
const LANE: usize = 1 << 16;

/// Weights unfolded for reading: the evaluation of one game and size.
pub struct Patterns {
    variant: VariantKind,
    geometry: Geometry,
    stages: Vec<Box<[i16; ROOM]>>,
    checksum: u64,
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Patterns({}, {}, {:016x})", self.variant, self.geometry, self.checksum)
    }
}

impl Patterns {
    /// The evaluation with these weights.
    pub fn new(weights: &Weights) -> Self {
        let fold = folds(weights.geometry);
        Self {
            variant: weights.variant,
            geometry: weights.geometry,
            stages: weights.stages.iter().map(|w| unfold(fold, w)).collect(),
            checksum: weights.checksum(),
        }
    }

    /// The game that it evaluates.
    pub const fn variant(&self) -> VariantKind {
        self.variant
    }

    /// The size of its boards.
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The value of any board, in [`UNITS`] of a disc.
    pub fn evaluate_board(&self, board: Board) -> i32 {
        Backend::best().run(EvaluateBoard { patterns: self, board })
    }

    /// What a stage's weights give for these numbers of own and opposing moves, in [`UNITS`] of a disc; `None` beyond
    /// [`MOST_JOINT_MOVES`].
    pub fn mobility(&self, stage: usize, own: usize, other: usize) -> Option<i32> {
        if own > MOST_JOINT || other > MOST_JOINT {
            return None;
        }
        let table = self.stages.get(stage)?;
        let slots = [OWN_MOVES + own, OTHER_MOVES + other, BOTH_MOVES + own * (MOST_JOINT + 1) + other];
        Some(slots.iter().map(|&slot| i32::from(table[BEFORE + slot])).sum())
    }

    /// The weight of a slot in the table of a board's stage.
    pub(super) fn weight(&self, board: Board, slot: usize) -> i16 {
        self.stages[stage_of(board.empties(self.geometry).count())][BEFORE + slot]
    }

    /// The value of a board whose indices are known, in [`UNITS`] of a disc.
    #[inline(always)]
    pub fn value<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, indices: &Indices) -> i32 {
        let empties = board.empties(self.geometry).count();
        let table = &*self.stages[stage_of(empties)];
        let mut sum = 0;
        for lane in 0..LANES {
            // There is room for all 16-bit numbers, so that no index is checked.
            if let Some((places, _)) = table[MIDDLES[lane] as usize..].split_first_chunk::<LANE>() {
                sum += i32::from(places[usize::from(indices.0[lane])]);
            }
        }
        for slot in counts(isa, board, self.geometry, moves) {
            sum += i32::from(table[BEFORE + slot]);
        }
        // Never as good as a game that is won for certain.
        let most = (i32::from(self.geometry.area()) - 1) * UNITS;
        sum.clamp(-most, most)
    }
}

/// The most moves of either side that [`Patterns::mobility`] knows.
pub const MOST_JOINT_MOVES: usize = MOST_JOINT;

struct EvaluateBoard<'a> {
    patterns: &'a Patterns,
    board: Board,
}

impl Task for EvaluateBoard<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let geometry = self.patterns.geometry;
        let moves = isa.legal_moves(self.board, self.board.empties(geometry));
        self.patterns.value(isa, self.board, moves, &Indices::new(self.board, geometry))
    }
}

/// A stage's table with every slot filled in.
fn unfold(fold: &Fold, weights: &[i16]) -> Box<[i16; ROOM]> {
    let mut table = vec![0; ROOM];
    for (slot, &weight) in fold.weight.iter().enumerate() {
        table[BEFORE + slot] = weights.get(weight as usize).copied().unwrap_or(0);
    }
    match table.into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("made with this length"),
    }
}

impl Evaluation for Arc<Patterns> {
    type State = Indices;

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, board: Board) -> Indices {
        Indices::new(board, self.geometry)
    }

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.after(self.geometry, square, flips)
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

    fn parts(&self, board: Board) -> Vec<Term> {
        Patterns::parts(self, board)
    }
}
