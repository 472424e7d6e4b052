//! Moves and flips with four directions side by side in AVX2 registers, and sums of products, eight at a time.
//!
//! Each function is the twin of one in the portable module and is compared with it by the tests.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi32, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_load_si256,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_or_si256, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};

use super::portable::THROUGH;
use super::rays::{RAYS, STEPS};
use super::{Isa, Task, hints};
use crate::{Bitboard, Board, Square};

/// AVX2 with the bit-manipulation instructions: x86-64 machines since 2013.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if this machine has the instructions. Without `std`, if the build requires them.
    pub fn detect() -> Option<Self> {
        (!cfg!(feature = "portable") && Self::has_features()).then_some(Self(()))
    }

    #[cfg(feature = "std")]
    fn has_features() -> bool {
        std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt")
    }

    #[cfg(not(feature = "std"))]
    const fn has_features() -> bool {
        cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        ))
    }
}

impl Isa for Avx2 {
    const NAME: &'static str = "avx2";

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
        // SAFETY: the token proves that the machine has the features.
        unsafe { add_products(sums, inputs, weights) }
    }

    #[inline(always)]
    fn prefetch<T>(self, place: &T) {
        hints::prefetch(place);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: the token proves that the machine has the features.
        unsafe { avx2_shim(self, task) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_shim<T: Task>(isa: Avx2, task: T) -> T::Output {
    task.run(isa)
}

/// The distances of this many steps along each direction.
const fn multiples(steps: u32) -> [u64; 4] {
    let [a, b, c, d] = STEPS;
    [(a * steps) as u64, (b * steps) as u64, (c * steps) as u64, (d * steps) as u64]
}

/// The union of the four lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn union(lanes: __m256i) -> u64 {
    let pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(values: [u64; 4]) -> __m256i {
    _mm256_setr_epi64x(values[0] as i64, values[1] as i64, values[2] as i64, values[3] as i64)
}

/// See the portable twin: the same runs, four directions at once.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn legal_moves(mover: u64, other: u64) -> u64 {
    let step = lanes(const { multiples(1) });
    let two = lanes(const { multiples(2) });
    let own = _mm256_set1_epi64x(mover as i64);
    let through = _mm256_and_si256(_mm256_set1_epi64x(other as i64), lanes(THROUGH));

    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    // The pairs towards lower indices are the same pairs, one step lower.
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
    union(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)))
}

/// See the portable twin; the highest other square of a lower ray is found by smearing downwards,
/// since AVX2 cannot count leading zeros in lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips(mover: u64, other: u64, square: Square) -> u64 {
    let rays: *const __m256i = RAYS.0[square.index()].as_ptr().cast();
    // SAFETY: a row of the table is 64 bytes, aligned to 64.
    let (above, below) = unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) };
    let own = _mm256_set1_epi64x(mover as i64);
    let opposing = _mm256_set1_epi64x(other as i64);
    let zero = _mm256_setzero_si256();
    let ones = _mm256_cmpeq_epi64(zero, zero);

    // Opposing discs and squares off the ray, so that adding one carries to the ray's first other square.
    let carried = _mm256_sub_epi64(_mm256_or_si256(opposing, _mm256_andnot_si256(above, ones)), ones);
    let end = _mm256_and_si256(carried, _mm256_and_si256(above, own));
    let missing = _mm256_cmpeq_epi64(end, zero);
    // end - 1, or 0 where there is no end.
    let up = _mm256_and_si256(_mm256_sub_epi64(_mm256_add_epi64(end, ones), missing), above);

    let step = lanes(const { multiples(1) });
    let two = lanes(const { multiples(2) });
    let four = lanes(const { multiples(4) });
    let mut rest = _mm256_andnot_si256(opposing, below);
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, step));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, two));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, four));
    // The highest other square of the ray, if it is an own disc.
    let end = _mm256_andnot_si256(_mm256_srlv_epi64(rest, step), _mm256_and_si256(below, own));
    let end = _mm256_and_si256(end, rest);
    let missing = _mm256_cmpeq_epi64(end, zero);
    let down = _mm256_andnot_si256(_mm256_or_si256(rest, missing), below);

    union(_mm256_or_si256(up, down))
}

/// See the portable twin: eight sums at a time.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn add_products(sums: &mut [i32; 16], inputs: [u8; 4], weights: &[[i8; 4]; 16]) {
    let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs));
    let ones = _mm256_set1_epi16(1);
    for (sums, weights) in sums.as_chunks_mut::<8>().0.iter_mut().zip(weights.as_chunks::<8>().0) {
        // SAFETY: both are arrays of 32 bytes, read and written as a whole without alignment.
        unsafe {
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            let pairs = _mm256_maddubs_epi16(inputs, weights);
            let products = _mm256_madd_epi16(pairs, ones);
            let sum = _mm256_add_epi32(_mm256_loadu_si256(sums.as_ptr().cast()), products);
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), sum);
        }
    }
}
