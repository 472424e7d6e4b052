//! A book as a file: a few lines of text, then the positions and the games, each of a fixed length and in order.
//!
//! ```text
//! turncoat book 1
//! variant reversed
//! size 8
//! evaluation 0123456789abcdef patterns
//! positions 2174
//! games 0
//! checksum 0123456789abcdef
//! ```
//!
//! | bytes of a position | what |
//! |---|---|
//! | 8, 8 | the discs of the mover and of the other side, a bit a square from a1 (of the 8x8 word) on |
//! | 2, 2 | score and value in 64ths of a disc, signed |
//! | 1 | plies searched |
//! | 1 | the best move, 255 if there is none |
//! | 1 | 1: the score is exact; 2: the value is; 4: another evaluation's score; 8: the book has every move |
//! | 1 | 0 |
//!
//! A position that games have reached has its discs and three counts of four bytes: games won, drawn and lost by its mover.
//! Numbers are little-endian. Positions are sorted by the number of discs, then by the discs themselves.

use std::cmp::Ordering;

use thiserror::Error;
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};
use turncoat_util::{FNV_OFFSET, Format, OtherFormat, fnv1a_with};

use crate::book::{Book, Evaluation};
use crate::entry::{Entry, FLAGS, in_order};
use crate::games::{GameCount, Tally};

/// The most bytes of a file that is read: ten million positions.
pub const LARGEST: u64 = 256 << 20;
/// Bytes of a position.
pub(crate) const ENTRY: usize = 24;
/// Bytes of a position that games have reached.
const COUNT: usize = 28;
const TITLE: &str = "turncoat book";
const FORMAT: Format = Format { what: "the book", version: 1, earlier: &[] };
/// The keys of the lines after the first.
const KEYS: [&str; 6] = ["variant", "size", "evaluation", "positions", "games", "checksum"];
const NO_MOVE: u8 = 255;

/// Why a file is no book that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BookFault {
    /// It does not begin like one.
    #[error("this is not a book")]
    NotABook,
    /// Another version wrote it.
    #[error(transparent)]
    OtherFormat(#[from] OtherFormat),
    /// A line of its head is not as it should be.
    #[error("line {line}: {expected} is expected, and {found:?} is there")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// It is shorter or longer than its head says.
    #[error("the book should have {expected} bytes, and has {found}")]
    Length {
        /// Bytes by its head.
        expected: usize,
        /// Bytes.
        found: usize,
    },
    /// The contents are not what was written.
    #[error("the book is damaged: its checksum is {found:016x}, not {expected:016x}")]
    Damaged {
        /// As it is written.
        expected: u64,
        /// As it is.
        found: u64,
    },
    /// A position is impossible.
    #[error("position {number}, byte {byte}: {fault}")]
    Entry {
        /// Counted from 1.
        number: usize,
        /// Where it begins, counted from 1.
        byte: usize,
        /// Why.
        fault: EntryFault,
    },
}

/// What is wrong with a position of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EntryFault {
    /// Discs on top of each other or off the board, or none in the middle of it.
    #[error("its discs are not those of a game")]
    Discs,
    /// Before the one that it follows, or the same.
    #[error("it is not in order")]
    Order,
    /// The best move is no square of the board that is empty.
    #[error("its best move is not on an empty square")]
    Best,
    /// A score beyond the board.
    #[error("its score is beyond the board")]
    Score,
    /// Flags that mean nothing.
    #[error("its flags are unknown")]
    Flags,
}

