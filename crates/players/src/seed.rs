//! Random numbers that depend on a seed and on what they are for, and on nothing else.
//!
//! One master seed serves a run; every game, player and chunk derives its own stream by its numbers, so
//! that one thread, many threads and a cluster draw the same numbers.

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Stream;
use turncoat_util::mix64;

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
    numbers.iter().fold(mix64(seed), |state, &number| mix64(state.wrapping_add(mix64(number))))
}
