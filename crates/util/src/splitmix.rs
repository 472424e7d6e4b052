//! `SplitMix64` (Steele, Lea, Flood 2014): the generator behind every seed of the project.

/// The next number of `SplitMix64` after the state `value`; on its own, a good mixer of 64 bits.
pub const fn mix64(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A small generator: the same seed gives the same numbers, everywhere and for ever.
///
/// ```
/// use turncoat_util::SplitMix64;
///
/// assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The generator of one of many things that share a seed, by its number.
    pub const fn for_number(seed: u64, number: u64) -> Self {
        Self(mix64(seed) ^ mix64(number))
    }

    /// The next number.
    pub const fn next_u64(&mut self) -> u64 {
        let number = mix64(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number
    }

    /// A number below `n`, which must not be 0.
    pub const fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
