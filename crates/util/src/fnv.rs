//! FNV-1a with 64 bits: tells one file, one set of parameters from another. No defence against an attacker.

/// The hash of nothing.
pub const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of a sequence of bytes.
///
/// ```
/// assert_eq!(turncoat_util::fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(FNV_OFFSET, |hash, byte| fnv1a_with(hash, u64::from(byte)))
}

/// The hash of one more word. Only for bytes is it FNV-1a proper.
pub const fn fnv1a_with(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0100_0000_01b3)
}

/// The hash of a text or file as sixteen hexadecimal digits.
pub fn digest(contents: impl AsRef<[u8]>) -> String {
    format!("{:016x}", fnv1a(contents.as_ref().iter().copied()))
}