impl Book {
    /// The book as a file.
    pub fn write(&self) -> Vec<u8> {
        let Self { variant, geometry, evaluation, entries, games } = self;
        // One line, whatever the name of a file.
        let name: String = evaluation.name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let head = format!(
            "{TITLE} {}\nvariant {variant}\nsize {}\nevaluation {:016x} {name}\npositions {}\ngames {}\n",
            FORMAT.version,
            geometry.side(),
            evaluation.checksum,
            entries.len(),
            games.len()
        );
        let mut body = Vec::with_capacity(entries.len() * ENTRY + games.len() * COUNT);
        for entry in entries {
            write_board(entry.board, &mut body);
            body.extend(entry.score.to_le_bytes());
            body.extend(entry.value.to_le_bytes());
            body.extend([entry.depth, entry.best.map_or(NO_MOVE, u8::from), entry.flags, 0]);
        }
        for GameCount { board, tally } in games {
            write_board(*board, &mut body);
            for count in [tally.wins, tally.draws, tally.losses] {
                body.extend(count.to_le_bytes());
            }
        }
        let checksum = checksum(head.as_bytes(), &body);
        let mut file = format!("{head}checksum {checksum:016x}\n").into_bytes();
        file.extend(body);
        file
    }

    /// Reads a book from its file.
    ///
    /// # Errors
    /// If it is no book, is damaged, or has an impossible position; the error names the place.
    pub fn read(file: &[u8]) -> Result<Self, BookFault> {
        let head = Head::read(file)?;
        let body = &file[head.length..];
        let expected = (head.positions.checked_mul(ENTRY))
            .zip(head.games.checked_mul(COUNT))
            .and_then(|(entries, games)| entries.checked_add(games)?.checked_add(head.length))
            .unwrap_or(usize::MAX);
        if file.len() != expected {
            return Err(BookFault::Length { expected, found: file.len() });
        }
        let found = checksum(&file[..head.checked], body);
        if found != head.checksum {
            return Err(BookFault::Damaged { expected: head.checksum, found });
        }
        let (entries, games) = body.split_at(head.positions * ENTRY);
        let (geometry, middle) = (head.geometry, Board::start(head.geometry).discs());
        let reader = Reader { geometry, squares: geometry.squares(), middle };
        let place = |index: usize, size: usize, before: usize| {
            move |fault| BookFault::Entry { number: index + 1, byte: head.length + before + index * size + 1, fault }
        };
        let mut book = Self::new(head.variant, head.geometry, head.evaluation);
        book.entries.reserve_exact(head.positions);
        for (index, bytes) in entries.as_chunks().0.iter().enumerate() {
            let last = book.entries.last().map(|entry: &Entry| entry.board);
            book.entries.push(reader.entry(bytes, last).map_err(place(index, ENTRY, 0))?);
        }
        for (index, bytes) in games.as_chunks().0.iter().enumerate() {
            let last = book.games.last().map(|count: &GameCount| count.board);
            book.games.push(reader.count(bytes, last).map_err(place(index, COUNT, entries.len()))?);
        }
        Ok(book)
    }
}

/// What the lines at the beginning say.
struct Head {
    variant: VariantKind,
    geometry: Geometry,
    evaluation: Evaluation,
    positions: usize,
    games: usize,
    checksum: u64,
    /// Bytes before the line of the checksum, and of all lines.
    checked: usize,
    length: usize,
}

impl Head {
    fn read(file: &[u8]) -> Result<Self, BookFault> {
        let mut at = 0;
        let mut line = || {
            let rest = file.get(at..)?;
            // Paths are not longer.
            let end = rest.iter().take(8192).position(|&byte| byte == b'\n')?;
            at += end + 1;
            std::str::from_utf8(&rest[..end]).ok().map(|text| (text, at))
        };
        let (title, _) = line().ok_or(BookFault::NotABook)?;
        let version = title.strip_prefix(TITLE).ok_or(BookFault::NotABook)?.trim();
        FORMAT.check(version.parse().map_err(|_| BookFault::NotABook)?, None)?;
        let mut values = [""; 6];
        let mut ends = [0; 6];
        for (index, key) in KEYS.into_iter().enumerate() {
            let (text, end) = line().unwrap_or_default();
            let value = text.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
            values[index] = value.ok_or_else(|| fault(index, key, text))?;
            ends[index] = end;
        }
        let [variant, size, evaluation, positions, games, checksum] = values;
        let geometry = size.parse().ok().and_then(|side| Geometry::from_side(side).ok());
        let (digits, name) = evaluation.split_once(' ').unwrap_or((evaluation, ""));
        // As it is written and no other way.
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok().filter(|it| format!("{it:016x}") == text);
        Ok(Self {
            variant: variant.parse().map_err(|_| fault(0, "reversed or reversi", variant))?,
            geometry: geometry.ok_or_else(|| fault(1, "8, 6 or 4", size))?,
            evaluation: Evaluation {
                name: name.to_owned(),
                checksum: hexadecimal(digits).ok_or_else(|| fault(2, "a checksum and a name", evaluation))?,
            },
            positions: positions.parse().map_err(|_| fault(3, "a number", positions))?,
            games: games.parse().map_err(|_| fault(4, "a number", games))?,
            checksum: hexadecimal(checksum).ok_or_else(|| fault(5, "a checksum", checksum))?,
            checked: ends[4],
            length: ends[5],
        })
    }
}

