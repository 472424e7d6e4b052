//! Instruction sets: one binary that runs everywhere at full speed.
//!
//! A baseline x86-64 build lacks AVX2, the bit-manipulation instructions and even a population count;
//! a check in every leaf function would prevent inlining. So:
//!
//! - [`Isa`] is a token for an instruction set. Holding one proves that the machine has it, so its
//!   methods are safe.
//! - Hot code is a [`Task`]: a struct of arguments whose `run` is `#[inline(always)]` and generic over
//!   the token. [`Isa::run`] enters it through a shim compiled with the set's features; recursion goes
//!   through [`Isa::run`] again. Helpers of a task are `#[inline(always)]` too, or else they would be
//!   compiled for the baseline.
//! - [`Backend`] selects the set once, at the root.
//!
//! All `unsafe` code is in this module. The portable set is always compiled, and the tests compare all with it.
//!
//! ```
//! use turncoat_board::isa::{Backend, Isa, Task};
//! use turncoat_board::{Board, Geometry};
//!
//! /// Counts the replies to all moves.
//! struct Replies(Board);
//!
//! impl Task for Replies {
//!     type Output = u32;
//!     #[inline(always)]
//!     fn run<I: Isa>(self, isa: I) -> u32 {
//!         let empties = self.0.empties(Geometry::EIGHT);
//!         let mut replies = 0;
//!         for square in isa.legal_moves(self.0, empties) {
//!             let next = self.0.after(square, isa.flips(self.0, square));
//!             replies += isa.legal_moves(next, next.empties(Geometry::EIGHT)).count();
//!         }
//!         replies
//!     }
//! }
//!
//! for backend in Backend::all() {
//!     assert_eq!(backend.run(Replies(Board::start(Geometry::EIGHT))), 12);
//! }
//! ```
// Calling a function compiled with more features than the caller's is unsafe; the tokens make it sound.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod hints;
mod portable;
mod rays;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::{Bitboard, Board, Square};

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use portable::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;

#[cfg(feature = "huge-pages")]
pub use hints::{advise_huge_pages, return_large_blocks};

/// A token for an instruction set that this machine has, with the leaf routines written for it.
pub trait Isa: Copy + Send + Sync + fmt::Debug + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The mover's legal moves among these empty squares (those of the board's size).
    fn legal_moves(self, board: Board, empties: Bitboard) -> Bitboard;

    /// The discs that the mover's disc on this empty square flips; empty if the move is illegal.
    fn flips(self, board: Board, square: Square) -> Bitboard;

    /// Adds to each of sixteen sums the products of four inputs and its four weights: a step of a small network. Inputs
    /// are at most 127, so that no pair of products overflows 16 bits.
    fn add_products(self, sums: &mut [i32; 16], inputs: [u8; 4], weights: &[[i8; 4]; 16]);

    /// Prefetches the cache line of a value; a hint without effect on results.
    fn prefetch<T>(self, place: &T);

    /// Runs a task compiled for this instruction set.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// Hot code that is compiled once for each instruction set.
pub trait Task {
    /// The result.
    type Output;
    /// Runs the task. Must be `#[inline(always)]` to be compiled for the set.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// An instruction set chosen at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// Plain integer code.
    Portable(Portable),
    /// AVX2 and bit manipulation.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 with the counting of leading zeros.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// The vectors of WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

impl Backend {
    /// The fastest set of this machine.
    #[inline]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = Avx512::detect() {
            return Self::Avx512(avx512);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Self::Avx2(avx2);
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if !cfg!(feature = "portable") {
            return Self::Simd128(Simd128);
        }
        Self::Portable(Portable)
    }

    /// All sets of this machine, the portable one first.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable(Portable)];
        #[cfg(target_arch = "x86_64")]
        all.extend(Avx2::detect().map(Self::Avx2));
        if !all.contains(&Self::best()) {
            all.push(Self::best());
        }
        all
    }

    /// The set of this name, if this machine has it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|backend| backend.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => Portable::NAME,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Avx2::NAME,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Avx512::NAME,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => Simd128::NAME,
        }
    }

    /// Runs a task with this set: the one switch at the root.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Self::Portable(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.run(task),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(isa) => isa.run(task),
        }
    }

    /// [`Isa::legal_moves`] of the chosen set.
    #[inline]
    pub fn legal_moves(self, board: Board, empties: Bitboard) -> Bitboard {
        match self {
            Self::Portable(isa) => isa.legal_moves(board, empties),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.legal_moves(board, empties),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.legal_moves(board, empties),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(isa) => isa.legal_moves(board, empties),
        }
    }

    /// [`Isa::flips`] of the chosen set.
    #[inline]
    pub fn flips(self, board: Board, square: Square) -> Bitboard {
        match self {
            Self::Portable(isa) => isa.flips(board, square),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => isa.flips(board, square),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => isa.flips(board, square),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(isa) => isa.flips(board, square),
        }
    }
}
