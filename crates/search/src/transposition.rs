//! The transposition table: what was proved of positions, shared by all threads without locks.
//!
//! - **It does not lie.** A position is found by one 64-bit hash and recognised by another, independent
//!   one, so that two positions are confused about once in 2^62 probes. Both are salted with variant and
//!   size: one table serves both games in turn.
//! - **Lock-free in safe code.** A slot is two atomic words, the first exclusive-or the second being what is
//!   recognised: a slot that two threads have written at once recognises nothing and is overwritten later.
//! - **Two tiers.** A bucket is one cache line of four slots. Three keep what was expensive (most empties), one
//!   takes what comes last, so that neither the root's results nor the latest subtree is lost.
//! - **Aged.** Entries of earlier searches are used like any other, but are the first to go.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use turncoat_board::isa::{Isa, advise_huge_pages};
use turncoat_board::{Board, Geometry, Square, VariantKind};

/// What keeps the entries of a variant and a size apart from those of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Salt(u64);

impl Salt {
    /// The salt of this game.
    pub const fn new(variant: VariantKind, geometry: Geometry) -> Self {
        let kind = match variant {
            VariantKind::Reversed => 1,
            VariantKind::Reversi => 2,
        };
        // An odd constant spreads the few different values over the word.
        Self((geometry.side() as u64 * 4 + kind).wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    /// The salt of values by the evaluation with this checksum, which keeps them apart from proven scores and from
    /// the values of other evaluations in the same table.
    #[must_use]
    pub const fn for_evaluation(self, checksum: u64) -> Self {
        Self(self.0.rotate_left(17) ^ checksum ^ 0x5851_f42d_4c95_7f2d)
    }
}

/// Where a position is looked for, and what it is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    place: u64,
    check: u64,
}

impl Key {
    /// The key of a board in the game of this salt.
    #[inline(always)]
    pub const fn new(board: Board, salt: Salt) -> Self {
        Self { place: board.salted_hash(salt.0), check: board.pass().salted_hash(salt.0.rotate_left(31)) }
    }

    /// Where to look for it.
    #[inline(always)]
    pub(crate) const fn place(self) -> usize {
        self.place as usize
    }

    /// What it is recognised by.
    #[inline(always)]
    pub(crate) const fn check(self) -> u64 {
        self.check
    }
}

/// What is known of a position: bounds of its score, how sure they are, and its best moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    /// How deep was searched, in plies: the worth of the entry.
    pub depth: u8,
    /// How sure the bounds are; the searches that share a table agree on the levels.
    pub level: u8,
    /// The best move so far.
    pub best: Option<Square>,
    /// The best move before that.
    pub second: Option<Square>,
}

impl Entry {
    /// An entry that knows nothing yet.
    pub const fn blank(depth: u8, level: u8) -> Self {
        Self { lower: i16::MIN, upper: i16::MAX, depth, level, best: None, second: None }
    }

    /// Two bytes each for the bounds, one for the depth, one for the level (three bits) and the age (five),
    /// and one for each square.
    #[inline(always)]
    pub(crate) fn pack(self, age: u8) -> u64 {
        let square = |s: Option<Square>| s.map_or(0, |s| 64 | s.index() as u8);
        let [lower_0, lower_1] = self.lower.to_le_bytes();
        let [upper_0, upper_1] = self.upper.to_le_bytes();
        let kept = (self.level & 7) << 5 | age & 31;
        let squares = [square(self.best), square(self.second)];
        u64::from_le_bytes([lower_0, lower_1, upper_0, upper_1, self.depth, kept, squares[0], squares[1]])
    }

    #[inline(always)]
    pub(crate) fn unpack(word: u64) -> Self {
        let bytes = word.to_le_bytes();
        let square = |byte: u8| {
            if byte == 0 { None } else { Square::new(byte & 63).ok() }
        };
        Self {
            lower: word as i16,
            upper: (word >> 16) as i16,
            depth: bytes[4],
            level: bytes[5] >> 5,
            best: square(bytes[6]),
            second: square(bytes[7]),
        }
    }
}

