//! Moves and flips in AVX-512: all eight rays of a move side by side, ends of rays found by counting leading zeros.
//!
//! Each function is the twin of one in the portable module and is compared with it by the tests.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi64, _mm256_andnot_si256, _mm256_load_si256, _mm256_lzcnt_epi64,
    _mm256_mask_or_epi64, _mm256_maskz_andnot_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_srlv_epi64,
    _mm256_ternarylogic_epi64, _mm256_test_epi64_mask, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_extracti64x4_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_ternarylogic_epi64,
};

use super::avx2::union;
use super::portable::INNER_COLUMNS;
use super::rays::{RAYS, STEPS};
use super::{Avx2, Isa, Task, hints};
use crate::{Bitboard, Board, Square};

/// AVX-512 with the counting of leading zeros, beside all that [`Avx2`] has: x86-64 servers since 2017, AMD since 2022.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The token, if this machine has the instructions. Without `std`, if the build requires them.
    pub fn detect() -> Option<Self> {
        Avx2::detect().filter(|_| Self::has_features()).map(Self)
    }

    #[cfg(feature = "std")]
    fn has_features() -> bool {
        std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw")
    }

    #[cfg(not(feature = "std"))]
    const fn has_features() -> bool {
        cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512cd",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512bw"
        ))
    }
}

impl Isa for Avx512 {
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn legal_moves(self, board: Board, empties: Bitboard) -> Bitboard {
        // SAFETY: the token proves that the machine has the features.
        Bitboard(unsafe { legal_moves(board.mover().0, board.other().0) } & empties.0)
    }

    #[inline(always)]
    fn flips(self, board: Board, square: Square) -> Bitboard {
        // SAFETY: the token proves that the machine has the features.
        Bitboard(unsafe { flips(board.mover().0, board.other().0, square) })
    }

    #[inline(always)]
    fn add_products(self, sums: &mut [i32; 16], inputs: [u8; 4], weights: &[[i8; 4]; 16]) {
        self.0.add_products(sums, inputs, weights);
    }

    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        hints::prefetch(place);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: the token proves that the machine has the features.
        unsafe { avx512_shim(self, task) }
    }
}

#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx512_shim<T: Task>(isa: Avx512, task: T) -> T::Output {
    task.run(isa)
}

/// Rotations by this many steps along each of the eight directions: towards higher indices, then towards lower ones.
const fn rotations(steps: u32) -> [i64; 8] {
    let mut all = [0; 8];
    let mut i = 0;
    while i < 4 {
        all[i] = (STEPS[i] * steps) as i64;
        all[i + 4] = 64 - all[i];
        i += 1;
    }
    all
}

/// Opposing discs that a ray may run through, by direction. What a rotation wraps around lands outside of them.
const THROUGH: [i64; 8] = {
    const INNER_ROWS: u64 = 0x00ff_ffff_ffff_ff00;
    let [across, down] = [INNER_COLUMNS as i64, INNER_ROWS as i64];
    let both = across & down;
    [across, down, both, both, across, down, both, both]
};

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(of: [i64; 8]) -> __m512i {
    _mm512_setr_epi64(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7])
}

/// `a | b & c`, as a table of three bits.
const OR_AND: i32 = 0xf8;
/// `a & b & !c` likewise.
const AND_AND_NOT: i32 = 0x40;

/// See the portable twin: the same runs, eight directions at once.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn legal_moves(mover: u64, other: u64) -> u64 {
    let step = lanes(const { rotations(1) });
    let two = lanes(const { rotations(2) });
    let own = _mm512_set1_epi64(mover as i64);
    let through = _mm512_and_si512(_mm512_set1_epi64(other as i64), lanes(THROUGH));
    let mut run = _mm512_and_si512(through, _mm512_rolv_epi64(own, step));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, through, _mm512_rolv_epi64(run, step));
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, step));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, two));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, two));
    let moves = _mm512_rolv_epi64(run, step);
    union(_mm256_or_si256(_mm512_castsi512_si256(moves), _mm512_extracti64x4_epi64::<1>(moves)))
}

/// See the portable twin; the end of a ray is the lowest or highest square of it that has no opposing disc.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips(mover: u64, other: u64, square: Square) -> u64 {
    let rays: *const __m256i = RAYS.0[square.index()].as_ptr().cast();
    // SAFETY: a row of the table is 64 bytes, aligned to 64.
    let (above, below) = unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) };
    let own = _mm256_set1_epi64x(mover as i64);
    let opposing = _mm256_set1_epi64x(other as i64);
    let ones = _mm256_set1_epi64x(-1);

    let rest = _mm256_andnot_si256(opposing, above);
    let less = _mm256_add_epi64(rest, ones);
    // The lowest square of the rest is the bit that is gone; what lies before it has appeared.
    let is_own = _mm256_test_epi64_mask(_mm256_andnot_si256(less, rest), own);
    let up = _mm256_ternarylogic_epi64::<AND_AND_NOT>(above, less, rest);

    let rest = _mm256_andnot_si256(opposing, below);
    let place = _mm256_lzcnt_epi64(rest);
    let end = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), place);
    let is_own_below = _mm256_test_epi64_mask(end, own);
    // All squares from the end downwards.
    let beyond = _mm256_srlv_epi64(ones, place);
    let down = _mm256_maskz_andnot_epi64(is_own_below, beyond, below);

    union(_mm256_mask_or_epi64(down, is_own, down, up))
}
