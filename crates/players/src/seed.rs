//! Random numbers that depend on a seed and on what they are for, and on nothing else.
//!
//! One master seed serves a run; every game, player and chunk derives its own stream by its numbers, so
//! that one thread, many threads and a cluster draw the same numbers.

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Stream;

/// The stream of a seed for the thing with these numbers.
///
/// ```
/// use rand::Rng;
/// use turncoat_players::seed::stream;
///
/// let (mut a, mut b) = (stream(7, &[1, 2]), stream(7, &[1, 2]));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert_ne!(stream(7, &[1, 2]).next_u64(), stream(7, &[2, 1]).next_u64());
/// ```
pub fn stream(seed: u64, numbers: &[u64]) -> Stream {
    Stream::seed_from_u64(derive(seed, numbers))
}

/// A seed derived from a seed and numbers, well mixed in their order.
pub fn derive(seed: u64, numbers: &[u64]) -> u64 {
    numbers.iter().fold(mix(seed), |state, &number| mix(state.wrapping_add(mix(number))))
}

/// The finisher of splitmix64 (Steele, Lea, Flood 2014) after its increment.
const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
