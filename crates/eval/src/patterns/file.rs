//! Weights as a file.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TCPW` |
//! | 2 | the version of this layout |
//! | 1 | the game: 0 Reversed Reversi, 1 Reversi |
//! | 1 | how many stages |
//! | 4 | how many weights a stage |
//! | 8 | the checksum of the shapes: weights mean nothing with others |
//! | 8 | the checksum of the rest |
//! | rest | deflated: of each stage the low bytes of all weights, then the high ones, which are nearly all alike |
//!
//! Numbers are little-endian. A weight is in 64ths of a disc and signed; the low and the high byte are those of
//! twice its size, plus one for a negative one, so that small weights of both signs have the same high byte.

use thiserror::Error;
use turncoat_util::fnv1a;

use super::layout::folds;
use super::shapes::SHAPES;
use super::weights::{STAGES, Weights};
use crate::packing::{Inflater, deflate, game_byte, game_of, number};

const MAGIC: &[u8; 4] = b"TCPW";
const VERSION: u16 = 1;
const HEADER: usize = 28;

/// Why a file holds no weights that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightsFault {
    /// It does not begin like one.
    #[error("this is not a file of pattern weights")]
    NotWeights,
    /// It ends too early.
    #[error("the file is cut off after {0} bytes")]
    CutOff(usize),
    /// Made by another version.
    #[error("the file has layout {found}; this program reads layout {VERSION}")]
    OtherVersion {
        /// The layout's version.
        found: u16,
    },
    /// The byte for the game is none that is known.
    #[error("the file's game has the number {0}: it is 0 or 1")]
    UnknownGame(u8),
    /// Other stages or shapes than this program's.
    #[error("the weights are for other shapes or stages ({stages} stages of {weights} weights) than this program's")]
    OtherShapes {
        /// Stages in the file.
        stages: u8,
        /// Weights a stage.
        weights: u32,
    },
    /// The contents are not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
}

/// The squares of all shapes, each shape with 255 at its end.
pub(crate) fn shape_squares() -> impl Iterator<Item = u8> {
    SHAPES.iter().flat_map(|shape| {
        let squares = shape.squares.iter().map(|(row, column)| row * 8 + column);
        squares.chain([255])
    })
}

/// Tells these shapes and stages from others.
fn shapes_checksum() -> u64 {
    fnv1a(shape_squares().chain([STAGES as u8]))
}

/// Writes weights as a file.
pub fn write_weights(weights: &Weights) -> Vec<u8> {
    let mut planes = Vec::with_capacity(weights.stages.iter().map(|stage| 2 * stage.len()).sum());
    for stage in &weights.stages {
        let folded = || stage.iter().map(|&w| (w << 1) ^ (w >> 15));
        planes.extend(folded().map(|w| w.to_le_bytes()[0]));
        planes.extend(folded().map(|w| w.to_le_bytes()[1]));
    }
    let body = deflate(&planes);
    let mut file = Vec::with_capacity(HEADER + body.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.push(game_byte(weights.variant));
    file.push(weights.stages.len() as u8);
    file.extend((weights.stages.first().map_or(0, Vec::len) as u32).to_le_bytes());
    file.extend(shapes_checksum().to_le_bytes());
    file.extend(fnv1a(body.iter().copied()).to_le_bytes());
    file.extend(body);
    file
}

/// Reads weights from a file.
///
/// # Errors
/// If it is not a file of weights, its weights are for other shapes or stages, or it is damaged.
pub fn read_weights(file: &[u8]) -> Result<Weights, WeightsFault> {
    read_stages(file, STAGES)
}

/// Reads a file of weights with so many stages: fewer than all are of a training under way.
///
/// # Errors
/// As [`read_weights`].
pub fn read_stages(file: &[u8], count: usize) -> Result<Weights, WeightsFault> {
    if !file.starts_with(MAGIC) {
        return Err(WeightsFault::NotWeights);
    }
    let header: &[u8; HEADER] = file.first_chunk().ok_or(WeightsFault::CutOff(file.len()))?;
    let found = number(&header[4..6]) as u16;
    if found != VERSION {
        return Err(WeightsFault::OtherVersion { found });
    }
    let variant = game_of(header[6]).ok_or(WeightsFault::UnknownGame(header[6]))?;
    let (stages, weights) = (header[7], number(&header[8..12]) as u32);
    let each = folds().weights;
    let same = usize::from(stages) == count && weights as usize == each;
    if !same || number(&header[12..20]) != shapes_checksum() {
        return Err(WeightsFault::OtherShapes { stages, weights });
    }
    let body = &file[HEADER..];
    if number(&header[20..28]) != fnv1a(body.iter().copied()) {
        return Err(WeightsFault::Damaged("its checksum differs"));
    }
    Ok(Weights { variant, stages: unpack(body, count, each)? })
}

/// The weights of so many stages, this many each. One stage's bytes are in memory at a time.
fn unpack(body: &[u8], count: usize, each: usize) -> Result<Vec<Vec<i16>>, WeightsFault> {
    let mut inflater = Inflater::new(body);
    let mut planes = vec![0; 2 * each];
    let mut stages = Vec::with_capacity(count);
    for _ in 0..count {
        inflater.fill(&mut planes).map_err(WeightsFault::Damaged)?;
        let (low, high) = planes.split_at(each);
        let join = |(&low, &high): (&u8, &u8)| {
            let folded = u16::from_le_bytes([low, high]);
            (folded >> 1) as i16 ^ -((folded & 1) as i16)
        };
        stages.push(low.iter().zip(high).map(join).collect());
    }
    inflater.finish().map_err(WeightsFault::Damaged)?;
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;

    use super::*;

    fn some_weights() -> Weights {
        let mut weights = Weights::blank(VariantKind::Reversed);
        let mut value = 1u32;
        for weight in weights.stages.iter_mut().flatten().step_by(37) {
            value = value.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *weight = (value >> 16) as i16;
        }
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        let weights = some_weights();
        assert_eq!(read_weights(&write_weights(&weights)), Ok(weights));
    }

    #[test]
    fn damage_anywhere_is_found() {
        let file = write_weights(&some_weights());
        for at in (0..HEADER).chain([HEADER + 5, file.len() / 2, file.len() - 1]) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x41;
            assert!(read_weights(&damaged).is_err(), "byte {at}");
        }
        for length in [0, 3, 4, HEADER - 1, HEADER, file.len() - 1] {
            assert!(read_weights(&file[..length]).is_err(), "{length} bytes");
        }
    }
}
