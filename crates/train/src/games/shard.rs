//! A file of games.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TCSG` |
//! | 1 | the version of this layout |
//! | 1 | the game: 0 Reversed Reversi, 1 Reversi, and 2 or 4 more on 6x6 and 4x4 |
//! | 4 | how many games |
//! | 8 | the checksum of the rest |
//! | rest | of each game: number of moves, random moves, first exact move, result for black, then of each move its square and score |

use thiserror::Error;
use turncoat_board::{Geometry, Square, VariantKind};
use turncoat_util::{Format, OtherFormat, fnv1a};

use super::record::{Ply, TrainingGame};

const MAGIC: &[u8; 4] = b"TCSG";
const FORMAT: Format = Format { what: "the file of training games", version: 1, earlier: &[] };
const HEADER: usize = 18;

/// Why a file cannot be read as games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShardFault {
    /// It is something else.
    #[error("this is not a file of training games")]
    NotGames,
    /// Made by another version.
    #[error(transparent)]
    OtherFormat(#[from] OtherFormat),
    /// It ends too early or was changed.
    #[error("the file is damaged: its checksum differs")]
    Damaged,
    /// A game that cannot be.
    #[error("game {0} of the file cannot be read")]
    BadGame(usize),
    /// A game of the other kind.
    #[error("the games are of {found}, not of {expected}")]
    OtherVariant {
        /// What they are.
        found: VariantKind,
        /// What they should be.
        expected: VariantKind,
    },
    /// Games on another board.
    #[error("the games are of {found}, not of {expected}")]
    OtherSize {
        /// Its size.
        found: Geometry,
        /// What it should be.
        expected: Geometry,
    },
}

/// Games as the bytes of a file.
pub fn write_shard(variant: VariantKind, geometry: Geometry, games: &[TrainingGame]) -> Vec<u8> {
    let mut body = Vec::with_capacity(games.len() * 128);
    for game in games {
        let bytes = [game.plies.len() as u8, game.random, game.exact_from, game.result as u8];
        body.extend(bytes);
        for ply in &game.plies {
            body.extend([ply.square.index() as u8, ply.score as u8]);
        }
    }
    let mut file = Vec::with_capacity(HEADER + body.len());
    file.extend(MAGIC);
    file.push(FORMAT.version as u8);
    file.push(u8::from(variant == VariantKind::Reversi) | (8 - geometry.side()));
    file.extend((games.len() as u32).to_le_bytes());
    file.extend(fnv1a(body.iter().copied()).to_le_bytes());
    file.extend(body);
    file
}

/// The games of a file.
///
/// # Errors
/// If it is none, damaged, or of the other kind of game or another size.
pub fn read_shard(file: &[u8], variant: VariantKind, geometry: Geometry) -> Result<Vec<TrainingGame>, ShardFault> {
    if !file.starts_with(MAGIC) {
        return Err(ShardFault::NotGames);
    }
    let header: &[u8; HEADER] = file.first_chunk().ok_or(ShardFault::Damaged)?;
    FORMAT.check(i64::from(header[4]), None)?;
    let found = if header[5] & 1 == 0 { VariantKind::Reversed } else { VariantKind::Reversi };
    let side = 8u8.wrapping_sub(header[5] & !1);
    let found_size = Geometry::from_side(side).map_err(|_| ShardFault::Damaged)?;
    let number = |range: std::ops::Range<usize>| {
        let digits = header[range].iter().rev();
        digits.fold(0u64, |number, &byte| number << 8 | u64::from(byte))
    };
    let count = number(6..10) as usize;
    let mut body = &file[HEADER..];
    if number(10..18) != fnv1a(body.iter().copied()) {
        return Err(ShardFault::Damaged);
    }
    if found != variant {
        return Err(ShardFault::OtherVariant { found, expected: variant });
    }
    if found_size != geometry {
        return Err(ShardFault::OtherSize { found: found_size, expected: geometry });
    }
    let mut games = Vec::new();
    for game in 0..count {
        games.push(take_game(&mut body).ok_or(ShardFault::BadGame(game))?);
    }
    if body.is_empty() { Ok(games) } else { Err(ShardFault::BadGame(count)) }
}

/// Takes one game off the front.
fn take_game(body: &mut &[u8]) -> Option<TrainingGame> {
    let (&[length, random, exact_from, result], rest) = body.split_first_chunk()?;
    let (plies, rest) = rest.split_at_checked(2 * usize::from(length))?;
    let plies = plies.chunks_exact(2).map(|ply| Some(Ply { square: Square::new(ply[0]).ok()?, score: ply[1] as i8 }));
    *body = rest;
    Some(TrainingGame { plies: plies.collect::<Option<_>>()?, random, exact_from, result: result as i8 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn games() -> impl Strategy<Value = Vec<TrainingGame>> {
        let ply =
            (0u8..64, any::<i8>()).prop_map(|(square, score)| Ply { square: Square::new(square).unwrap(), score });
        let record = (prop::collection::vec(ply, 0..60), 0u8..60, 0u8..60, -64i8..=64);
        let record =
            record.prop_map(|(plies, random, exact_from, result)| TrainingGame { plies, random, exact_from, result });
        prop::collection::vec(record, 0..20)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(games in games()) {
            let file = write_shard(VariantKind::Reversi, Geometry::SIX, &games);
            prop_assert_eq!(read_shard(&file, VariantKind::Reversi, Geometry::SIX), Ok(games));
            prop_assert!(read_shard(&file, VariantKind::Reversed, Geometry::SIX).is_err());
            prop_assert!(read_shard(&file, VariantKind::Reversi, Geometry::EIGHT).is_err());
        }

        #[test]
        fn damage_is_found(games in games(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut file = write_shard(VariantKind::Reversi, Geometry::EIGHT, &games);
            let at = at.index(file.len());
            file[at] ^= 1u8 << bit;
            prop_assert!(read_shard(&file, VariantKind::Reversi, Geometry::EIGHT).is_err());
        }
    }
}
