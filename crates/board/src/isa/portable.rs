//! Moves, flips and sums of products in plain integer arithmetic: the twin that every machine runs and that the vector
//! code is compared with.

use super::rays::{RAYS, STEPS};
use super::{Isa, Task};
use crate::{Bitboard, Board, Square};

/// The instruction set that every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portable;

impl Isa for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn legal_moves(self, board: Board, empties: Bitboard) -> Bitboard {
        Bitboard(legal_moves(board.mover().0, board.other().0) & empties.0)
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        Bitboard(flips(board.mover().0, board.other().0, square))
    }

    #[inline(always)]
    fn add_products(self, sums: &mut [i32; 16], inputs: [u8; 4], weights: &[[i8; 4]; 16]) {
        add_products(sums, inputs, weights);
    }

    #[inline(always)]
    fn prefetch<T>(self, _place: &T) {}

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        portable_shim(self, task)
    }
}

/// Compiles each task once, like the shim of the other set.
#[inline(never)]
fn portable_shim<T: Task>(isa: Portable, task: T) -> T::Output {
    task.run(isa)
}

/// Opposing discs that a ray may run through: not on the edges where a step would wrap around.
pub(super) const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
pub(super) const THROUGH: [u64; 4] = [INNER_COLUMNS, u64::MAX, INNER_COLUMNS, INNER_COLUMNS];

/// All squares from which the mover's ray over opposing discs meets an own disc; some are occupied.
#[inline(always)]
fn legal_moves(mover: u64, other: u64) -> u64 {
    let mut moves = 0;
    for (step, through) in STEPS.into_iter().zip(THROUGH) {
        let through = other & through;
        // Runs of opposing discs that start beside an own disc, grown by one, one and twice two steps:
        // at most six discs lie between two of one's own.
        let mut up = through & (mover << step);
        let mut down = through & (mover >> step);
        up |= through & (up << step);
        down |= through & (down >> step);
        let pairs_up = through & (through << step);
        let pairs_down = through & (through >> step);
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        up |= pairs_up & (up << (2 * step));
        down |= pairs_down & (down >> (2 * step));
        moves |= up << step | down >> step;
    }
    moves
}

/// The opposing discs between this square and the next own disc, along all eight rays.
#[inline(always)]
fn flips(mover: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS.0[square.index()];
    let mut flips = 0;
    for &ray in &rays[..4] {
        // Towards higher indices a carry runs through the opposing discs to the first other square.
        let end = (other | !ray).wrapping_add(1) & ray & mover;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays[4..] {
        // Towards lower indices the first other square is the highest one of the ray.
        let rest = ray & !other;
        let end: u64 = if rest == 0 { 0 } else { (1 << 63) >> rest.leading_zeros() };
        // Above `end` in the ray lie only opposing discs.
        let between = ray & !(end | end.wrapping_sub(1));
        flips |= if end & mover == 0 { 0 } else { between };
    }
    flips
}

/// Adds the products of four inputs with the four weights of each sum.
#[inline(always)]
pub(super) fn add_products(sums: &mut [i32; 16], inputs: [u8; 4], weights: &[[i8; 4]; 16]) {
    for (sum, weights) in sums.iter_mut().zip(weights) {
        for (input, weight) in inputs.into_iter().zip(weights) {
            *sum += i32::from(input) * i32::from(*weight);
        }
    }
}