/// A fault in the line of the key with this number.
fn fault(index: usize, expected: &'static str, found: &str) -> BookFault {
    BookFault::Line { line: index + 2, expected, found: found.chars().take(40).collect() }
}

struct Reader {
    geometry: Geometry,
    /// Those of the board.
    squares: Bitboard,
    /// The four that are never empty.
    middle: Bitboard,
}

impl Reader {
    fn board(&self, bytes: &[u8], last: Option<Board>) -> Result<Board, EntryFault> {
        let [mover, other] = [0, 8].map(|at| Bitboard(number(&bytes[at..at + 8])));
        let board = Board::new(mover, other).ok_or(EntryFault::Discs)?;
        if !(board.discs() & !self.squares).is_empty() || !(self.middle & !board.discs()).is_empty() {
            return Err(EntryFault::Discs);
        }
        match last {
            Some(last) if in_order(last, board) != Ordering::Less => Err(EntryFault::Order),
            _ => Ok(board),
        }
    }

    fn entry(&self, bytes: &[u8; ENTRY], last: Option<Board>) -> Result<Entry, EntryFault> {
        let board = self.board(bytes, last)?;
        let [score, value] = [16, 18].map(|at| i16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let most = i32::from(self.geometry.area()) * crate::UNITS;
        if i32::from(score).abs() > most || i32::from(value).abs() > most {
            return Err(EntryFault::Score);
        }
        let best = match bytes[21] {
            NO_MOVE => None,
            index => Some(Square::new(index).map_err(|_| EntryFault::Best)?),
        };
        if best.is_some_and(|best| !board.empties(self.geometry).contains(best)) {
            return Err(EntryFault::Best);
        }
        if bytes[22] & !FLAGS != 0 || bytes[23] != 0 {
            return Err(EntryFault::Flags);
        }
        Ok(Entry { board, score, value, depth: bytes[20], best, flags: bytes[22] })
    }

    fn count(&self, bytes: &[u8; COUNT], last: Option<Board>) -> Result<GameCount, EntryFault> {
        let board = self.board(bytes, last)?;
        let [wins, draws, losses] = [16, 20, 24].map(|at| number(&bytes[at..at + 4]) as u32);
        Ok(GameCount { board, tally: Tally { wins, draws, losses } })
    }
}

fn write_board(board: Board, bytes: &mut Vec<u8>) {
    bytes.extend(board.mover().0.to_le_bytes());
    bytes.extend(board.other().0.to_le_bytes());
}

/// A number of up to eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The checksum of the lines and of what follows them, eight bytes at a time: many times as fast as one by one.
fn checksum(head: &[u8], body: &[u8]) -> u64 {
    let hash = head.iter().fold(FNV_OFFSET, |hash, &byte| fnv1a_with(hash, u64::from(byte)));
    let (words, rest) = body.as_chunks::<8>();
    let hash = words.iter().fold(hash, |hash, word| fnv1a_with(hash, u64::from_le_bytes(*word)).rotate_left(29));
    rest.iter().fold(hash, |hash, &byte| fnv1a_with(hash, u64::from(byte)))
}

#[cfg(test)]
mod tests;
