//! A checksum: tells one set of parameters, one file from another.

/// FNV-1a of a sequence of bytes.
///
/// ```
/// assert_ne!(turncoat_eval::checksum(*b"ab"), turncoat_eval::checksum(*b"ba"));
/// ```
pub fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| checksum_with(hash, u64::from(byte)))
}

/// A checksum with one more word.
pub(crate) const fn checksum_with(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0100_0000_01b3)
}