const fn age_of(word: u64) -> u8 {
    (word >> 40) as u8 & 31
}

#[inline(always)]
const fn depth_of(word: u64) -> u8 {
    (word >> 32) as u8
}

#[derive(Default)]
struct Slot {
    /// The check of the position XOR the word, so that a torn write recognises nothing.
    guard: AtomicU64,
    /// The packed entry; zero when empty (ages begin at one).
    word: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn read(&self) -> (u64, u64) {
        let guard = self.guard.load(Ordering::Relaxed);
        let word = self.word.load(Ordering::Relaxed);
        (guard ^ word, word)
    }

    #[inline(always)]
    fn write(&self, check: u64, word: u64) {
        self.guard.store(check ^ word, Ordering::Relaxed);
        self.word.store(word, Ordering::Relaxed);
    }
}

const SLOTS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// A table of fixed size for any number of threads.
///
/// ```
/// use turncoat_board::{Board, Geometry, VariantKind};
/// use turncoat_search::transposition::{Entry, Key, Salt, TranspositionTable};
///
/// let table = TranspositionTable::new(1).unwrap();
/// let key = Key::new(Board::start(Geometry::SIX), Salt::new(VariantKind::Reversi, Geometry::SIX));
/// table.store(key, Entry { lower: -4, ..Entry::blank(32, 0) });
/// assert_eq!(table.probe(key).unwrap().lower, -4);
/// let other = Key::new(Board::start(Geometry::SIX), Salt::new(VariantKind::Reversed, Geometry::SIX));
/// assert_eq!(table.probe(other), None);
/// ```
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of this many mebibytes, at least one.
    ///
    /// # Errors
    /// [`TableTooLarge`] if there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<Self, TableTooLarge> {
        let count = mebibytes.max(1).saturating_mul((1 << 20) / size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| TableTooLarge { mebibytes })?;
        advise_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Ok(Self { buckets: buckets.into_boxed_slice(), age: AtomicU8::new(1) })
    }

    /// Its size in mebibytes.
    pub fn mebibytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Begins a new search: entries of earlier ones are the first to be overwritten.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store(if age == 31 { 1 } else { age + 1 }, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.write(0, 0);
        }
        self.age.store(1, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        // The high half of the product spreads the places over any number of buckets.
        let index = (u128::from(key.place) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// What is known of this position.
    #[inline(always)]
    pub fn probe(&self, key: Key) -> Option<Entry> {
        let bucket = self.bucket(key);
        for slot in &bucket.0 {
            let (check, word) = slot.read();
            if check == key.check && word != 0 {
                return Some(Entry::unpack(word));
            }
        }
        None
    }

    /// Fetches the bucket of this position into the cache, ahead of a probe.
    #[inline(always)]
    pub fn prefetch<I: Isa>(&self, isa: I, key: Key) {
        isa.prefetch(self.bucket(key));
    }

    /// Stores what is known of a position, over what was known of it before; what this search knows better stays.
    #[inline(always)]
    pub fn store(&self, key: Key, entry: Entry) {
        let bucket = self.bucket(key);
        let age = self.age.load(Ordering::Relaxed);
        let word = entry.pack(age);
        // The least worthy of the keeping slots: of an earlier search, then of fewest empties.
        let (mut victim, mut least) = (0, u16::MAX);
        for (i, slot) in bucket.0.iter().enumerate() {
            let (check, old) = slot.read();
            if check == key.check && old != 0 {
                // A shallow search on the way, as for a cut by probability, leaves alone what this search knows better.
                let is_better = depth_of(old) > entry.depth && Entry::unpack(old).level >= entry.level;
                if age_of(old) != age || !is_better {
                    slot.write(key.check, word);
                }
                return;
            }
            let current = u16::from(age_of(old) == age);
            let worth = current << 8 | u16::from(depth_of(old));
            if i < SLOTS - 1 && worth < least {
                (victim, least) = (i, worth);
            }
        }
        if least > (1 << 8 | u16::from(entry.depth)) {
            victim = SLOTS - 1;
        }
        bucket.0[victim].write(key.check, word);
    }
}

/// More memory was asked for than there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTooLarge {
    /// What was asked for.
    pub mebibytes: usize,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no memory for a table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for TableTooLarge {}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TranspositionTable({} MiB)", self.mebibytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of a game played by always taking some legal move.
    fn boards(count: usize) -> Vec<Board> {
        let mut all = vec![Board::start(Geometry::EIGHT)];
        let mut i = 0;
        while all.len() < count {
            let board = all[i];
            i += 1;
            for square in board.legal_moves(Geometry::EIGHT) {
                all.extend(board.play(square, Geometry::EIGHT));
            }
        }
        all.truncate(count);
        all
    }

    #[test]
    fn entries_survive_the_round_trip() {
        for (lower, upper) in [(-64, 64), (0, 0), (i16::MIN, -2), (6, i16::MAX)] {
            for best in [None, Square::new(0).ok(), Square::new(63).ok()] {
                let entry = Entry { lower, upper, depth: 60, level: 7, best, second: Square::new(5).ok() };
                assert_eq!(Entry::unpack(entry.pack(20)), entry);
                assert_eq!(age_of(entry.pack(20)), 20);
            }
        }
    }

    #[test]
    fn what_is_found_is_what_was_stored() {
        let table = TranspositionTable::new(1).unwrap();
        let salt = Salt::new(VariantKind::Reversed, Geometry::EIGHT);
        let boards = boards(60_000);
        for (i, board) in boards.iter().enumerate() {
            let depth = (board.empties(Geometry::EIGHT).count() % 7) as u8;
            let entry = Entry { lower: (i % 100) as i16, ..Entry::blank(depth, 0) };
            table.store(Key::new(*board, salt), entry);
        }
        let mut found = 0;
        for (i, board) in boards.iter().enumerate() {
            if let Some(entry) = table.probe(Key::new(*board, salt)) {
                // A board that transposes was stored several times; its last entry counts.
                let last = boards.iter().rposition(|b| b == board).unwrap_or(i);
                assert_eq!(entry.lower, (last % 100) as i16);
                found += 1;
                if found > 500 {
                    break;
                }
            }
        }
        assert!(found > 500);
    }

    #[test]
    fn what_a_search_knows_better_stays_until_the_next_search() {
        let table = TranspositionTable::new(1).unwrap();
        let key = Key::new(boards(1)[0], Salt::new(VariantKind::Reversed, Geometry::EIGHT));
        table.store(key, Entry::blank(12, 2));
        table.store(key, Entry::blank(6, 2));
        assert_eq!(table.probe(key), Some(Entry::blank(12, 2)));
        table.store(key, Entry::blank(6, 3));
        assert_eq!(table.probe(key), Some(Entry::blank(6, 3)), "surer");
        table.new_search();
        table.store(key, Entry::blank(4, 3));
        assert_eq!(table.probe(key), Some(Entry::blank(4, 3)), "a new search");
    }

    #[test]
    fn expensive_entries_outlive_cheap_ones_until_they_are_old() {
        let table = TranspositionTable { buckets: Box::new([Bucket::default()]), age: AtomicU8::new(1) };
        let salt = Salt::new(VariantKind::Reversi, Geometry::EIGHT);
        let keys: Vec<Key> = boards(40).iter().map(|&b| Key::new(b, salt)).collect();
        table.store(keys[0], Entry::blank(30, 0));
        for key in &keys[10..30] {
            table.store(*key, Entry::blank(10, 0));
        }
        assert!(table.probe(keys[0]).is_some());
        assert!(table.probe(keys[29]).is_some(), "the latest is kept");
        table.new_search();
        for key in &keys[30..34] {
            table.store(*key, Entry::blank(10, 0));
        }
        assert!(table.probe(keys[0]).is_none());
    }

    #[test]
    fn torn_writes_recognise_nothing() {
        let slot = Slot::default();
        slot.write(77, Entry::blank(3, 0).pack(1));
        slot.word.store(Entry::blank(4, 0).pack(1), Ordering::Relaxed);
        assert_ne!(slot.read().0, 77);
    }
}
