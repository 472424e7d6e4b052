//! Moves and flips with two boards side by side in registers of WebAssembly: the board, and the board with its rows in
//! reverse order. Upwards on the one is downwards on the other, so that one shift serves two directions.
//!
//! Each function is the twin of one in the portable module and is compared with it by the tests.

use core::arch::wasm32::{
    i8x16_shuffle, i64x2_add, i64x2_ne, i64x2_shl, i64x2_splat, u64x2, u64x2_extract_lane, v128, v128_and, v128_andnot,
    v128_or,
};

use super::portable::{self, THROUGH};
use super::rays::{RAYS, STEPS};
use super::{Isa, Task};
use crate::{Bitboard, Board, Square};

/// The vectors of WebAssembly. A module that was built with them runs only where they are, so that there is nothing to
/// detect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simd128;

impl Isa for Simd128 {
    const NAME: &'static str = "simd128";

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
        // The compiler makes vectors of it.
        portable::add_products(sums, inputs, weights);
    }

    #[inline(always)]
    fn prefetch<T>(self, _place: &T) {}

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        simd128_shim(self, task)
    }
}

/// Compiles each task once, like the shims of the other sets.
#[inline(never)]
fn simd128_shim<T: Task>(isa: Simd128, task: T) -> T::Output {
    task.run(isa)
}

/// A board, and its mirror image with the rows in reverse order.
#[inline(always)]
fn mirrored(board: u64) -> v128 {
    let twice = i64x2_splat(board as i64);
    i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(twice, twice)
}

/// The union of a board and what a mirror image stands for.
#[inline(always)]
fn union(pair: v128) -> u64 {
    let turned = i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7>(pair, pair);
    u64x2_extract_lane::<0>(v128_or(pair, turned))
}

/// See the portable twin: the same runs, two directions at once, and those along the rows one by one.
#[inline(always)]
fn legal_moves(mover: u64, other: u64) -> u64 {
    let (own, others) = (mirrored(mover), mirrored(other));
    let mut all = i64x2_splat(0);
    for direction in 1..4 {
        let step = STEPS[direction];
        let through = v128_and(others, i64x2_splat(THROUGH[direction] as i64));
        let mut run = v128_and(through, i64x2_shl(own, step));
        run = v128_or(run, v128_and(through, i64x2_shl(run, step)));
        let pairs = v128_and(through, i64x2_shl(through, step));
        run = v128_or(run, v128_and(pairs, i64x2_shl(run, 2 * step)));
        run = v128_or(run, v128_and(pairs, i64x2_shl(run, 2 * step)));
        all = v128_or(all, i64x2_shl(run, step));
    }
    union(all) | along_rows(mover, other & THROUGH[0])
}

/// Moves whose discs lie in one row.
#[inline(always)]
fn along_rows(mover: u64, through: u64) -> u64 {
    let mut right = through & (mover << 1);
    let mut left = through & (mover >> 1);
    right |= through & (right << 1);
    left |= through & (left >> 1);
    let pairs = through & (through << 1);
    right |= pairs & (right << 2);
    left |= (pairs >> 1) & (left >> 2);
    right |= pairs & (right << 2);
    left |= (pairs >> 1) & (left >> 2);
    right << 1 | left >> 1
}

/// See the portable twin: towards higher indices on both boards, and to the left by itself.
#[inline(always)]
fn flips(mover: u64, other: u64, square: Square) -> u64 {
    let (own, others) = (mirrored(mover), mirrored(other));
    let (rays, mirror) = (&RAYS.0[square.index()], &RAYS.0[square.index() ^ 56]);
    let mut all = i64x2_splat(0);
    for direction in 0..4 {
        // To the right it is the same on both boards.
        let ray = u64x2(rays[direction], if direction == 0 { 0 } else { mirror[direction] });
        let beyond = i64x2_add(v128_or(others, v128_andnot(i64x2_splat(-1), ray)), i64x2_splat(1));
        let end = v128_and(v128_and(beyond, ray), own);
        // Minus one where there is an end.
        let between = i64x2_add(end, i64x2_ne(end, i64x2_splat(0)));
        all = v128_or(all, v128_and(between, ray));
    }
    let left = rays[4];
    let rest = left & !other;
    let end: u64 = if rest == 0 { 0 } else { (1 << 63) >> rest.leading_zeros() };
    let between = left & !(end | end.wrapping_sub(1));
    union(all) | if end & mover == 0 { 0 } else { between }
}
