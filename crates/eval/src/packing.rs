//! What the files of trained evaluations share: numbers in their heads, the game, packed bodies.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use turncoat_board::VariantKind;

/// A little-endian number of up to eight bytes.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The byte that stands for a game.
pub(crate) fn game_byte(variant: VariantKind) -> u8 {
    u8::from(variant == VariantKind::Reversi)
}

/// The game that a byte stands for.
pub(crate) const fn game_of(byte: u8) -> Option<VariantKind> {
    match byte {
        0 => Some(VariantKind::Reversed),
        1 => Some(VariantKind::Reversi),
        _ => None,
    }
}

/// Bytes as they are stored.
pub(crate) fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}

/// Why stored bytes cannot be unpacked.
pub(crate) type PackingFault = &'static str;

/// Unpacks a body piece by piece, so that no more is in memory than was asked for.
pub(crate) struct Inflater<'a>(DeflateDecoder<&'a [u8]>);

impl<'a> Inflater<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Self {
        Self(DeflateDecoder::new(body))
    }

    /// Fills the whole buffer.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), PackingFault> {
        self.0.read_exact(buffer).map_err(|error| unpacking(&error))
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(mut self) -> Result<(), PackingFault> {
        match self.0.read(&mut [0]).map_err(|error| unpacking(&error))? {
            0 => Ok(()),
            _ => Err(OTHER_SIZE),
        }
    }
}

const OTHER_SIZE: PackingFault = "it has another size unpacked";

fn unpacking(error: &io::Error) -> PackingFault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => OTHER_SIZE,
        _ => "it cannot be unpacked",
    }
}
