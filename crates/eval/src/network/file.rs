//! Networks as files.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TCNN` |
//! | 2 | the version of this layout |
//! | 1 | the game: 0 Reversed Reversi, 1 Reversi |
//! | 1 | units of the accumulator, in blocks of 16 |
//! | 4 | the parts that are read: bits for the shapes, then for the kinds of counts |
//! | 1 | how many stages |
//! | 1 | units of the first hidden layer, in blocks of 16 |
//! | 1 | units of the second one; 0 if there is none |
//! | 1 | 0 |
//! | 8 | the checksum of the parts: vectors mean nothing with others |
//! | 8 | the checksum of everything else in the file |
//! | rest | deflated: the bias of the accumulator (16 bits each); of each stage its hidden layers (weights of 8 bits by unit and input, biases of 32 bits), output weights (16 bits) and output bias (32 bits); the vectors (8 bits), all of the first unit, then all of the second, and so on |
//!
//! Numbers are little-endian and signed, those of the head unsigned.

use thiserror::Error;
use turncoat_util::{FNV_OFFSET, Format, OtherFormat, fnv1a_with};

use super::design::{BLOCK, Design, DesignFault, parts_checksum};
use super::weights::NetworkWeights;
use crate::packing::{Inflater, deflate, game_byte, game_of, number};

const MAGIC: &[u8; 4] = b"TCNN";
const FORMAT: Format = Format { what: "the file of the network", version: 1, earlier: &[] };
const HEADER: usize = 32;
/// Where the checksum of everything else stands, the last of the head.
const CHECKSUM: usize = 24;

/// Why a file holds no network that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkFault {
    /// It does not begin like one.
    #[error("this is not a file of a network")]
    NotNetwork,
    /// It ends too early.
    #[error("the file is cut off after {0} bytes")]
    CutOff(usize),
    /// Made by another version.
    #[error(transparent)]
    OtherFormat(#[from] OtherFormat),
    /// The contents are not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
    /// The byte for the game is none that is known.
    #[error("the file's game has the number {0}: it is 0 or 1")]
    UnknownGame(u8),
    /// It was trained with other shapes than this program's.
    #[error("the network is for other shapes than this program's")]
    OtherShapes,
    /// No network of this program can have its sizes.
    #[error("the network cannot be read: {0}")]
    Design(#[from] DesignFault),
}

/// Writes a network as a file.
pub fn write_network(network: &NetworkWeights) -> Vec<u8> {
    let blocks = |units: Option<&usize>| units.map_or(0, |units| (units / BLOCK) as u8);
    let Design { parts, units, hidden, stages } = &network.design;
    let mut file = MAGIC.to_vec();
    file.extend((FORMAT.version as u16).to_le_bytes());
    file.extend([game_byte(network.variant), blocks(Some(units))]);
    file.extend(parts.to_le_bytes());
    file.extend([*stages as u8, blocks(hidden.first()), blocks(hidden.get(1)), 0]);
    file.extend(parts_checksum().to_le_bytes());
    let body = deflate(&network.plain());
    file.extend(checksum(&file, &body).to_le_bytes());
    file.extend(body);
    file
}

/// Reads a network from a file.
///
/// # Errors
/// If it is not a file of a network, the network is for other shapes or too large, or the file is damaged.
pub fn read_network(file: &[u8]) -> Result<NetworkWeights, NetworkFault> {
    if !file.starts_with(MAGIC) {
        return Err(NetworkFault::NotNetwork);
    }
    let (header, body) = file.split_first_chunk::<HEADER>().ok_or(NetworkFault::CutOff(file.len()))?;
    FORMAT.check(number(&header[4..6]) as i64, None)?;
    if number(&header[CHECKSUM..]) != checksum(&header[..CHECKSUM], body) {
        return Err(NetworkFault::Damaged("its checksum differs"));
    }
    let variant = game_of(header[6]).ok_or(NetworkFault::UnknownGame(header[6]))?;
    if number(&header[16..CHECKSUM]) != parts_checksum() {
        return Err(NetworkFault::OtherShapes);
    }
    let units = |blocks: u8| usize::from(blocks) * BLOCK;
    let second = Some(header[14]).filter(|&blocks| blocks != 0);
    let design = Design {
        parts: number(&header[8..12]) as u32,
        units: units(header[7]),
        hidden: [header[13]].into_iter().chain(second).map(units).collect(),
        stages: usize::from(header[12]),
    };
    let mut network = NetworkWeights::blank(variant, design)?;
    let mut plain = network.plain();
    let mut inflater = Inflater::new(body);
    inflater.fill(&mut plain).map_err(NetworkFault::Damaged)?;
    inflater.finish().map_err(NetworkFault::Damaged)?;
    network.set_plain(&plain);
    if network.is_bounded() { Ok(network) } else { Err(NetworkFault::Damaged("a bias is too large")) }
}

fn checksum(head: &[u8], body: &[u8]) -> u64 {
    head.iter().chain(body).fold(FNV_OFFSET, |hash, &byte| fnv1a_with(hash, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;

    use super::*;

    fn some_network(hidden: &[usize]) -> NetworkWeights {
        let design = Design { parts: 0b101_0111_0000_1100_0000, units: 32, hidden: hidden.to_vec(), stages: 5 };
        NetworkWeights::random(VariantKind::Reversi, design, 7).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        for hidden in [&[16][..], &[32, 16]] {
            let network = some_network(hidden);
            assert_eq!(read_network(&write_network(&network)), Ok(network));
        }
    }

    #[test]
    fn damage_anywhere_is_found() {
        let file = write_network(&some_network(&[16]));
        for at in (0..HEADER).chain([HEADER + 5, file.len() / 2, file.len() - 1]) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x41;
            assert!(read_network(&damaged).is_err(), "byte {at}");
        }
        for length in [0, 3, 4, HEADER - 1, HEADER, file.len() - 1] {
            assert!(read_network(&file[..length]).is_err(), "{length} bytes");
        }
    }

    /// The file with this byte of its head and the checksum that fits.
    fn with_byte(file: &[u8], at: usize, byte: u8) -> Vec<u8> {
        let mut file = file.to_vec();
        file[at] = byte;
        let sum = checksum(&file[..CHECKSUM], &file[HEADER..]);
        file[CHECKSUM..HEADER].copy_from_slice(&sum.to_le_bytes());
        file
    }

    #[test]
    fn files_that_others_made_are_refused_with_the_reason() {
        let file = write_network(&some_network(&[16]));
        let fault = |at, byte| read_network(&with_byte(&file, at, byte)).unwrap_err();
        assert_eq!(fault(0, b'X'), NetworkFault::NotNetwork);
        assert!(matches!(fault(4, 2), NetworkFault::OtherFormat(_)));
        assert_eq!(fault(6, 2), NetworkFault::UnknownGame(2));
        assert_eq!(fault(7, 9), NetworkFault::Design(DesignFault::Units(144)));
        assert_eq!(fault(7, 1), NetworkFault::Damaged("it has another size unpacked"));
        assert!(matches!(fault(11, 1), NetworkFault::Design(DesignFault::Parts(_))));
        assert_eq!(fault(12, 0), NetworkFault::Design(DesignFault::Stages(0)));
        assert_eq!(fault(13, 0), NetworkFault::Design(DesignFault::Hidden(vec![0])));
        assert_eq!(fault(16, !file[16]), NetworkFault::OtherShapes);
        let mut network = some_network(&[16]);
        network.heads[0].bias = i32::MAX;
        assert_eq!(read_network(&write_network(&network)), Err(NetworkFault::Damaged("a bias is too large")));
    }
}
