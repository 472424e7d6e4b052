//! Weights as a file.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TCPW` |
//! | 2 | the version of this layout |
//! | 1 | the game: 0 Reversed Reversi, 1 Reversi |
//! | 1 | how many stages |
//! | 4 | how many weights a stage |
//! | 8 | the checksum of the shapes and of the board's size: weights mean nothing with others |
//! | 8 | the checksum of the rest |
//! | rest | deflated: of each stage the low bytes of all weights, then the high ones, which are nearly all alike |
//!
//! Numbers are little-endian. A weight is in 64ths of a disc and signed; the low and the high byte are those of
//! twice its size, plus one for a negative one, so that small weights of both signs have the same high byte.

use thiserror::Error;
use turncoat_board::Geometry;
use turncoat_util::{Format, OtherFormat, fnv1a};

use super::layout::folds;
use super::shapes::shapes_of;
use super::weights::{STAGES, Weights};
use crate::packing::{Inflater, deflate, game_byte, game_of, number};

const MAGIC: &[u8; 4] = b"TCPW";
const FORMAT: Format = Format { what: "the file of weights", version: 1, earlier: &[] };
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
    #[error(transparent)]
    OtherFormat(#[from] OtherFormat),
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

/// The squares of all shapes of a size, each shape with 255 at its end.
pub(crate) fn shape_squares(geometry: Geometry) -> impl Iterator<Item = u8> {
    shapes_of(geometry).iter().flat_map(|shape| {
        let squares = shape.squares.iter().map(|(row, column)| row * 8 + column);
        squares.chain([255])
    })
}

/// Tells the shapes and stages of a size from others.
fn shapes_checksum(geometry: Geometry) -> u64 {
    let small = Some(geometry.side()).filter(|_| geometry != Geometry::EIGHT);
    fnv1a(shape_squares(geometry).chain([STAGES as u8]).chain(small))
}

/// Writes weights as a file.
pub fn write_weights(weights: &Weights) -> Vec<u8> {
    file_of(weights, &deflate(&planes(weights)))
}

/// The same weights packed by another packer, which deflates as this crate does, but may take its time.
///
/// # Errors
/// If it is not a file of weights, or damaged.
pub fn repack(file: &[u8], pack: impl FnOnce(&[u8]) -> Vec<u8>) -> Result<Vec<u8>, WeightsFault> {
    let weights = read_weights(file)?;
    Ok(file_of(&weights, &pack(&planes(&weights))))
}

/// The weights as they are packed.
fn planes(weights: &Weights) -> Vec<u8> {
    let mut planes = Vec::with_capacity(weights.stages.iter().map(|stage| 2 * stage.len()).sum());
    for stage in &weights.stages {
        let folded = || stage.iter().map(|&w| (w << 1) ^ (w >> 15));
        planes.extend(folded().map(|w| w.to_le_bytes()[0]));
        planes.extend(folded().map(|w| w.to_le_bytes()[1]));
    }
    planes
}

fn file_of(weights: &Weights, body: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER + body.len());
    file.extend(MAGIC);
    file.extend((FORMAT.version as u16).to_le_bytes());
    file.push(game_byte(weights.variant));
    file.push(weights.stages.len() as u8);
    file.extend((weights.stages.first().map_or(0, Vec::len) as u32).to_le_bytes());
    file.extend(shapes_checksum(weights.geometry).to_le_bytes());
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
    FORMAT.check(number(&header[4..6]) as i64, None)?;
    let variant = game_of(header[6]).ok_or(WeightsFault::UnknownGame(header[6]))?;
    let (stages, weights) = (header[7], number(&header[8..12]) as u32);
    let is_of = |geometry: &Geometry| number(&header[12..20]) == shapes_checksum(*geometry);
    let same = |geometry: &Geometry| usize::from(stages) == count && weights as usize == folds(*geometry).weights;
    let geometry = Geometry::ALL.into_iter().find(is_of).filter(same);
    let geometry = geometry.ok_or(WeightsFault::OtherShapes { stages, weights })?;
    let body = &file[HEADER..];
    if number(&header[20..28]) != fnv1a(body.iter().copied()) {
        return Err(WeightsFault::Damaged("its checksum differs"));
    }
    Ok(Weights { variant, geometry, stages: unpack(body, count, weights as usize)? })
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

    fn some_weights(geometry: Geometry) -> Weights {
        let mut weights = Weights::blank(VariantKind::Reversed, geometry);
        let mut value = 1u32;
        for weight in weights.stages.iter_mut().flatten().step_by(37) {
            value = value.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *weight = (value >> 16) as i16;
        }
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        for geometry in Geometry::ALL {
            let weights = some_weights(geometry);
            assert_eq!(read_weights(&write_weights(&weights)), Ok(weights));
        }
    }

    #[test]
    fn weights_packed_by_another_packer_are_the_same() {
        let weights = some_weights(Geometry::SIX);
        let file = write_weights(&weights);
        // Stored as they are: blocks of up to 65,535 bytes with their length and its complement.
        let store = |plain: &[u8]| {
            let blocks = plain.chunks(0xffff).flat_map(|block| {
                let length = block.len() as u16;
                [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes(), block].concat()
            });
            blocks.chain([1, 0, 0, 0xff, 0xff]).collect()
        };
        let stored = repack(&file, store).unwrap();
        assert!(stored.len() > file.len());
        assert_eq!(read_weights(&stored), Ok(weights));
        assert_eq!(repack(&file[..99], store), Err(WeightsFault::Damaged("its checksum differs")));
    }

    #[test]
    fn damage_anywhere_is_found() {
        let file = write_weights(&some_weights(Geometry::EIGHT));
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
